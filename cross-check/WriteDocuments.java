import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.zarrengine.zarr.ArrayWriter;
import io.zarrengine.zarr.ZarrEngine;
import io.zarrengine.zarr.datatype.DataType;
import io.zarrengine.zarr.datatype.FixedLengthType;
import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.datatype.StructType;
import io.zarrengine.zarr.datatype.TemporalType;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.ChunkKeyEncoding;
import io.zarrengine.zarr.metadata.CodecSpec;
import io.zarrengine.zarr.metadata.GroupMetadata;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Writes an array for each member that a document may have, for other implementations to read. Only
 * the first chunk of each is written; the rest is the fill value. Run by bin/cross-check.
 */
final class WriteDocuments {
    private static final Map<NumericType, List<Object>> FILLS =
            Map.of(
                    NumericType.BOOL, List.of(true, false),
                    NumericType.INT8, List.of(-128, 127),
                    NumericType.INT64, List.of(Long.MIN_VALUE, Long.MAX_VALUE),
                    NumericType.UINT64, List.of(new java.math.BigInteger("18446744073709551615")),
                    NumericType.FLOAT16, List.of(-1.5, "NaN", "Infinity"),
                    NumericType.FLOAT32, List.of(0.1, -0.0, "NaN", "-Infinity", "0x7fc00001"),
                    NumericType.FLOAT64, List.of(0.1, 1e300, 5e-324, "NaN", "Infinity", "-Infinity"),
                    NumericType.COMPLEX64, List.of(List.of(1.5, "NaN"), List.of(-0.0, "Infinity")),
                    NumericType.COMPLEX128, List.of(List.of(0.1, -2)));

    private static final CodecSpec BIG = new CodecSpec("bytes", Map.of("endian", "big"));

    private final ZarrEngine engine;
    private final Path folder;

    private WriteDocuments(ZarrEngine engine, Path folder) {
        this.engine = engine;
        this.folder = folder;
    }

    /** Argument: folder. */
    public static void main(String[] arguments) {
        try (ZarrEngine engine = ZarrEngine.open()) {
            WriteDocuments documents = new WriteDocuments(engine, Path.of(arguments[0]));
            documents.types();
            documents.codecs();
            documents.shapes();
            documents.others();
        }
    }

    private void types() {
        for (NumericType type : NumericType.values()) {
            write("type-" + type.typeName(), ArrayMetadata.builder(type, 5));
            List<Object> fills = FILLS.getOrDefault(type, List.of());
            for (int i = 0; i < fills.size(); i++) {
                String name = "fill-" + type.typeName() + "-" + i;
                write(name, ArrayMetadata.builder(type, 5).fillValue(fills.get(i)));
            }
        }
        for (String unit : List.of("Y", "D", "s", "ns", "generic")) {
            for (TemporalType.Kind kind : TemporalType.Kind.values()) {
                TemporalType type = new TemporalType(kind, unit, unit.equals("s") ? 10 : 1);
                String name = (kind + "-" + unit).toLowerCase(java.util.Locale.ROOT);
                write("type-" + name, ArrayMetadata.builder(type, 5));
                write("fill-" + name, ArrayMetadata.builder(type, 5).fillValue("NaT"));
            }
        }
        for (FixedLengthType.Kind kind : FixedLengthType.Kind.values()) {
            DataType type = new FixedLengthType(kind, 8);
            String name = kind.toString().toLowerCase(java.util.Locale.ROOT);
            write("type-" + name, ArrayMetadata.builder(type, 5));
        }
        StructType struct =
                new StructType(
                        List.of(
                                new StructType.Field("a", NumericType.INT32),
                                new StructType.Field("b", NumericType.FLOAT64)));
        write("type-struct", ArrayMetadata.builder(struct, 5));
    }

