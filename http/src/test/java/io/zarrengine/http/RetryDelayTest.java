package io.zarrengine.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Catches reads that are never repeated, and never end, because a time is too long to count. */
final class RetryDelayTest {
    @ParameterizedTest
    @ValueSource(strings = {"9999999999", "9223372036854775807", "Fri, 31 Dec 9999 23:59:59 GMT"})
    void boundsWhatServersAskFor(String value) {
        HttpHeaders headers = HttpHeaders.of(Map.of("Retry-After", List.of(value)), (_, _) -> true);
        Optional<Duration> asked = RetryDelay.asked(headers);
        assertEquals(Optional.of(Duration.ofDays(1)), asked);
        assertEquals(Duration.ofDays(1).toMillis(), RetryDelay.millis(1, asked));
    }

    @Test
    void repeatsWithoutADeadline() throws Exception {
        byte[] content = "content".getBytes(StandardCharsets.UTF_8);
        Duration forEver = Duration.ofSeconds(Long.MAX_VALUE);
        try (TestServer server = new TestServer();
                HttpStore store =
                        HttpStore.builder(server.url(""))
                                .deadline(forEver)
                                .stallTimeout(forEver)
                                .open();
                Arena arena = Arena.ofShared()) {
            server.put("x", content);
            server.failOnce(TestServer.Fault.STATUS_503);
            NativeRead read = new NativeRead(arena.allocate(content.length), content.length);
            store.read(List.of(read));
            assertEquals(content.length, read.ended().get(20, TimeUnit.SECONDS));
        }
    }
}
