package io.zarrengine.zarr.datatype;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.json.Json;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class NumpyTypeTest {
    private static NumpyType parse(String json) {
        return NumpyType.parse(Json.parse("test", json.getBytes(StandardCharsets.UTF_8)));
    }

    @ParameterizedTest
    @CsvSource({
        "|b1, bool, 1",
        "|i1, int8, 1",
        "<i2, int16, 2",
        ">u8, uint64, 8",
        "<f2, float16, 2",
        "=f4, float32, 4",
        ">f8, float64, 8",
        "<c8, complex64, 8",
        "<c16, complex128, 16",
        "|S6, null_terminated_bytes, 6",
        "<U3, fixed_length_utf32, 12",
        "|V5, r40, 5",
        "<M8, numpy.datetime64, 8",
        "<M8[ns], numpy.datetime64, 8",
        ">m8[25us], numpy.timedelta64, 8",
    })
    void hasATypeAndAnOrder(String text, String name, int bytes) {
        NumpyType parsed = parse("\"" + text + "\"");
        assertEquals(name, parsed.type().orElseThrow().typeName());
        assertEquals(bytes, parsed.type().orElseThrow().byteSize());
        ByteOrder order = text.startsWith(">") ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
        assertEquals(order, parsed.order());
    }

    @Test
    void timesHaveAUnitAndAScale() {
        TemporalType.Kind kind = TemporalType.Kind.TIMEDELTA;
        assertEquals(Optional.of(new TemporalType(kind, "us", 25)), parse("\"<m8[25us]\"").type());
        assertEquals(Optional.of(new TemporalType(kind, "generic", 1)), parse("\"<m8\"").type());
    }

    @Test
    void objectsHaveNoTypeOfTheirOwn() {
        assertEquals(Optional.empty(), parse("\"|O\"").type());
    }

    @Test
    void fieldsFollowOneAnother() {
        StructType struct =
                (StructType)
                        parse(
                                        """
                                        [["a", "<i4"], ["b", [["c", ">i2"], ["d", "|S3"]]],
                                         ["e", "<f8", [2, 3]], ["", "|V1"], ["", "|V2"]]
                                        """)
                                .type()
                                .orElseThrow();
        assertEquals(4 + 5 + 48 + 3, struct.byteSize());
        assertEquals(6, struct.fields().get(2).count());
        assertEquals(DataType.MIXED_UNITS, struct.byteOrderUnit());
        assertEquals(List.of(), ByteOrderRun.of(struct), "fields keep their own order");
    }

    /** A field keeps its byte order, also in fill values. */
    @Test
    void aBigEndianFieldHasBigEndianFillValues() {
        StructType struct = (StructType) parse("[[\"a\", \">i2\"], [\"b\", \"<i2\"]]").type().get();
        byte[] element = {1, 2, 2, 1};
        Map<?, ?> json = (Map<?, ?>) struct.fillValueToJson(element);
        assertEquals(Map.of("a", 0x102L, "b", 0x102L), json);
        assertArrayEquals(element, struct.fillValue(json));
    }

    /** zarr-python writes the bytes of a stored element. */
    @Test
    void base64HoldsFieldsInTheirOwnByteOrder() {
        DataType struct =
                parse("[[\"a\", \">i4\"], [\"b\", \"<i2\"], [\"c\", \">f8\", [1]]]")
                        .type()
                        .orElseThrow();
        byte[] stored = HexFormat.of().parseHex("00000001" + "0200" + "3ff0000000000000");
        assertArrayEquals(stored, struct.fillValue(Base64.getEncoder().encodeToString(stored)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "7; must be a string or a list of fields",
                "\"float128\"; is \"float128\", which is no NumPy type",
                "[[\"a\", \"<i4\", null]]; has a field of the shape null",
                "[\"b\", \"<f8\", null]; has a field that is no list",
                "\"<x4\"; which is no NumPy type",
                "\"<i3\"; is \"<i3\", which is not known: its size",
                "\"<f16\"; is \"<f16\": floating point of 80 or 128 bits (NumPy's longdouble), whose bits",
                "\"<f12\"; is \"<f12\": floating point of 80 or 128 bits",
                "\"<c32\"; is \"<c32\": floating point of 80 or 128 bits",
                "\"<f1\"; which is not known: its size",
                "\"<f3\"; which is not known: its size",
                "\"|b2\"; which is not known: its size",
                "\"|S0\"; has elements of 0 bytes",
                "\"<U\"; has elements of 0 bytes",
                "\"<U999999999\"; has elements of",
                "\"<S9999999999\"; which is no NumPy type",
                "\"<M4[ns]\"; has 4 bytes, expected 8",
                "\"<M8[xs]\"; unit \"xs\", expected one of",
                "[]; has elements of 0 bytes",
                "[[\"a\"]]; has a field that is no list",
                "[[7, \"<i4\"]]; has a field that is no list",
                "[[\"a\", \"<i4\"], [\"a\", \"<i2\"]]; has two fields \"a\"",
                "[[\"a\", \"|O\"]]; has a field of objects: a",
                "[[\"a\", \"<i4\", [0]]]; has a field of the shape [0]",
                "[[\"a\", \"<i4\", [2000000000, 2000000000]]]; has elements of",
            })
    void refuses(String json, String problem) {
        IllegalArgumentException e =
                assertThrows(IllegalArgumentException.class, () -> parse(json));
        assertTrue(e.getMessage().contains(problem), e::getMessage);
    }
}