    private void codecs() {
        CodecSpec little = CodecSpec.bytes();
        Map<String, List<CodecSpec>> chains =
                Map.ofEntries(
                        Map.entry("big", List.of(BIG)),
                        Map.entry("gzip", List.of(little, CodecSpec.gzip(9))),
                        Map.entry("gzip-default", List.of(little, new CodecSpec("gzip", Map.of()))),
                        Map.entry("zstd", List.of(little, CodecSpec.zstd(3))),
                        Map.entry("zstd-default", List.of(little, new CodecSpec("zstd", Map.of()))),
                        Map.entry(
                                "zstd-negative",
                                List.of(
                                        little,
                                        new CodecSpec(
                                                "zstd", Map.of("level", -5, "checksum", true)))),
                        Map.entry("crc32c", List.of(little, CodecSpec.crc32c())),
                        Map.entry("two", List.of(BIG, CodecSpec.gzip(1), CodecSpec.crc32c())),
                        Map.entry("transpose", List.of(CodecSpec.transpose(1, 0), little)),
                        Map.entry("shard", List.of(CodecSpec.sharding(new long[] {2, 3}, little))),
                        Map.entry(
                                "shard-zstd",
                                List.of(
                                        CodecSpec.sharding(
                                                new long[] {1, 3},
                                                CodecSpec.transpose(1, 0),
                                                BIG,
                                                CodecSpec.zstd(1),
                                                CodecSpec.crc32c()))),
                        Map.entry("shard-start", List.of(sharded("start"))),
                        // Documents that are read leniently are written in the form that all
                        // readers accept.
                        Map.entry(
                                "transpose-F",
                                List.of(
                                        new CodecSpec("transpose", Map.of("order", "F")), little)),
                        Map.entry(
                                "shuffle-0",
                                List.of(
                                        little,
                                        new CodecSpec("shuffle", Map.of("elementsize", 0)),
                                        new CodecSpec(
                                                "zlib", Map.of("level", 1, "acceleration", 7)))),
                        Map.entry(
                                "shard-shuffle",
                                List.of(
                                        CodecSpec.sharding(
                                                new long[] {2, 3},
                                                new CodecSpec("transpose", Map.of("order", "F")),
                                                little,
                                                new CodecSpec("numcodecs.shuffle", Map.of()),
                                                new CodecSpec("lz4", Map.of("level", "4"))))),
                        Map.entry(
                                "lzma",
                                List.of(
                                        little,
                                        new CodecSpec(
                                                "numcodecs.lzma", Map.of("filters", List.of())))),
                        Map.entry(
                                "shard-nested",
                                List.of(
                                        CodecSpec.sharding(
                                                new long[] {2, 3},
                                                CodecSpec.sharding(new long[] {1, 3}, little)))));
        chains.forEach((name, chain) ->
                write(
                        "codecs-" + name,
                        ArrayMetadata.builder(NumericType.INT16, 5, 6)
                                .chunkShape(4, 3)
                                .codecs(chain)));
    }

    private static CodecSpec sharded(String location) {
        Map<String, Object> members = new HashMap<>();
        members.put("chunk_shape", List.of(2L, 3L));
        members.put("codecs", List.of(Map.of("name", "bytes", "configuration", Map.of("endian", "little"))));
        members.put("index_codecs", List.of(Map.of("name", "bytes", "configuration", Map.of("endian", "little")), "crc32c"));
        members.put("index_location", location);
        return new CodecSpec("sharding_indexed", members);
    }

    private void shapes() {
        write("shape-0d", ArrayMetadata.builder(NumericType.INT16));
        write("shape-empty", ArrayMetadata.builder(NumericType.INT16, 0, 3).chunkShape(2, 3));
        write("shape-8d", ArrayMetadata.builder(NumericType.INT16, 2, 1, 2, 1, 2, 1, 2, 3));
        write(
                "shape-large",
                ArrayMetadata.builder(NumericType.INT8, 1L << 40).chunkShape(1 << 20));
    }

    private void others() {
        for (ChunkKeyEncoding.Style style : ChunkKeyEncoding.Style.values()) {
            for (String separator : List.of("/", ".")) {
                String name = style + (separator.equals("/") ? "-slash" : "-dot");
                write(
                        "keys-" + name.toLowerCase(java.util.Locale.ROOT),
                        ArrayMetadata.builder(NumericType.INT16, 5, 6)
                                .chunkShape(2, 3)
                                .chunkKeyEncoding(new ChunkKeyEncoding(style, separator)));
            }
        }
        Map<String, Object> attributes = new HashMap<>();
        attributes.put("title", "水 \u00df \ud83d\ude00 \"\\\u0000");
        attributes.put("null", null);
        attributes.put("nested", Map.of("list", List.of(1, 2.5, true, List.of()), "empty", Map.of()));
        attributes.put("large", List.of(Long.MAX_VALUE, 1e300, -0.0));
        write(
                "attributes",
                ArrayMetadata.builder(NumericType.INT16, 5, 6)
                        .attributes(attributes)
                        .dimensionNames(Arrays.asList("time", null)));
        engine.createGroup(folder.resolve("document-group"), new GroupMetadata(attributes));
        engine.createGroup(folder.resolve("document-group-empty"), new GroupMetadata(Map.of()));
    }

    private void write(String name, ArrayMetadata.Builder builder) {
        ArrayMetadata metadata = builder.build();
        ArrayWriter writer = engine.createArray(folder.resolve("document-" + name), metadata);
        if (Arrays.stream(writer.gridShape()).anyMatch(length -> length == 0)) {
            return;
        }
        boolean isFill = Set.of("fill", "shape-large").stream().anyMatch(name::startsWith);
        if (isFill) {
            return; // Only the fill value is read.
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment elements = arena.allocate(writer.chunkBytes(), 8);
            int size = metadata.dataType().byteSize();
            for (long at = 0; at < elements.byteSize(); at += size) {
                elements.set(JAVA_BYTE, at, (byte) (at / size % 2));
            }
            writer.writeChunk(new long[metadata.rank()], elements);
        }
    }
}
