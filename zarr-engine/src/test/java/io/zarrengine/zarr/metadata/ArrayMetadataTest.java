package io.zarrengine.zarr.metadata;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.datatype.DataType;
import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.datatype.VariableLengthType;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Checks of array metadata, for any source, and its immutability. */
final class ArrayMetadataTest {
    @Test
    void defaultsToOneChunkOfZeros() {
        ArrayMetadata array = ArrayMetadata.builder(NumericType.FLOAT32, 5, 6).build();
        assertArrayEquals(new long[] {5, 6}, array.chunkShape());
        assertArrayEquals(new byte[4], array.fillValue());
        assertEquals("c/0/0", array.chunkKeyEncoding().key(0, 0));
        assertEquals(List.of(CodecSpec.bytes()), array.codecs());
        assertEquals(Map.of(), array.attributes());
        assertTrue(array.dimensionNames().isEmpty());
    }

    /** The bytes codec accepts no elements of variable length. */
    @Test
    void defaultsToTheCodecOfVariableLengthElements() {
        assertCodec("vlen-utf8", VariableLengthType.STRING);
        assertCodec("vlen-bytes", VariableLengthType.BYTES);
        assertCodec(
                "vlen-array",
                new VariableLengthType(VariableLengthType.Kind.ARRAY, NumericType.INT16));
        assertCodec("json2", VariableLengthType.JSON);
    }

    private static void assertCodec(String expected, VariableLengthType type) {
        assertEquals(
                List.of(new CodecSpec(expected, Map.of())),
                ArrayMetadata.builder(type, 5).build().codecs());
    }

    @Test
    void keepsGivenCodecsIncludingNone() {
        assertEquals(List.of(), builder().codecs(List.of()).build().codecs());
    }

    @Test
    void defaultsToOneChunkForAnEmptyArray() {
        ArrayMetadata array = ArrayMetadata.builder(NumericType.INT8, 0, 6).build();
        assertArrayEquals(new long[] {0, 6}, array.shape());
        assertArrayEquals(new long[] {1, 6}, array.chunkShape());
    }

    @Test
    void allowsWhatFitsIn63BitsAndNoMore() {
        long[] largest = {1L << 31, (1L << 31) - 1, 2};
        assertEquals(3, ArrayMetadata.builder(NumericType.INT8, largest).build().rank());
        assertEquals(1, ArrayMetadata.builder(NumericType.INT8, Long.MAX_VALUE).build().rank());
        assertEquals(
                3,
                ArrayMetadata.builder(NumericType.INT64, largest)
                        .chunkShape(1, 1, 1)
                        .build()
                        .rank());
        assertRefused(
                "shape [2147483648, 2147483648, 2] makes 9223372036854775808 elements, which do not",
                ArrayMetadata.builder(NumericType.INT8, 1L << 31, 1L << 31, 2).chunkShape(1, 1, 1));
        assertRefused(
                "chunk shape [2147483648, 1073741824] makes 2305843009213693952 elements of 4 bytes,"
                        + " which do not fit in 63 bits",
                builder().chunkShape(1L << 31, 1L << 30));
        assertEquals(64, ArrayMetadata.builder(NumericType.INT8, ones(64)).build().rank());
        assertRefused("more than 64 dimensions", ArrayMetadata.builder(NumericType.INT8, ones(65)));
    }

    @Test
    void refusesPartsThatDoNotFitTogether() {
        assertRefused("shape [-1] has length -1", ArrayMetadata.builder(NumericType.INT8, -1));
        assertRefused("chunk shape [4, 0] has length 0", builder().chunkShape(4, 0));
        assertRefused("another rank than shape [4, 6]", builder().chunkShape(4));
        assertRefused(
                "the fill value has 3 bytes, the data type int32 has 4",
                builder().fillValue(new byte[3]));
        assertRefused("one name for each dimension", builder().dimensionNames(List.of("x")));
    }

    @Test
    void refusesChunksThatDoNotCoverTheArray() {
        ChunkGrid grid = new ChunkGrid(List.of(ChunkEdges.regular(4), ChunkEdges.of(3, 2)));
        assertRefused("chunks of dimension 1 cover 5 of 6", builder().chunkGrid(grid));
        ChunkGrid covering = new ChunkGrid(List.of(ChunkEdges.regular(4), ChunkEdges.of(3, 3)));
        assertEquals(covering, builder().chunkGrid(covering).build().chunkGrid());
    }

