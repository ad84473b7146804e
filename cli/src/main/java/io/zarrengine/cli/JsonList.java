package io.zarrengine.cli;

import io.zarrengine.zarr.VariableLengthTensor;
import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.datatype.VariableLengthType;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/**
 * Writes elements of variable length as one flat JSON list in C order: text as strings, byte
 * strings as base64, JSON values as they are, arrays as lists of numbers.
 */
final class JsonList {
    private JsonList() {}

    static void write(VariableLengthTensor tensor, OutputStream out) throws IOException {
        out.write('[');
        for (long i = 0; i < tensor.size(); i++) {
            if (i > 0) {
                out.write(", ".getBytes(StandardCharsets.US_ASCII));
            }
            out.write(element(tensor, i));
        }
        out.write("]\n".getBytes(StandardCharsets.US_ASCII));
    }

    private static byte[] element(VariableLengthTensor tensor, long index) {
        byte[] bytes = tensor.bytes(index);
        Object value =
                switch (tensor.dataType().kind()) {
                    case JSON -> null;
                    case STRING -> tensor.string(index);
                    case BYTES -> Base64.getEncoder().encodeToString(bytes);
                    case ARRAY -> numbers(tensor.dataType(), bytes);
                };
        return value == null ? bytes : CommandJson.line(value).getBytes(StandardCharsets.UTF_8);
    }

    private static List<Object> numbers(VariableLengthType type, byte[] bytes) {
        NumericType item = type.item();
        List<Object> numbers = new ArrayList<>();
        for (int at = 0; at + item.byteSize() <= bytes.length; at += item.byteSize()) {
            numbers.add(item.fillValueToJson(Arrays.copyOfRange(bytes, at, at + item.byteSize())));
        }
        return numbers;
    }
}
