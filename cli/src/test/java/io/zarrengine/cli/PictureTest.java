package io.zarrengine.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.zarrengine.zarr.HostTensor;
import io.zarrengine.zarr.Selection;
import io.zarrengine.zarr.ZarrArray;
import io.zarrengine.zarr.ZarrEngine;
import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests which results are pictures, and the numbers in them. */
final class PictureTest {
    @TempDir private Path folder;

    static Stream<Arguments> pictures() {
        return Stream.of(
                Arguments.of(new long[] {2, 3}, new long[] {2, 3}),
                Arguments.of(new long[] {1, 3}, new long[] {1, 3}),
                Arguments.of(new long[] {1, 1}, new long[] {1, 1}),
                Arguments.of(new long[] {1, 4, 1, 5, 1}, new long[] {4, 5}),
                Arguments.of(new long[] {1 << 14, 1 << 14}, new long[] {1 << 14, 1 << 14}));
    }

    @ParameterizedTest
    @MethodSource("pictures")
    void twoDimensionsAreAPicture(long[] shape, long[] size) {
        assertArrayEquals(size, Picture.sizeOf(NumericType.INT8, shape));
    }

    static Stream<long[]> noPictures() {
        return Stream.of(
                new long[] {},
                new long[] {5},
                new long[] {1, 1, 1},
                new long[] {2, 1, 1},
                new long[] {2, 3, 4},
                new long[] {0, 3},
                new long[] {1 << 14, (1 << 14) + 1});
    }

    @ParameterizedTest
    @MethodSource("noPictures")
    void otherShapesAreRefused(long[] shape) {
        assertThrows(IllegalArgumentException.class, () -> Picture.sizeOf(NumericType.INT8, shape));
    }

    /** Elements of every width and both signs: the smallest and largest number of each type. */
    @ParameterizedTest
    @EnumSource(
            value = NumericType.class,
            names = {
                "INT8",
                "INT16",
                "INT32",
                "INT64",
                "UINT8",
                "UINT16",
                "UINT32",
                "UINT64",
                "FLOAT16",
                "FLOAT32",
                "FLOAT64",
                "COMPLEX64",
                "COMPLEX128",
                "BOOL"
            })
    void everyWidthIsUnderstood(NumericType type) {
        byte[] one = new byte[type.byteSize()];
        one[type.byteOrderUnit() - 1] = 1; // the highest byte of the real part
        double expected = type.toDouble(1L << (8 * (type.byteOrderUnit() - 1)));
        ArrayMetadata metadata =
                ArrayMetadata.builder(type, 1, 2)
                        .codecs(List.of(CodecSpec.bytes()))
                        .fillValue(one)
                        .build();
        try (ZarrEngine engine = ZarrEngine.open()) {
            engine.createArray(folder.resolve("a"), metadata);
            try (ZarrArray array = engine.openArray(folder.resolve("a"));
                    HostTensor tensor = array.read(Selection.all())) {
                Picture.Range range = Picture.of(tensor).fullRange();
                assertEquals(new Picture.Range(expected, expected), range);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "0, 10, 0, 0",
        "0, 10, 10, 1",
        "0, 10, 5, 0.5",
        "10, 0, 10, -0.0",
        "10, 0, 0, 1",
        "0, 10, Infinity, Infinity",
        "0, 10, NaN, NaN",
        "3, 3, 3, 0",
        "3, 3, 4, 1",
        "3, 3, 2, -1",
        "3, 3, NaN, NaN",
        "-1.7976931348623157E308, 1.7976931348623157E308, 0, 0.5",
        "-1.7976931348623157E308, 1.7976931348623157E308, 1.7976931348623157E308, 1",
    })
    void aRangePlacesValues(double low, double high, double value, double position) {
        assertEquals(position, new Picture.Range(low, high).position(value));
    }
}
