package io.zarrengine.zarr.pipeline;

import io.zarrengine.zarr.codec.BytesCodec;
import io.zarrengine.zarr.datatype.ByteOrderRun;
import io.zarrengine.zarr.datatype.DataType;
import io.zarrengine.zarr.errors.FormatException;
import io.zarrengine.zarr.extension.BytesDecoder;
import io.zarrengine.zarr.extension.CodecProvider;
import io.zarrengine.zarr.filter.ArrayFilterRegistry;
import io.zarrengine.zarr.json.JsonFields;
import io.zarrengine.zarr.json.Numcodecs;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import io.zarrengine.zarr.pipeline.ChunkPipeline.Serializer;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Builds the {@link ChunkPipeline} of an array from its metadata. Refuses every invalid codec
 * configuration, before any chunk is read.
 */
public final class PipelineParser {
    /** Largest decoded chunk in bytes; a small multiple still fits in 63 bits. */
    private static final long CHUNK_BYTES_MAX = 1L << 48;

    /** Most inner chunks of a shard: an index of 1 GiB. */
    private static final long CHUNKS_PER_SHARD_MAX = 1L << 26;

    private static final String SHARDING = "sharding_indexed";

    private final String document;
    private final DataType dataType;
    private final MemorySegment fill; // in native byte order

    private final int zarrFormat;
    private final CodecOptions options;

    private PipelineParser(
            String document,
            DataType dataType,
            MemorySegment fill,
            int zarrFormat,
            CodecOptions options) {
        this.document = document;
        this.dataType = dataType;
        this.fill = fill;
        this.zarrFormat = zarrFormat;
        this.options = options;
    }

    /**
     * {@return the pipeline of an array's chunks of one shape}
     *
     * @param document the metadata document, for messages
     * @param array the array
     * @param chunkShape the shape of a chunk
     * @param options providers of codecs, and whether chunks will be written
     * @throws FormatException if a codec is not known, or the chain is not valid
     */
    static ChunkPipeline parse(
            String document, ArrayMetadata array, long[] chunkShape, CodecOptions options) {
        PipelineParser parser =
                new PipelineParser(
                        document,
                        array.dataType(),
                        fillElement(array),
                        array.zarrFormat(),
                        options);
        long chunkBytes = array.dataType().byteSize();
        for (long length : chunkShape) {
            chunkBytes *= length; // fits in 63 bits: the metadata was checked
        }
        if (chunkBytes > CHUNK_BYTES_MAX) {
            throw parser.error("chunk_grid", "has chunks of " + chunkBytes + " bytes: too large");
        }
        List<Placed> codecs = new ArrayList<>();
        for (int i = 0; i < array.codecs().size(); i++) {
            codecs.add(new Placed(array.codecFields().get(i), array.codecs().get(i)));
        }
        return parser.pipeline("codecs", codecs, chunkShape);
    }

    /**
     * {@return the fill value of an array in native byte order; its content for a type of variable
     * length}
     *
     * @param array the array
     */
    public static MemorySegment fillElement(ArrayMetadata array) {
        byte[] element = array.fillValue();
        if (ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN) {
            ByteOrderRun.reverse(ByteOrderRun.of(array.dataType()), element);
        }
        return MemorySegment.ofArray(element).asReadOnly();
    }

    /** A codec and its place in the document. */
    private record Placed(String place, CodecSpec spec) {}

    /**
     * Returns the configuration of a codec. Version 2 has its fields beside the id, version 3 in an
     * object beside the name.
     */
    private JsonFields configuration(Placed codec) {
        return zarrFormat == 2
                ? new JsonFields(document, codec.place, codec.spec.configuration())
                : fields(document, codec.spec);
    }

    /** Returns the configuration of a codec of version 3, or of a part that only version 3 has. */
    static JsonFields fields(String document, CodecSpec codec) {
        return JsonFields.ofCodec(document, codec.name(), codec.configuration());
    }

    /** Returns a codec's name as in the document. */
    private String name(CodecSpec codec) {
        return zarrFormat == 2 ? Numcodecs.id(codec.name()) : codec.name();
    }

    private ChunkPipeline pipeline(String field, Iterable<Placed> codecs, long[] shape) {
        ArrayChain chain = new ArrayChain(dataType, shape, fill);
        List<Placed> elementwise = new ArrayList<>();
        Serializer serializer = null;
        List<BytesCodec> bytesCodecs = new ArrayList<>();
        for (Placed codec : codecs) {
            CodecSpec spec = codec.spec;
            JsonFields configuration = configuration(codec);
            if (chain.knows(spec.name())) {
                if (serializer != null) {
                    throw error(codec.place, name(spec) + " stands behind an array-to-bytes codec");
                }
                chain.add(spec.name(), configuration);
                if (ArrayFilterRegistry.knows(spec.name())) {
                    elementwise.add(codec);
                }
            } else if (isSerializer(spec.name())) {
                if (serializer != null) {
                    throw error(codec.place, name(spec) + " stands behind an array-to-bytes codec");
                }
                serializer =
                        spec.name().equals(SHARDING)
                                ? shard(codec.place, spec, chain, elementwise)
                                : chain.serializer(spec.name(), configuration);
            } else {
                BytesCodec bytesCodec = bytesCodec(codec);
                if (serializer == null) {
                    throw error(codec.place, name(spec) + " stands before an array-to-bytes codec");
                }
                bytesCodecs.add(bytesCodec);
            }
        }
        if (serializer == null) {
            throw error(field, "has no array-to-bytes codec (bytes, sharding_indexed)");
        }
        return new ChunkPipeline(
                chain.order(),
                chain.encodedShape(),
                dataType.byteSize(),
                serializer,
                List.copyOf(bytesCodecs));
    }

