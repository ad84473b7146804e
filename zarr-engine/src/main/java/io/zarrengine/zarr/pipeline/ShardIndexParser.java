package io.zarrengine.zarr.pipeline;

import io.zarrengine.zarr.codec.checksum.Crc32cCodec;
import io.zarrengine.zarr.json.JsonFields;
import io.zarrengine.zarr.metadata.CodecSpec;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Parses the form of the index from the configuration of {@code sharding_indexed}. */
final class ShardIndexParser {
    private static final long NUMBERS_OF_CHUNK = 2; // offset and size

    private ShardIndexParser() {}

    /**
     * {@return the form of the index}
     *
     * @param configuration of the sharding codec
     * @param document the metadata document, for messages
     * @param chunksPerShard inner chunks along each dimension
     * @throws io.zarrengine.zarr.errors.FormatException if it is not valid, or the index has no
     *     fixed size
     */
    static ShardIndexCodec parse(
            JsonFields configuration, String document, List<Long> chunksPerShard) {
        List<CodecSpec> specs = configuration.extensions("index_codecs", CodecSpec::new);
        int bytes = 0; // position of the bytes codec
        while (bytes < specs.size() && specs.get(bytes).name().equals("transpose")) {
            bytes++;
        }
        if (bytes == specs.size() || !specs.get(bytes).name().equals("bytes")) {
            throw configuration.error(
                    "index_codecs", "must be bytes, behind transpose or at the beginning");
        }
        List<CodecSpec> behind = specs.subList(bytes + 1, specs.size());
        boolean checksum = behind.size() == 1 && behind.getFirst().name().equals(Crc32cCodec.NAME);
        if (!checksum && !behind.isEmpty()) {
            throw configuration.error(
                    "index_codecs",
                    "may have nothing but crc32c behind bytes: an index of unknown size cannot be"
                            + " found");
        }
        ByteOrder order =
                PipelineParser.byteOrder(PipelineParser.fields(document, specs.get(bytes)));
        return new ShardIndexCodec(
                atStart(configuration),
                order,
                checksum,
                order(specs.subList(0, bytes), document, chunksPerShard));
    }

    private static Optional<IndexOrder> order(
            List<CodecSpec> transposes, String document, List<Long> chunksPerShard) {
        List<Long> shape = new ArrayList<>(chunksPerShard);
        shape.add(NUMBERS_OF_CHUNK);
        int[] order = IntStream.range(0, shape.size()).toArray();
        for (CodecSpec transpose : transposes) {
            order = Transpose.after(order, PipelineParser.fields(document, transpose));
        }
        List<Integer> dimensions = IntStream.of(order).boxed().toList();
        boolean isPlain = dimensions.equals(IntStream.range(0, order.length).boxed().toList());
        return isPlain
                ? Optional.empty()
                : Optional.of(new IndexOrder(List.copyOf(shape), dimensions));
    }

    private static boolean atStart(JsonFields configuration) {
        String location = configuration.string("index_location", "end");
        return switch (location) {
            case "start" -> true;
            case "end" -> false;
            default ->
                    throw configuration.error(
                            "index_location",
                            "is \"" + location + "\", expected \"start\" or \"end\"");
        };
    }
}
