package io.zarrengine.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.objectstore.RequestMetrics;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** The line on a terminal while something is read from afar. */
final class ProgressTest {
    private static RequestMetrics metrics(long requests, long retries) {
        return new RequestMetrics(requests, retries, 0, 1_250_000, 4, 8_000_000, 5_000_000, 0, 0);
    }

    /** Returns what a terminal gets until the counters were asked for a third time. */
    private static String shown(RequestMetrics metrics) throws InterruptedException {
        StringWriter terminal = new StringWriter();
        CountDownLatch asked = new CountDownLatch(3);
        try (Progress _ =
                new Progress(
                        () -> {
                            asked.countDown();
                            return metrics;
                        },
                        new PrintWriter(terminal),
                        1)) {
            asked.await();
        }
        return terminal.toString();
    }

    /** Fault: the line stays, and the shell's next line is written over it. */
    @Test
    void showsALineThatVanishes() throws Exception {
        String shown = shown(metrics(5, 1));
        String line = "\r1.3 MB received, 5 requests, 1 repeated\033[K";
        assertTrue(shown.startsWith(line + line), shown);
        assertTrue(shown.endsWith(line + "\r\033[K"), shown);
    }

    /** Fault: a command that reads local files writes control characters. */
    @Test
    void showsNothingWithoutRequests() throws Exception {
        assertEquals("", shown(RequestMetrics.NONE));
    }

    /** Fault: a mean is taken of another count, or of none. */
    @Test
    void numbersAreMeans() {
        assertEquals(
                "{requests=5, retries=1, received_bytes=1250000, first_byte_ms=2.0, queued_ms=1.0}",
                RequestReport.numbers(metrics(5, 1)).toString());
        assertEquals("{}", RequestReport.numbers(RequestMetrics.NONE).toString());
        assertEquals("1.3 MB received, 1 request", RequestReport.line(metrics(1, 0)));
        assertEquals(0, RequestMetrics.NONE.meanFirstByte().toNanos());
    }
}
