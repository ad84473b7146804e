package io.zarrengine.zarr.metadata;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Lookups by chunk edges equal a walk over all positions. */
final class ChunkEdgesTest {
    @Test
    void listedChunksHoldThePositionsBetweenTheirEdges() {
        check(ChunkEdges.of(3, 1, 2), 3, 1, 2);
        check(ChunkEdges.of(1), 1);
        check(ChunkEdges.of(1, 1, 5, 1), 1, 1, 5, 1);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 7})
    void equalChunksDoToo(long length) {
        check(ChunkEdges.regular(length), length, length, length);
    }

    private static void check(ChunkEdges edges, long... lengths) {
        assertEquals(Arrays.stream(lengths).max().orElseThrow(), edges.longest());
        assertEquals(0, edges.count(0), "no position, no chunk");
        long position = 0;
        for (int chunk = 0; chunk < lengths.length; chunk++) {
            assertEquals(position, edges.origin(chunk));
            assertEquals(lengths[chunk], edges.length(chunk));
            for (long i = 0; i < lengths[chunk]; i++) {
                assertEquals(chunk, edges.chunkOf(position), "position " + position);
                position++;
                assertEquals(chunk + 1, edges.count(position), "of " + position);
            }
        }
    }

    /** Edges beyond 31 bits. */
    @Test
    void allowsEdgesOf63Bits() {
        long half = Long.MAX_VALUE / 2;
        ChunkEdges edges = ChunkEdges.of(half, half, 1);
        assertEquals(0, edges.chunkOf(half - 1));
        assertEquals(1, edges.chunkOf(half));
        assertEquals(2, edges.chunkOf(Long.MAX_VALUE - 1));
        assertEquals(3, edges.count(Long.MAX_VALUE));
        assertEquals(half, edges.longest());
        assertEquals(1, ChunkEdges.regular(Long.MAX_VALUE).count(Long.MAX_VALUE));
    }

    @ParameterizedTest
    @CsvSource({"3, 0", "-1, 3", "9223372036854775807, 1"})
    void refusesLengthsThatAreNone(long first, long second) {
        assertThrows(IllegalArgumentException.class, () -> ChunkEdges.of(first, second));
    }
}
