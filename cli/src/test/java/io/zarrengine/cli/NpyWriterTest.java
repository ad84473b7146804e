package io.zarrengine.cli;

import static io.zarrengine.zarr.datatype.NumericType.UINT8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.zarrengine.zarr.HostTensor;
import io.zarrengine.zarr.Selection;
import io.zarrengine.zarr.ZarrArray;
import io.zarrengine.zarr.ZarrEngine;
import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.datatype.StructType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests headers of {@code .npy} files. Other tests compare whole files with NumPy's. */
final class NpyWriterTest {
    @TempDir private Path folder;

    static Stream<Arguments> shapes() {
        return Stream.of(
                Arguments.of(new long[] {}, "()"),
                Arguments.of(new long[] {3}, "(3,)"),
                Arguments.of(new long[] {3, 1}, "(3, 1)"),
                Arguments.of(new long[] {0, 4, 5}, "(0, 4, 5)"),
                Arguments.of(longOf(40, 1), "(" + "1, ".repeat(39) + "1)"),
                Arguments.of(longOf(64, 1), "(" + "1, ".repeat(63) + "1)"));
    }

    private static long[] longOf(int rank, long length) {
        long[] shape = new long[rank];
        Arrays.fill(shape, length);
        return shape;
    }

    /** Magic, version 1.0, a length that makes the header a multiple of 64, padding, newline. */
    @ParameterizedTest
    @MethodSource("shapes")
    void theHeaderIsAsTheFormatSays(long[] shape, String tuple) throws IOException {
        SmallArrays.empty(folder.resolve("a"), NumericType.INT16, shape);
        byte[] file = written();
        int elements = Arrays.stream(shape).mapToInt(Math::toIntExact).reduce(1, (a, b) -> a * b);
        int headerBytes = file.length - elements * Short.BYTES;
        assertArrayEquals(
                new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0}, Arrays.copyOf(file, 8));
        assertEquals(headerBytes - 10, (file[8] & 0xff) + 256 * (file[9] & 0xff));
        assertEquals(0, headerBytes % 64);
        assertEquals(NpyFile.header("<i2", tuple), NpyFile.of(file).header());
        assertEquals('\n', file[headerBytes - 1]);
        String padding = new String(file, 10, headerBytes - 11, StandardCharsets.US_ASCII);
        assertEquals(padding.strip() + " ".repeat(trailing(padding)), padding);
    }

    private static int trailing(String text) {
        int spaces = text.length() - text.stripTrailing().length();
        assertEquals(true, spaces < 64, "more padding than needed");
        return spaces;
    }

    @ParameterizedTest
    @EnumSource
    void everyTypeHasNumPysName(NumericType type) throws IOException {
        SmallArrays.empty(folder.resolve("a"), type, 2);
        byte[] file = written();
        assertEquals(NpyFile.header(nameOf(type), "(2,)"), NpyFile.of(file).header());
        assertEquals(2 * type.byteSize(), NpyFile.of(file).data().remaining());
    }

    /** Structs of many fields: a header of version 1.0 has at most 64 KiB. */
    @ParameterizedTest
    @CsvSource({"3440, 1", "3460, 2", "9000, 2"})
    void aLongHeaderIsOfVersion2(int fields, int version) throws IOException {
        List<StructType.Field> all =
                IntStream.range(0, fields)
                        .mapToObj(i -> new StructType.Field("f%05d".formatted(i), UINT8))
                        .toList();
        SmallArrays.empty(folder.resolve("a"), new StructType(all), 2);
        byte[] file = written();
        assertEquals(version, file[6]);
        int dataBytes = NpyFile.of(file).data().remaining();
        assertEquals(2 * fields, dataBytes);
        assertEquals(0, (file.length - dataBytes) % 64);
        String description =
                all.stream()
                        .map(field -> "('" + field.name() + "', '|u1')")
                        .collect(Collectors.joining(", ", "[", "]"));
        String dictionary =
                "{'descr': %s, 'fortran_order': False, 'shape': (2,), }".formatted(description);
        assertEquals(dictionary, NpyFile.of(file).header());
    }

    /**
     * Returns the NumPy type that the command promises: types that NumPy lacks are unsigned, int4
     * is signed.
     */
    private static String nameOf(NumericType type) {
        return switch (type.typeName()) {
            case "bool" -> "|b1";
            case "int2", "int4", "int8" -> "|i1";
            case "bfloat16" -> "<u2";
            case "float16", "float32", "float64" -> "<f" + type.byteSize();
            case "complex_bfloat16", "complex_float16" -> "<u4";
            case "complex64", "complex128", "complex_float32", "complex_float64" ->
                    "<c" + type.byteSize();
            case "int16", "int32", "int64" -> "<i" + type.byteSize();
            case "uint16", "uint32", "uint64" -> "<u" + type.byteSize();
            default -> type.byteSize() == 2 ? "<u2" : "|u1"; // two numbers, or one
        };
    }

    private byte[] written() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (ZarrEngine engine = ZarrEngine.open();
                ZarrArray array = engine.openArray(folder.resolve("a"));
                HostTensor tensor = array.read(Selection.all())) {
            NpyWriter.write(tensor, out);
        }
        return out.toByteArray();
    }
}
