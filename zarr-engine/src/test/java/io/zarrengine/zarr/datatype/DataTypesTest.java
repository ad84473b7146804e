package io.zarrengine.zarr.datatype;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.json.Json;
import io.zarrengine.zarr.metadata.MetadataWriter;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class DataTypesTest {
    private static final String STRUCT =
            """
            {"name": "struct", "configuration": {"fields": [
                {"name": "x", "data_type": "float32"},
                {"name": "t", "data_type": {"name": "numpy.datetime64",
                    "configuration": {"unit": "s", "scale_factor": 10}}},
                {"name": "in", "data_type": {"name": "struct", "configuration": {"fields": [
                    {"name": "flag", "data_type": "bool"}]}}}]}}
            """;

    private static Object json(String text) {
        return Json.parse("test", text.getBytes(StandardCharsets.UTF_8));
    }

    private static DataType parse(String text) {
        return DataTypes.builtIn().parse(json(text));
    }

    private static String written(Object value) {
        return new String(MetadataWriter.toJson(value, false), StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"int16\"",
                "\"r24\"",
                "\"string\"",
                "\"bytes\"",
                "{\"name\": \"fixed_length_utf32\", \"configuration\": {\"length_bytes\": 12}}",
                "{\"name\": \"null_terminated_bytes\", \"configuration\": {\"length_bytes\": 3}}",
                "{\"name\": \"numpy.timedelta64\", \"configuration\": {\"unit\": \"ns\","
                        + " \"scale_factor\": 1}}",
                STRUCT,
            })
    void isWrittenAsItWasRead(String text) {
        DataType type = parse(text);
        assertEquals(type, parse(written(DataTypes.toJson(type))));
    }

    @Test
    void otherSpellingsMeanTheSame() {
        String raw = "{\"name\": \"raw_bytes\", \"configuration\": {\"length_bytes\": 3}}";
        assertEquals(parse("\"r24\""), parse(raw));
        assertEquals(parse("\"bytes\""), parse("{\"name\": \"variable_length_bytes\"}"));
        String pairs =
                "{\"name\": \"structured\", \"configuration\": {\"fields\":"
                        + " [[\"x\", \"int8\"], [\"y\", \"int16\"]]}}";
        StructType struct = (StructType) parse(pairs);
        assertEquals(List.of("x", "y"), struct.fields().stream().map(f -> f.name()).toList());
        assertEquals(3, struct.byteSize());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    "r24" | [1, 2, 255] | 0102ff
                    "r24" | "AQL/" | 0102ff
                    {"name": "null_terminated_bytes", "configuration": {"length_bytes": 3}} | "YWI=" | 616200
                    {"name": "fixed_length_utf32", "configuration": {"length_bytes": 8}} | "é" | e900000000000000
                    {"name": "fixed_length_utf32", "configuration": {"length_bytes": 8}} | "😀" | 00f6010000000000
                    {"name": "numpy.datetime64", "configuration": {"unit": "s", "scale_factor": 1}} | "NaT" | 0000000000000080
                    {"name": "numpy.datetime64", "configuration": {"unit": "s", "scale_factor": 1}} | -1 | ffffffffffffffff
                    "string" | "é" | c3a9
                    "int16" | false | 0000
                    "int16" | true | 0100
                    "uint64" | true | 0100000000000000
                    "float32" | true | 0000803f
                    "float64" | false | 0000000000000000
                    "bytes" | [0, 255] | 00ff
                    "bytes" | "AP8=" | 00ff
                    """)
    void readsFillValues(String type, String fill, String expected) {
        byte[] element = parse(type).fillValue(json(fill));
        assertEquals(expected, HexFormat.of().formatHex(element));
        Object again = json(written(parse(type).fillValueToJson(element)));
        assertArrayEquals(element, parse(type).fillValue(again));
    }

    /** NumPy stores them like any other character; Java's encoder would replace them. */
    @Test
    void textKeepsHalvesOfSurrogatePairs() {
        FixedLengthType type = new FixedLengthType(FixedLengthType.Kind.UTF32, 12);
        byte[] element = type.fillValue("a\ud800b");
        assertEquals("6100000000d8000062000000", HexFormat.of().formatHex(element));
        assertEquals("a\ud800b", type.text(element));
        assertEquals("a\ud800b", type.fillValueToJson(element));
    }

    @Test
    void textHasNoCharactersAboveTheLastOne() {
        FixedLengthType type = new FixedLengthType(FixedLengthType.Kind.UTF32, 8);
        byte[] last = HexFormat.of().parseHex("61000000ffff1000");
        assertEquals("a\udbff\udfff", type.text(last));
        byte[] beyond = HexFormat.of().parseHex("6100000000001100");
        IllegalArgumentException e =
                assertThrows(IllegalArgumentException.class, () -> type.text(beyond));
        assertEquals("character 1 is U+110000, the last one there is is U+10FFFF", e.getMessage());
        Object json = type.fillValueToJson(beyond);
        assertArrayEquals(beyond, type.fillValue(json), "nothing is lost on the way");
    }

    @Test
    void timesHaveAScaleOfAtLeastOne() {
        String type =
                "{\"name\": \"numpy.timedelta64\", \"configuration\": {\"unit\": \"s\","
                        + " \"scale_factor\": %s}}";
        assertEquals(1, ((TemporalType) parse(type.formatted("1"))).scaleFactor());
        assertEquals(
                Integer.MAX_VALUE,
                ((TemporalType) parse(type.formatted("2147483647"))).scaleFactor());
        for (String refused : List.of("0", "-1", "2147483648")) {
            assertThrows(
                    IllegalArgumentException.class, () -> parse(type.formatted(refused)), refused);
        }
        assertThrows(
                IllegalArgumentException.class,
                () -> new TemporalType(TemporalType.Kind.DATETIME, "s", 0));
        assertEquals(1, new TemporalType(TemporalType.Kind.DATETIME, "s", 1).scaleFactor());
    }

    @Test
    void readsTheFillValueOfAStruct() {
        DataType type = parse(STRUCT);
        byte[] element = type.fillValue(json("{\"x\": 1.0, \"t\": 2, \"in\": {\"flag\": true}}"));
        assertEquals("0000803f020000000000000001", HexFormat.of().formatHex(element));
        assertArrayEquals(element, type.fillValue(type.fillValueToJson(element)));
        assertArrayEquals(element, type.fillValue(json("\"AACAPwIAAAAAAAAAAQ==\"")));
        assertEquals(
                List.of(new ByteOrderRun(0, 4, 1), new ByteOrderRun(4, 8, 1)),
                ByteOrderRun.of(type));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    7 | must be a name, or an object with a name
                    {"name": "string", "configuration": 7} | has a configuration that is no object
                    "r12" | has 12 bits, expected a multiple of 8
                    "r0" | is "r0", which is not known; a provider (io.zarrengine.zarr.datatype.DataTypeProvider) can add it
                    {"name": "fixed_length_utf32", "configuration": {"length_bytes": 6}} | expected a multiple of 4
                    {"name": "fixed_length_utf32"} | has the length_bytes null, expected a whole number
                    {"name": "fixed_length_utf32", "configuration": {"length_bytes": 2147483644}} | has elements of
                    {"name": "numpy.datetime64", "configuration": {"scale_factor": 1}} | unit "null", expected one of
                    {"name": "numpy.datetime64", "configuration": {"unit": "s", "scale_factor": 0}} | scale_factor 0
                    {"name": "struct", "configuration": {"fields": []}} | has no list of fields
                    {"name": "struct", "configuration": {"fields": [{"name": "x"}]}} | must be a name
                    {"name": "struct", "configuration": {"fields": [["x", "string"]]}} | has a type without a fixed size
                    {"name": "struct", "configuration": {"fields": [["x", "int8"], ["x", "int8"]]}} | has two fields "x"
                    """)
    void refuses(String text, String problem) {
        IllegalArgumentException e =
                assertThrows(IllegalArgumentException.class, () -> parse(text));
        assertTrue(e.getMessage().contains(problem), e::getMessage);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    "r24" | "AQI=" | it has 2 bytes, an element 3
                    "r24" | [256, 0, 0] | expected numbers from 0 to 255
                    "r24" | "?" | expected base64
                    {"name": "fixed_length_utf32", "configuration": {"length_bytes": 4}} | "ab" | it has 8 bytes
                    "string" | 7 | expected a string
                    "bytes" | {} | expected base64, or numbers
                    """)
    void refusesFillValues(String type, String fill, String problem) {
        IllegalArgumentException e =
                assertThrows(
                        IllegalArgumentException.class, () -> parse(type).fillValue(json(fill)));
        assertTrue(e.getMessage().contains(problem), e::getMessage);
    }

    @Test
    void aProviderAddsAType() {
        DataTypeProvider provider =
                (name, configuration) ->
                        name.equals("rgb")
                                ? Optional.of(
                                        new FixedLengthType(
                                                FixedLengthType.Kind.RAW,
                                                ((Long) configuration.get("depth")).intValue()))
                                : Optional.empty();
        DataTypes types = DataTypes.with(List.of(provider));
        assertEquals(3, types.named("rgb", Map.of("depth", 3L)).byteSize());
        assertEquals(NumericType.INT8, types.parse("int8"));
        assertThrows(IllegalArgumentException.class, () -> types.parse("cmyk"));
    }

    /** Metadata must not make the engine list a billion units. */
    @Test
    void refusesAStructOfTooManyFields() {
        StructType.Field one = new StructType.Field("a", NumericType.INT16);
        StructType.Field many =
                new StructType.Field(
                        "b",
                        new StructType(List.of(one)),
                        List.of(1 << 10, 1 << 10),
                        Optional.empty());
        StructType struct = new StructType(List.of(many));
        assertThrows(IllegalArgumentException.class, () -> ByteOrderRun.of(struct));
    }
}
