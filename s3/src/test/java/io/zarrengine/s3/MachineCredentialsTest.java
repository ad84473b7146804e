package io.zarrengine.s3;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;

/** When Amazon's library asks the metadata service of the machine. */
final class MachineCredentialsTest {
    private static final AwsCredentials KEY = AwsBasicCredentials.create("id", "secret");
    private static final AwsCredentialsProvider LIBRARY = () -> KEY;

    /** Returns an address at which nothing listens. */
    private static InetSocketAddress nobody() throws Exception {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return (InetSocketAddress) socket.getLocalSocketAddress();
        }
    }

    /** Fault: the library is asked anyway, and waits for seconds. */
    @Test
    void asksNobodyWhereNothingListens() throws Exception {
        MachineCredentials machine =
                new MachineCredentials(
                        () -> {
                            throw new AssertionError("asked");
                        },
                        Map.of(),
                        nobody());
        for (int i = 0; i < 2; i++) {
            var e = assertThrows(IllegalStateException.class, machine::resolveCredentials);
            assertTrue(e.getMessage().contains("metadata service"), e::getMessage);
        }
    }

    /** Fault: where packets are dropped it waits as long as the system does: for minutes. */
    @Test
    void endsWherePacketsAreDropped() throws Exception {
        List<Socket> open = new ArrayList<>();
        try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var service = (InetSocketAddress) full.getLocalSocketAddress();
            boolean isFull = false;
            while (!isFull) {
                Socket socket = new Socket();
                open.add(socket);
                try {
                    socket.connect(service, 100);
                } catch (SocketTimeoutException _) {
                    isFull = true;
                }
            }
            MachineCredentials machine = new MachineCredentials(LIBRARY, Map.of(), service);
            assertThrows(IllegalStateException.class, machine::resolveCredentials);
        } finally {
            for (Socket socket : open) {
                socket.close();
            }
        }
    }

    /** Fault: a machine of Amazon has no credentials. */
    @Test
    void asksAServiceThatListens() throws Exception {
        try (ServerSocket socket = new ServerSocket(0, 8, InetAddress.getLoopbackAddress())) {
            var service = (InetSocketAddress) socket.getLocalSocketAddress();
            MachineCredentials machine = new MachineCredentials(LIBRARY, Map.of(), service);
            assertEquals(KEY, machine.resolveCredentials());
            assertEquals(KEY, machine.resolveCredentials());
        }
    }

    /** Fault: a service at another address is taken for missing; or a timeout is not kept. */
    @ParameterizedTest
    @ValueSource(strings = {"AWS_EC2_METADATA_SERVICE_ENDPOINT", "AWS_METADATA_SERVICE_TIMEOUT"})
    void leavesWhatIsSetToTheLibrary(String variable) throws Exception {
        assertEquals(
                KEY,
                new MachineCredentials(LIBRARY, Map.of(variable, "x"), nobody())
                        .resolveCredentials());
    }
}
