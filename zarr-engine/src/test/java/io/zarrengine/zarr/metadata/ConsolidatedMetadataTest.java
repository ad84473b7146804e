package io.zarrengine.zarr.metadata;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.datatype.DataTypes;
import io.zarrengine.zarr.errors.FormatException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ConsolidatedMetadataTest {
    private static ConsolidatedMetadata of(String json) {
        return Documents.readConsolidated(Documents.group("consolidated_metadata", json))
                .orElseThrow();
    }

    private static ConsolidatedMetadata ofV2(String members) {
        String text = "{\"zarr_consolidated_format\": 1, \"metadata\": " + members + "}";
        return ConsolidatedMetadata.ofZmetadata(
                "g/.zmetadata", text.getBytes(StandardCharsets.UTF_8), DataTypes.builtIn());
    }

    @Test
    void describesTheNodesBelow() {
        String nodes = "{\"a\": " + Documents.group() + ", \"a/b\": " + Documents.array() + "}";
        ConsolidatedMetadata all =
                of(
                        "{\"kind\": \"inline\", \"must_understand\": false, \"metadata\": "
                                + nodes
                                + "}");
        assertEquals(List.of("a"), all.names());
        assertInstanceOf(GroupMetadata.class, all.node("a").orElseThrow());
        assertEquals(List.of("b"), all.below("a").names());
        ArrayMetadata array = (ArrayMetadata) all.below("a").node("b").orElseThrow();
        assertArrayEquals(new long[] {4, 6}, array.shape());
        assertEquals(Optional.empty(), all.node("b"));
    }

    @Test
    void mayBeMissingOrOfAnotherKind() {
        assertEquals(Optional.empty(), Documents.readConsolidated(Documents.group()));
        for (String json : new String[] {"null", "{\"kind\": \"elsewhere\"}"}) {
            String text = Documents.group("consolidated_metadata", json);
            assertEquals(Optional.empty(), Documents.readConsolidated(text));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    7 | consolidated_metadata is 7, expected an object
                    {} | consolidated_metadata.metadata is missing, expected an object
                    {"kind": 1} | consolidated_metadata.kind is 1, expected a string
                    {"metadata": {"b": 7}} | consolidated_metadata.metadata.b is 7, expected
                    {"metadata": {"b": {}}} | consolidated_metadata.metadata.b.zarr_format is
                    """)
    void refuses(String json, String problem) {
        assertRefused(json, "b", problem);
    }

    @Test
    void refusesAnArrayWithItsPlace() {
        String place = "consolidated_metadata.metadata.a/b";
        String negative = Documents.array("shape", "[-1, 6]");
        assertRefused("{\"metadata\": {\"a/b\": " + negative + "}}", "a/b", place + ".shape[0]");
        String flat = Documents.array("shape", "[6]");
        assertRefused("{\"metadata\": {\"a/b\": " + flat + "}}", "a/b", place + " chunk shape");
    }

    /** An unsupported array must not hide the other nodes. */
    @Test
    void aBadNodeHidesNoOther() {
        ConsolidatedMetadata all =
                of("{\"metadata\": {\"bad\": {}, \"good\": " + Documents.array() + "}}");
        assertEquals(List.of("bad", "good"), all.names());
        assertInstanceOf(ArrayMetadata.class, all.node("good").orElseThrow());
    }

    private static void assertRefused(String json, String node, String problem) {
        FormatException e = assertThrows(FormatException.class, () -> of(json).node(node));
        assertTrue(e.getMessage().startsWith(Documents.NAME + ": " + problem), e::getMessage);
    }

    @Test
    void describesNodesOfVersion2() {
        String array =
                """
                {"zarr_format": 2, "shape": [5], "chunks": [2], "dtype": "<i4", "order": "C",
                 "fill_value": 0, "compressor": null, "filters": null}
                """;
        ConsolidatedMetadata all =
                ofV2(
                        "{\".zgroup\": {\"zarr_format\": 2}, \"a/.zgroup\": {\"zarr_format\": 2},"
                                + " \"a/b/.zarray\": "
                                + array
                                + ", \"a/b/.zattrs\": {\"units\": \"K\"}}");
        assertEquals(List.of("a"), all.names());
        assertInstanceOf(GroupMetadata.class, all.node("a").orElseThrow());
        NodeMetadata node = all.below("a").node("b").orElseThrow();
        assertEquals("K", node.attributes().get("units"));
        assertEquals(List.of("b"), all.below("a").names());
        assertEquals(Optional.empty(), all.node("c"));
    }
}
