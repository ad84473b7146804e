package io.zarrengine.s3;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;

/** Messages of Amazon's own library, in a process in which it can find no credentials. */
final class AmazonSignerTest {
    private static final URI URL = URI.create("https://bucket.s3.amazonaws.com/key");

    @TempDir private Path folder;
    private final Map<String, String> before = new HashMap<>();

    @BeforeEach
    void hideCredentials() {
        assumeTrue(
                Stream.of("AWS_ACCESS_KEY_ID", "AWS_WEB_IDENTITY_TOKEN_FILE", "AWS_PROFILE")
                        .allMatch(name -> System.getenv(name) == null),
                "there are credentials in the environment");
        set("aws.sharedCredentialsFile", folder.resolve("none").toString());
        set("aws.configFile", folder.resolve("none").toString());
        set("aws.disableEc2Metadata", "true");
    }

    private void set(String property, String value) {
        before.put(property, System.getProperty(property));
        System.setProperty(property, value);
    }

    @AfterEach
    void restore() {
        before.forEach((property, value) -> {
            if (value == null) {
                System.clearProperty(property);
            } else {
                System.setProperty(property, value);
            }
        });
    }

    private static Map<String, String> sign(boolean mayBeAnonymous) throws IOException {
        var source = AmazonSigner.credentials(null, null);
        var signer = new AmazonSigner(source, BucketRegion.known("us-east-1"), mayBeAnonymous);
        return signer.sign(URL, Map.of());
    }

    /** Fault: a new version of the library looks in more places, or in another order. */
    @Test
    void looksWhereTheLibraryLooks() {
        try (DefaultCredentialsProvider library = DefaultCredentialsProvider.builder().build()) {
            assertEquals(places(library), places(AmazonSigner.credentials(null, null)));
        }
    }

    /** Returns the names of the providers, which the message has in their order. */
    private static List<String> places(AwsCredentialsProvider source) {
        String message =
                assertThrows(RuntimeException.class, source::resolveCredentials).getMessage();
        List<String> names =
                Pattern.compile("\\w+CredentialsProvider\\b")
                        .matcher(message)
                        .results()
                        .map(MatchResult::group)
                        .distinct()
                        .toList();
        assertTrue(names.size() >= 6, message);
        return names;
    }

    /** Fault: a new version of the library words it otherwise: no public bucket can be read. */
    @Test
    void knowsHowTheLibrarySaysThatThereAreNoCredentials() throws IOException {
        assertEquals(Map.of(), sign(true));
        IOException e = assertThrows(IOException.class, () -> sign(false));
        assertTrue(e.getMessage().startsWith("Amazon's credentials: Unable"), e::getMessage);
    }
}
