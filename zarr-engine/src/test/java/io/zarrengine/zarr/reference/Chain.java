package io.zarrengine.zarr.reference;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Codecs of a chunk, undone one after the other.
 *
 * @param arraySteps in the order of encoding
 * @param serializer array to bytes
 * @param bytesSteps in the order of encoding
 */
record Chain(List<ArrayStep> arraySteps, Serializer serializer, List<BytesStep> bytesSteps) {
    /** Parses the codecs of version 3. */
    static Chain parse(List<?> codecs, ReferenceType ofArray, int[] ofChunk, byte[] fillOfArray) {
        ReferenceType type = ofArray;
        byte[] fill = fillOfArray;
        int[] shape = ofChunk;
        List<ArrayStep> arraySteps = new ArrayList<>();
        Serializer serializer = null;
        List<BytesStep> bytesSteps = new ArrayList<>();
        for (Object json : codecs) {
            Map<?, ?> codec = (Map<?, ?>) json;
            String name = ((String) codec.get("name")).replace("numcodecs.", "");
            Map<?, ?> configuration = configuration(codec);
            ArrayStep step = ArrayStep.parse(name, configuration, type, shape);
            if (serializer != null) {
                int size = type.isVariable() ? 16 : ofArray.size();
                bytesSteps.add(BytesStep.parse(name, configuration, size));
            } else if (step != null) {
                arraySteps.add(step);
                fill = step.encodeFill(fill);
                type = step.type();
                shape = step.shape();
            } else if (codec.get("name").equals("numcodecs.packbits")) {
                serializer = new Serializer.PackedBooleans(Shapes.product(shape));
            } else {
                serializer = serializer(name, codec, type, shape, fill);
            }
            boolean bytesFollow = codec.get("name").equals("numcodecs.packbits");
            if (bytesFollow) {
                // A "bytes" codec stores its bytes, and has nothing to do.
                return parseBehind(arraySteps, serializer, codecs, codecs.indexOf(json) + 2);
            }
        }
        return new Chain(arraySteps, serializer, bytesSteps);
    }

    private static Chain parseBehind(
            List<ArrayStep> arraySteps, Serializer serializer, List<?> codecs, int from) {
        List<BytesStep> bytesSteps = new ArrayList<>();
        for (Object json : codecs.subList(from, codecs.size())) {
            Map<?, ?> codec = (Map<?, ?>) json;
            String name = ((String) codec.get("name")).replace("numcodecs.", "");
            bytesSteps.add(BytesStep.parse(name, configuration(codec), 1));
        }
        return new Chain(arraySteps, serializer, bytesSteps);
    }

    private static Map<?, ?> configuration(Map<?, ?> codec) {
        return codec.get("configuration") instanceof Map<?, ?> map ? map : Map.of();
    }

    static boolean isBig(Map<?, ?> bytesCodec) {
        return "big".equals(configuration(bytesCodec).get("endian"));
    }

    private static Serializer serializer(
            String name, Map<?, ?> codec, ReferenceType type, int[] shape, byte[] fill) {
        int count = Shapes.product(shape);
        return switch (name) {
            case "bytes" -> new Serializer.Plain(type, count, isBig(codec));
            case "packbits" -> Serializer.PackedBits.of(type, count, configuration(codec));
            case "vlen-utf8", "vlen-bytes", "vlen-array" ->
                    new Serializer.LengthPrefixed(type, count);
            case "json2" -> new Serializer.JsonList(type, shape);
            case "sharding_indexed" -> Shard.of(configuration(codec), type, shape, fill);
            default -> throw new IllegalArgumentException(name);
        };
    }

    /** Returns an encoded chunk of random content. */
    byte[] random(SplittableRandom random, RandomElements elements) {
        byte[] chunk = serializer.random(random, elements);
        for (BytesStep step : bytesSteps) {
            chunk = step.encode(chunk);
        }
        return chunk;
    }

    /** Returns the elements of an encoded chunk, in C order. */
    byte[][] decode(byte[] encoded) {
        byte[] chunk = encoded;
        for (BytesStep step : bytesSteps.reversed()) {
            chunk = step.decode(chunk);
        }
        byte[][] elements = serializer.decode(chunk);
        for (ArrayStep step : arraySteps.reversed()) {
            elements = step.decode(elements);
        }
        return elements;
    }
}
