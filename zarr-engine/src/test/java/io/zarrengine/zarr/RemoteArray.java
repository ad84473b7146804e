package io.zarrengine.zarr;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import io.zarrengine.zarr.objectstore.MemoryStore;
import io.zarrengine.zarr.objectstore.ObjectStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Arrays in a store whose objects may be kept on disk, one at a time. */
final class RemoteArray {
    static final String ARRAY = "a";

    /** How the objects are opened and read. */
    enum Kind {
        /** Their indexes are at the end. */
        SHARDS,
        /** Of several MiB, with holes between what is read. */
        LARGE_SHARDS,
        /** Read as a whole by one request. */
        CHUNKS,
        /** Read in part by one request. */
        RAW,
        /** Opened first, then read in slabs. */
        LARGE_RAW,
        /** Of 16 KiB each. */
        MANY_CHUNKS
    }

    private final Path folder;
    private final MemoryStore objects = MemoryStore.create();
    private final CountedStore store = new CountedStore(objects);

    /** {@code folder}: for files that are put into the store. */
    RemoteArray(Path folder) {
        this.folder = folder;
    }

    MemoryStore objects() {
        return objects;
    }

    CountedStore store() {
        return store;
    }

    SampleArray write(Kind kind) throws IOException {
        Path local = folder.resolve(kind + "/" + ARRAY);
        try (ZarrEngine writer = ZarrEngine.open()) {
            SampleArray sample =
                    switch (kind) {
                        case SHARDS ->
                                SampleArray.writeShards(
                                        writer,
                                        local,
                                        NumericType.INT32,
                                        CodecSpec.bytes(),
                                        CodecSpec.gzip(1));
                        case LARGE_SHARDS ->
                                SampleArray.write(
                                        writer,
                                        local,
                                        ArrayMetadata.builder(NumericType.INT32, 1000, 700)
                                                .chunkShape(1000, 700)
                                                .codecs(
                                                        List.of(
                                                                CodecSpec.sharding(
                                                                        new long[] {50, 100},
                                                                        CodecSpec.bytes())))
                                                .build());
                        case CHUNKS -> write(writer, local, 100, CodecSpec.gzip(1));
                        case RAW -> write(writer, local, 100);
                        case MANY_CHUNKS ->
                                SampleArray.write(
                                        writer,
                                        local,
                                        ArrayMetadata.builder(NumericType.INT32, 1000, 700)
                                                .chunkShape(64, 64)
                                                .build());
                        case LARGE_RAW -> write(writer, local, 1600);
                    };
            objects.putAll(folder.resolve(kind.toString()));
            return sample;
        }
    }

    private static SampleArray write(
            ZarrEngine engine, Path path, long side, CodecSpec... compressors) {
        ArrayMetadata metadata =
                ArrayMetadata.builder(NumericType.INT32, side + side / 2, side)
                        .chunkShape(side, side)
                        .codecs(
                                Stream.concat(Stream.of(CodecSpec.bytes()), Stream.of(compressors))
                                        .toList())
                        .build();
        return SampleArray.write(engine, path, metadata);
    }

    /** Puts objects of other versions in the place of all; those of raw elements also differ. */
    void changeAll(Kind kind) throws IOException {
        try (Stream<Path> files = Files.walk(folder.resolve(kind.toString()))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String key = folder.resolve(kind.toString()).relativize(file).toString();
                byte[] bytes = Files.readAllBytes(file);
                if (kind != Kind.SHARDS && kind != Kind.CHUNKS) {
                    bytes[bytes.length / 2] ^= (byte) (key.endsWith("json") ? 0 : 0x55);
                }
                objects.put(key, bytes);
            }
        }
    }

    static byte[] read(ZarrEngine engine, ObjectStore store, String selection) {
        try (ZarrArray array = engine.openArray(store, ARRAY);
                HostTensor tensor = array.read(Selection.of(selection))) {
            return tensor.segment().toArray(JAVA_BYTE);
        }
    }

    byte[] read(ZarrEngine engine, String selection) {
        return read(engine, store, selection);
    }
}
