package io.zarrengine.s3;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Map;
import java.util.stream.Stream;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.InstanceProfileCredentialsProvider;
import software.amazon.awssdk.profiles.ProfileFile;

/**
 * Credentials of the machine, by Amazon's library, if one connection reaches the metadata service.
 * Outside Amazon, packets to the service may be dropped; then the library alone would wait twice
 * for 1 s.
 *
 * <p>Threads: any.
 */
final class MachineCredentials implements AwsCredentialsProvider {
    private static final InetSocketAddress SERVICE = new InetSocketAddress("169.254.169.254", 80);

    /** As long as Amazon's libraries wait. The service is on the same machine. */
    private static final int CONNECT_MILLIS = 1000;

    /**
     * If one of these is set in the environment, the service is elsewhere, is slow, or is missing.
     */
    private static final String[] VARIABLES = {
        "AWS_EC2_METADATA_SERVICE_ENDPOINT",
        "AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE",
        "AWS_METADATA_SERVICE_TIMEOUT",
        "AWS_EC2_METADATA_DISABLED"
    };

    private static final String[] PROPERTIES = {
        "aws.ec2MetadataServiceEndpoint",
        "aws.ec2MetadataServiceEndpointMode",
        "aws.ec2MetadataServiceTimeout",
        "aws.disableEc2Metadata"
    };

    private static final String[] PROFILE_PROPERTIES = {
        "ec2_metadata_service_endpoint",
        "ec2_metadata_service_endpoint_mode",
        "metadata_service_timeout"
    };

    private final AwsCredentialsProvider library;
    private final Map<String, String> environment;
    private final InetSocketAddress service;
    private boolean isReached; // then it is asked no more; guarded by this

    /**
     * Takes what decides.
     *
     * @param library is asked if the service is reached, or something is set
     * @param environment variables by name
     * @param service its address
     */
    MachineCredentials(
            AwsCredentialsProvider library,
            Map<String, String> environment,
            InetSocketAddress service) {
        this.library = library;
        this.environment = environment;
        this.service = service;
    }

    /** {@return the credentials of this machine} */
    static MachineCredentials ofThisOne() {
        return new MachineCredentials(
                InstanceProfileCredentialsProvider.create(), System.getenv(), SERVICE);
    }

    private boolean isSet() {
        return Stream.of(VARIABLES).anyMatch(environment::containsKey)
                || Stream.of(PROPERTIES).anyMatch(name -> System.getProperty(name) != null)
                || ProfileFile.defaultProfileFile().profiles().values().stream()
                        .anyMatch(profile ->
                                Stream.of(PROFILE_PROPERTIES)
                                        .anyMatch(profile.properties()::containsKey));
    }

    private synchronized boolean isReached() {
        isReached = isReached || isSet() || reaches(service);
        return isReached;
    }

    private static boolean reaches(InetSocketAddress service) {
        try (Socket socket = new Socket()) {
            socket.connect(service, CONNECT_MILLIS);
            return true;
        } catch (IOException _) {
            return false;
        }
    }

    @Override
    public AwsCredentials resolveCredentials() {
        if (!isReached()) {
            throw new IllegalStateException("this machine has no metadata service of Amazon");
        }
        return library.resolveCredentials();
    }

    @Override
    public String toString() {
        return library.toString();
    }
}