    @Test
    void numbersInAttributesAreThoseOfDocuments() {
        Map<String, Object> attributes =
                Map.of(
                        "scale",
                        0.1f,
                        "zero",
                        -0.0f,
                        "nan",
                        Double.NaN,
                        "short",
                        (short) 7,
                        "flags",
                        new int[] {1, 2},
                        "nested",
                        List.of((byte) 3, Map.of("a", new Object[] {2.5, "b", true})));
        Map<String, Object> expected =
                Map.of(
                        "scale",
                        new BigDecimal("0.1"),
                        "zero",
                        -0.0,
                        "nan",
                        Double.NaN,
                        "short",
                        7L,
                        "flags",
                        List.of(1L, 2L),
                        "nested",
                        List.of(3L, Map.of("a", List.of(new BigDecimal("2.5"), "b", true))));
        assertEquals(expected, builder().attributes(attributes).build().attributes());
        assertEquals(expected, new GroupMetadata(attributes).attributes());
    }

    @Test
    void refusesAttributesThatJsonLacks() {
        Map<String, Object> attributes = Map.of("a", List.of(Map.of("when", Instant.EPOCH)));
        String problem = "attribute \"a\": member \"when\": a java.time.Instant is no JSON value";
        assertAttributesRefused(problem, attributes);
        assertAttributesRefused(
                "attribute \"a\": member 1: its name is no string", Map.of("a", Map.of(1, 2)));
    }

    private static void assertAttributesRefused(String problem, Map<String, Object> attributes) {
        for (Executable set :
                List.<Executable>of(
                        () -> builder().attributes(attributes),
                        () -> new GroupMetadata(attributes))) {
            IllegalArgumentException e = assertThrows(IllegalArgumentException.class, set);
            assertTrue(e.getMessage().contains(problem), e::getMessage);
        }
    }

    @Test
    void refusesAttributesWithoutEnd() {
        List<Object> own = new ArrayList<>();
        own.add(own);
        assertAttributesRefused("more than 200 levels", Map.of("a", own));
    }

    @Test
    void acceptsAValueAsFillValue() {
        assertFill(new byte[] {-7, -1}, NumericType.INT16, (short) -7);
        assertFill(new byte[] {0, 0, -64, 127}, NumericType.FLOAT32, Float.NaN);
        assertFill(new byte[] {0, 0, 0, 63}, NumericType.FLOAT32, 0.5);
        assertFill(new byte[] {1}, NumericType.BOOL, true);
        assertFill(new byte[] {'a', 'b'}, VariableLengthType.STRING, "ab");
        assertThrows(IllegalArgumentException.class, () -> builder().fillValue("no number"));
    }

    private static void assertFill(byte[] expected, DataType type, Object value) {
        assertArrayEquals(
                expected, ArrayMetadata.builder(type, 3).fillValue(value).build().fillValue());
    }

    private static void assertRefused(String problem, ArrayMetadata.Builder builder) {
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, builder::build);
        assertTrue(e.getMessage().contains(problem), e::getMessage);
    }

    @Test
    void doesNotChangeWithItsArguments() {
        long[] shape = {4, 6};
        long[] chunkShape = {2, 3};
        byte[] fill = {1, 2, 3, 4};
        List<CodecSpec> codecs = new ArrayList<>(List.of(CodecSpec.bytes()));
        Map<String, Object> attributes = new HashMap<>(Map.of("a", 1L));
        List<String> names = new ArrayList<>(Arrays.asList("x", null));
        ArrayMetadata array =
                ArrayMetadata.builder(NumericType.INT32, shape)
                        .chunkShape(chunkShape)
                        .fillValue(fill)
                        .codecs(codecs)
                        .attributes(attributes)
                        .dimensionNames(names)
                        .build();
        shape[0] = chunkShape[0] = fill[0] = 9;
        array.shape()[0] = array.chunkShape()[0] = array.fillValue()[0] = 9;
        codecs.clear();
        attributes.clear();
        names.clear();
        assertArrayEquals(new long[] {4, 6}, array.shape());
        assertArrayEquals(new long[] {2, 3}, array.chunkShape());
        assertArrayEquals(new byte[] {1, 2, 3, 4}, array.fillValue());
        assertEquals(List.of(CodecSpec.bytes()), array.codecs());
        assertEquals(Map.of("a", 1L), array.attributes());
        assertEquals(Arrays.asList("x", null), array.dimensionNames().orElseThrow());
    }

    private static ArrayMetadata.Builder builder() {
        return ArrayMetadata.builder(NumericType.INT32, 4, 6);
    }

    private static long[] ones(int count) {
        long[] ones = new long[count];
        Arrays.fill(ones, 1);
        return ones;
    }
}
