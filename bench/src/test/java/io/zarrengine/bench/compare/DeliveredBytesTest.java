package io.zarrengine.bench.compare;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Catches contenders that are timed although they deliver other bytes, fewer, or more. */
final class DeliveredBytesTest {
    /** Returns a worker that writes the same bytes to each file. */
    private static WorkerProcess writing(String bytes) throws IOException {
        String script =
                "while IFS=$(printf '\\t') read -r command name crops file; do printf '"
                        + bytes
                        + "' > \"$file\"; echo ok; done";
        return WorkerProcess.start(List.of("sh", "-c", script));
    }

    private static void compare(String expected, String actual) throws IOException {
        try (WorkerProcess right = writing(expected);
                WorkerProcess other = writing(actual);
                var delivered = new DeliveredBytes(new Way(Contender.C, right, "C", List.of()))) {
            Way compared = new Way(Contender.ENGINE, other, "engine", List.of());
            delivered.compare(compared, 0);
            delivered.compare(compared, 4);
        }
    }

    @Test
    void theSameBytesPass() throws IOException {
        compare("elements", "elements");
    }

    @Test
    void aByteThatDiffersIsNamed() {
        assertRefused("elements", "elEments", "not the same at 2");
    }

    @Test
    void fewerOrMoreBytesAreRefused() {
        assertRefused("elements", "element", "7 and 8 of them");
        assertRefused("elements", "elementss", "9 and 8 of them");
    }

    private static void assertRefused(String expected, String actual, String words) {
        IOException refusal = assertThrows(IOException.class, () -> compare(expected, actual));
        assertTrue(refusal.getMessage().contains(words), refusal::getMessage);
    }
}
