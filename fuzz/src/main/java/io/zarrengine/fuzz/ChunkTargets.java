package io.zarrengine.fuzz;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.zarrengine.zarr.codec.Workspace;
import io.zarrengine.zarr.datatype.DataTypes;
import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.filter.Categories;
import io.zarrengine.zarr.json.JsonFields;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.MetadataReader;
import io.zarrengine.zarr.pipeline.ArrayPipeline;
import io.zarrengine.zarr.pipeline.ChunkPipeline;
import io.zarrengine.zarr.pipeline.ChunkPipeline.Serializer;
import io.zarrengine.zarr.pipeline.FilterChain;
import io.zarrengine.zarr.pipeline.ShardIndexCodec;
import io.zarrengine.zarr.pipeline.VariableLengthElements;
import io.zarrengine.zarr.pipeline.VariableLengthLayout;
import io.zarrengine.zarr.shard.ShardIndex;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Targets for the content of chunks besides compressed bytes. They may refuse an input only with a
 * {@link CodecException}.
 */
final class ChunkTargets {
    private static final Workspace WORKSPACE = new Workspace();

    /** Types of the numbers that stand for labels. */
    private static final List<String> NUMBERS = List.of("|u1", "<i2", ">u2", ">i4", "<u8", ">i8");

    private static final List<ChunkPipeline> FILTERED =
            List.of(
                    filtered("bool", "packbits", "{}"),
                    filtered("int4", "packbits", "{'padding_encoding':'first_byte'}"),
                    filtered("complex64", "packbits", "{'padding_encoding':'last_byte'}"),
                    filtered("int32", "packbits", "{'first_bit':3,'last_bit':20}"),
                    behind("bool", "numcodecs.packbits", "{}"),
                    behind("int32", "numcodecs.delta", "{'dtype':'<i4','astype':'<i2'}"),
                    behind("float32", "numcodecs.delta", "{'dtype':'<f4'}"),
                    behind(
                            "float64",
                            "numcodecs.fixedscaleoffset",
                            "{'dtype':'<f8','astype':'<i2','scale':10,'offset':3}"),
                    behind(
                            "uint64",
                            "numcodecs.astype",
                            "{'encode_dtype':'<f4','decode_dtype':'<u8'}"),
                    behind("int8", "scale_offset", "{'scale':3,'offset':100}"),
                    behind("float16", "scale_offset", "{'scale':0.1,'offset':1}"),
                    behind("uint8", "cast_value", "{'data_type':'float32'}"),
                    behind(
                            "int16",
                            "cast_value",
                            "{'data_type':'float64','out_of_range':'wrap','rounding':'towards-zero'}"),
                    behind(
                            "float32",
                            "cast_value",
                            "{'data_type':'uint8','scalar_map':{'decode':[[255,'NaN']]}}"));

    private ChunkTargets() {}

    private static ChunkPipeline behind(String type, String codec, String configuration) {
        return pipeline(
                type,
                codec(codec, configuration) + ",{'name':'bytes','configuration':{'endian':'big'}}");
    }

    private static ChunkPipeline filtered(String type, String codec, String configuration) {
        return pipeline(type, codec(codec, configuration));
    }

    private static String codec(String name, String configuration) {
        return "{'name':'" + name + "','configuration':" + configuration + "}";
    }

    private static ChunkPipeline pipeline(String type, String codecs) {
        String text =
                ("{'zarr_format':3,'node_type':'array','shape':[21],'data_type':'"
                                + type
                                + "','chunk_grid':{'name':'regular','configuration':{'chunk_shape':[21]}},"
                                + "'chunk_key_encoding':{'name':'default'},'fill_value':"
                                + (type.equals("bool")
                                        ? "false"
                                        : type.startsWith("c") ? "[0,0]" : "0")
                                + ",'codecs':["
                                + codecs
                                + "]}")
                        .replace('\'', '"');
        byte[] document = text.getBytes(StandardCharsets.UTF_8);
        ArrayMetadata array =
                (ArrayMetadata) MetadataReader.read("filters", document, DataTypes.builtIn());
        return new ArrayPipeline("filters", array).largest();
    }

