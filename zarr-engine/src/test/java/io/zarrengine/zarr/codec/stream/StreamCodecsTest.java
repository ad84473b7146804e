package io.zarrengine.zarr.codec.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.zarrengine.zarr.errors.CodecException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/** Messages for input that a stream library refuses. */
final class StreamCodecsTest {
    private static String problem(Exception refusal) {
        MemorySegment memory = MemorySegment.ofArray(new byte[10]);
        CodecException e =
                assertThrows(
                        CodecException.class,
                        () ->
                                StreamCodecs.decode(
                                        "codec",
                                        "library",
                                        in -> refuses(refusal),
                                        memory,
                                        memory));
        return e.getMessage();
    }

    private static InputStream refuses(Exception refusal) throws IOException {
        switch (refusal) {
            case IOException e -> throw e;
            case RuntimeException e -> throw e;
            default -> throw new AssertionError(refusal);
        }
    }

    @Test
    void explainsTheRefusal() {
        assertEquals("codec: damaged: bad block", problem(new IOException("bad block")));
        assertEquals("codec: damaged: it cannot be decoded", problem(new IOException()));
        assertEquals("codec: ends early", problem(new EOFException()));
        assertEquals("codec: damaged: no header", problem(new EOFException("no header")));
        String bug = "Index 7 out of bounds for length 3";
        assertEquals(
                "codec: damaged: it cannot be decoded",
                problem(new IndexOutOfBoundsException(bug)));
        assertEquals(
                "codec: damaged: it cannot be decoded", problem(new IllegalStateException(bug)));
    }
}
