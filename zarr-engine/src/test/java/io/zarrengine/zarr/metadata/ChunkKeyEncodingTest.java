package io.zarrengine.zarr.metadata;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Chunk keys equal the examples of the specification. */
final class ChunkKeyEncodingTest {
    @ParameterizedTest
    @CsvSource({
        "DEFAULT, /, '', c",
        "DEFAULT, ., '', c",
        "V2, ., '', 0",
        "V2, /, '', 0",
        "DEFAULT, /, '5', c/5",
        "DEFAULT, ., '5', c.5",
        "V2, ., '5', 5",
        "DEFAULT, /, '1 23 45', c/1/23/45",
        "DEFAULT, ., '1 23 45', c.1.23.45",
        "V2, ., '1 23 45', 1.23.45",
        "V2, /, '1 23 45', 1/23/45",
        "DEFAULT, /, '0 9223372036854775807', c/0/9223372036854775807",
    })
    void namesAChunk(
            ChunkKeyEncoding.Style style, String separator, String coordinates, String key) {
        long[] chunk =
                Stream.of(coordinates.split(" "))
                        .filter(coordinate -> !coordinate.isEmpty())
                        .mapToLong(Long::parseLong)
                        .toArray();
        assertEquals(key, new ChunkKeyEncoding(style, separator).key(chunk));
    }
}