    /** Input: the filters, then their stored bytes. */
    static void filters(byte[] input) {
        if (input.length == 0) {
            return;
        }
        ChunkPipeline pipeline = FILTERED.get((input[0] & 0xff) % FILTERED.size());
        Serializer.Filtered filtered = (Serializer.Filtered) pipeline.serializer();
        byte[] stored = Arrays.copyOfRange(input, 1, 1 + (int) filtered.storedBytes());
        try {
            MemorySegment decoded =
                    FilterChain.decode(
                            filtered.filters(),
                            MemorySegment.ofArray(stored),
                            pipeline.decodedBytes(),
                            WORKSPACE);
            if (decoded.byteSize() != pipeline.decodedBytes()) {
                throw new IllegalStateException("decoded to " + decoded.byteSize() + " bytes");
            }
        } catch (CodecException e) {
            checkReason(e);
        }
    }

    /**
     * Input: the encoding of the index, the size of the shard, then the index, cut to whole rows.
     */
    static void shardIndex(byte[] input) {
        if (input.length < 3) {
            return;
        }
        boolean big = (input[0] & 1) != 0;
        boolean checksum = (input[0] & 2) != 0;
        int shardBytes = (input[1] & 0xff) << 8 | (input[2] & 0xff);
        int rows = (input.length - 3) / ShardIndexCodec.ENTRY_BYTES;
        ShardIndexCodec codec =
                new ShardIndexCodec(
                        false, big ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN, checksum);
        byte[] encoded = Arrays.copyOfRange(input, 3, 3 + (int) codec.encodedBytes(rows));
        try {
            ShardIndex index = ShardIndex.decode(codec, MemorySegment.ofArray(encoded), shardBytes);
            for (int chunk = 0; chunk < rows; chunk++) {
                long end = index.size(chunk) == 0 ? shardBytes : shardBytes - encoded.length;
                boolean inside =
                        !index.isPresent(chunk)
                                || (index.offset(chunk) >= 0
                                        && index.size(chunk) >= 0
                                        && index.offset(chunk) + index.size(chunk) <= end);
                if (!inside) {
                    throw new IllegalStateException("chunk " + chunk + " is outside");
                }
            }
        } catch (CodecException e) {
            checkReason(e);
        }
    }

    static void lengthPrefixed(byte[] input) {
        elements(input, new VariableLengthLayout.LengthPrefixed(true));
    }

    /** Labels stored as numbers. Input: the type of the numbers, then as for the others. */
    static void labelled(byte[] input) {
        if (input.length == 0) {
            return;
        }
        String numbers = NUMBERS.get((input[0] & 0xff) % NUMBERS.size());
        JsonFields configuration =
                JsonFields.ofCodec(
                        "fuzz",
                        Categories.ID,
                        Map.of("astype", numbers, "labels", List.of("a", "bc")));
        List<MemorySegment> labels =
                List.of(
                        MemorySegment.ofArray(new byte[] {'a'}),
                        MemorySegment.ofArray(new byte[] {'b', 'c'}));
        elements(
                Arrays.copyOfRange(input, 1, input.length),
                new VariableLengthLayout.Labelled(Categories.parse(configuration), labels));
    }

    static void json(byte[] input) {
        elements(input, new VariableLengthLayout.JsonText());
    }

    /** Input: the number of expected elements, then the chunk. */
    private static void elements(byte[] input, VariableLengthLayout layout) {
        if (input.length == 0) {
            return;
        }
        int count = input[0] & 0xff;
        MemorySegment chunk = MemorySegment.ofArray(input).asSlice(1);
        try {
            VariableLengthElements elements = VariableLengthElements.of(layout, chunk, count);
            long bytes = 0;
            for (int i = 0; i < count; i++) {
                checkText(elements.content(i));
                for (byte value : elements.content(i).toArray(JAVA_BYTE)) {
                    bytes += value == 0 ? 1 : 2;
                }
            }
            if (layout instanceof VariableLengthLayout.LengthPrefixed
                    && bytes > 2L * input.length) {
                throw new IllegalStateException("more content than there are bytes");
            }
        } catch (CodecException e) {
            checkReason(e);
        }
    }

    private static void checkReason(CodecException e) {
        if (e.getMessage().isBlank()) {
            throw new IllegalStateException("refused without a reason", e);
        }
    }

    /** Checks that the JDK too accepts the bytes as text. */
    private static void checkText(MemorySegment content) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(content.toArray(JAVA_BYTE)));
        } catch (CharacterCodingException e) {
            throw new IllegalStateException("what is no UTF-8 was accepted", e);
        }
    }
}
