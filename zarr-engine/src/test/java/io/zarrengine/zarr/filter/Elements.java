package io.zarrengine.zarr.filter;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.json.Json;
import io.zarrengine.zarr.json.JsonFields;
import io.zarrengine.zarr.metadata.MetadataWriter;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Chunks whose elements are written as JSON: {@code [1, "NaN"]}. */
final class Elements {
    private Elements() {}

    /** Returns elements of a type in memory, at an odd address. */
    static MemorySegment of(NumericType type, String json) {
        List<?> values = (List<?>) Json.parse("test", json.getBytes(StandardCharsets.UTF_8));
        byte[] bytes = new byte[1 + values.size() * type.byteSize()];
        for (int i = 0; i < values.size(); i++) {
            byte[] element = type.fillValue(values.get(i));
            System.arraycopy(element, 0, bytes, 1 + i * element.length, element.length);
        }
        return MemorySegment.ofArray(bytes).asSlice(1);
    }

    /** Returns elements in memory as JSON. */
    static String show(NumericType type, MemorySegment elements) {
        byte[] bytes = elements.toArray(ValueLayout.JAVA_BYTE);
        List<Object> values = new ArrayList<>();
        for (int at = 0; at < bytes.length; at += type.byteSize()) {
            values.add(type.fillValueToJson(Arrays.copyOfRange(bytes, at, at + type.byteSize())));
        }
        return new String(MetadataWriter.toJson(values, false), StandardCharsets.UTF_8);
    }

    /** Returns the codec with this name and configuration for elements of a type. */
    static ArrayFilterRegistry.Step parse(
            String name, String configuration, NumericType type, long n) {
        return ArrayFilterRegistry.parse(name, fields(name, configuration), type, n);
    }

    @SuppressWarnings("unchecked") // The parser makes no other maps.
    static JsonFields fields(String name, String configuration) {
        Object json = Json.parse("test", configuration.getBytes(StandardCharsets.UTF_8));
        return JsonFields.ofCodec("zarr.json", name, (Map<String, Object>) json);
    }

    /** Asserts the output of a filter, between guard bytes. */
    static void assertDecodes(
            ArrayFilter filter, MemorySegment encoded, NumericType type, String expected)
            throws CodecException {
        MemorySegment wanted = of(type, expected);
        assertEquals(filter.encodedBytes(), encoded.byteSize());
        byte[] memory = new byte[(int) wanted.byteSize() + 17];
        Arrays.fill(memory, (byte) 0x5a);
        MemorySegment target = MemorySegment.ofArray(memory).asSlice(9, wanted.byteSize());
        filter.decode(encoded, target, new BlockArrays());
        assertEquals(show(type, wanted), show(type, target));
        for (int i = 0; i < 17; i++) {
            assertEquals(0x5a, memory[i < 9 ? i : memory.length - 17 + i], "guard " + i);
        }
    }
}