    private static boolean isSerializer(String name) {
        return name.equals(SHARDING) || ArrayChain.isSerializer(name);
    }

    static ByteOrder byteOrder(JsonFields configuration) {
        String endian = configuration.string("endian");
        return switch (endian) {
            case "little" -> ByteOrder.LITTLE_ENDIAN;
            case "big" -> ByteOrder.BIG_ENDIAN;
            default ->
                    throw configuration.error(
                            "endian", "is \"" + endian + "\", expected \"little\" or \"big\"");
        };
    }

    private Serializer shard(
            String place, CodecSpec spec, ArrayChain chain, List<Placed> elementwise) {
        return chain.isElementwise()
                ? shardOfChunks(place, spec, chain, elementwise)
                : filteredShard(place, spec, chain);
    }

    /**
     * Parses a shard after a codec that needs all of its elements, so the shard is read as a whole.
     */
    private Serializer filteredShard(String place, CodecSpec spec, ArrayChain chain) {
        ArrayChain stored = chain.stored();
        PipelineParser parser =
                new PipelineParser(document, stored.type(), stored.fill(), zarrFormat, options);
        return chain.filteredChunk(parser.shardOfChunks(place, spec, stored, List.of()));
    }

    private Serializer shardOfChunks(
            String place, CodecSpec spec, ArrayChain chain, List<Placed> elementwise) {
        JsonFields configuration = fields(document, spec);
        long[] shardShape = chain.encodedShape().stream().mapToLong(length -> length).toArray();
        long[] innerShape = configuration.integers("chunk_shape", 1, Long.MAX_VALUE);
        List<Long> chunksPerShard = chunksPerShard(configuration, shardShape, innerShape);
        ShardIndexCodec index = ShardIndexParser.parse(configuration, document, chunksPerShard);
        // Codecs that encode each element by itself apply within each inner chunk.
        List<Placed> codecs = new ArrayList<>(elementwise);
        List<CodecSpec> innerSpecs = configuration.extensions("codecs", CodecSpec::new);
        for (int i = 0; i < innerSpecs.size(); i++) {
            codecs.add(new Placed(place + ".codecs[" + i + "]", innerSpecs.get(i)));
        }
        ChunkPipeline inner = pipeline(place + ".codecs", codecs, innerShape);
        return new Serializer.Shard(index, chunksPerShard, inner, chain.missingElement());
    }

    private static List<Long> chunksPerShard(
            JsonFields configuration, long[] shardShape, long[] innerShape) {
        if (innerShape.length != shardShape.length) {
            throw configuration.error(
                    "chunk_shape",
                    "is "
                            + Arrays.toString(innerShape)
                            + ", which has another rank than the shard "
                            + Arrays.toString(shardShape));
        }
        List<Long> counts = new ArrayList<>();
        long chunks = 1;
        for (int i = 0; i < innerShape.length; i++) {
            if (shardShape[i] % innerShape[i] != 0) {
                throw configuration.error(
                        "chunk_shape",
                        "is "
                                + Arrays.toString(innerShape)
                                + ", which does not divide the shard "
                                + Arrays.toString(shardShape));
            }
            counts.add(shardShape[i] / innerShape[i]);
            chunks *= shardShape[i] / innerShape[i]; // at most the shard's elements: 63 bits
        }
        if (chunks > CHUNKS_PER_SHARD_MAX) {
            throw configuration.error(
                    "chunk_shape",
                    "makes " + chunks + " inner chunks a shard, at most " + CHUNKS_PER_SHARD_MAX);
        }
        return counts;
    }

    private BytesCodec bytesCodec(Placed codec) {
        return BytesCodecRegistry.parse(
                        codec.spec.name(),
                        configuration(codec),
                        dataType.byteSize(),
                        options.forWriting())
                .or(() -> provided(codec.place, codec.spec))
                .orElseThrow(() -> unknown(codec.place, codec.spec));
    }

    private Optional<BytesCodec> provided(String place, CodecSpec spec) {
        for (CodecProvider provider : options.providers()) {
            try {
                Optional<BytesDecoder> decoder =
                        provider.decoder(spec.name(), spec.configuration());
                if (decoder.isPresent()) {
                    return Optional.of(new ProvidedCodec(spec.name(), decoder.get()));
                }
            } catch (IllegalArgumentException e) {
                throw error(place, name(spec) + " " + e.getMessage());
            }
        }
        return Optional.empty();
    }

    private FormatException unknown(String place, CodecSpec spec) {
        return error(
                place,
                "names the codec \""
                        + name(spec)
                        + "\", which is not known; known are "
                        + String.join(", ", known())
                        + "; a provider ("
                        + CodecProvider.class.getName()
                        + ") can add others");
    }

    private List<String> known() {
        List<String> names = new ArrayList<>(ArrayChain.names(zarrFormat));
        if (zarrFormat > 2) {
            names.add(SHARDING);
        }
        names.addAll(BytesCodecRegistry.names());
        return names;
    }

    private FormatException error(String field, String problem) {
        return new FormatException(document, field, problem);
    }
}
