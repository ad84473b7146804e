package io.zarrengine.zarr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.zarrengine.zarr.errors.CorruptChunkException;
import io.zarrengine.zarr.errors.ZarrException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Messages for broken stores match a stored list. Messages must not change with the optional parts
 * that are missing, except for a decoder's own words about damaged bytes.
 */
final class ConformanceMessagesTest {
    private static final String LIST = "conformance-messages.txt";

    @Test
    void refusesBrokenStoresWithTheSameMessagesInEveryMode() throws IOException {
        try (ZarrEngine engine = ZarrEngine.open()) {
            List<String> lines =
                    Conformance.cases("bad").stream()
                            .map(c -> c.name() + " | " + refusal(engine, c))
                            .toList();
            assertEquals(String.join("\n", expected()), String.join("\n", lines));
        }
    }

    private static List<String> expected() throws IOException {
        try (InputStream list = ConformanceMessagesTest.class.getResourceAsStream(LIST)) {
            return new String(list.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        }
    }

    private static String refusal(ZarrEngine engine, Conformance.Case c) {
        ZarrException e =
                assertThrows(
                        ZarrException.class,
                        () -> {
                            try (ZarrArray array = engine.openArray(c.array())) {
                                array.read(Selection.all()).close();
                            }
                        });
        String message = e.getMessage().replace(c.store() + "/", "").replace(c.store() + "", "");
        boolean isDecoders = e instanceof CorruptChunkException && message.contains(": ");
        String[] parts = message.split(": ");
        String said = isDecoders ? parts[0] + ": " + parts[1].split(" ")[0] : message;
        return e.getClass().getSimpleName() + " | " + said;
    }
}
