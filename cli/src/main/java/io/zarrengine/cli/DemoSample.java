package io.zarrengine.cli;

import io.zarrengine.zarr.ArrayWriter;
import io.zarrengine.zarr.Capability;
import io.zarrengine.zarr.ZarrEngine;
import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The array that the demo reads, once compressed and once not: smooth fields with noise, the same
 * on every machine.
 *
 * <p>int16, shape {@code (time, y, x, band)}, 256 MiB, in 4 shards of 64 MiB with inner chunks of
 * 64 KiB, like images for training.
 */
enum DemoSample {
    ZSTD,
    RAW;

    static final long[] SHAPE = {16, 1024, 1024, 8};
    static final long[] CROP = {4, 128, 128, 8};

    private static final long[] SHARD = {16, 512, 512, 8};
    private static final long[] INNER = {1, 64, 64, 8};

    static final long INNER_BYTES = 64 << 10;

    private static final int NOISE_MASK = 0xf;

    /** The index is at the end of a shard: offset and length of each chunk, then a checksum. */
    private static final long INDEX_ENTRY_BYTES = 2 * Long.BYTES;

    private static final long CHECKSUM_BYTES = Integer.BYTES;
    private static final ValueLayout.OfLong INDEX_NUMBER =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /** One element in this many of a crop is checked; prime, so that all bands are. */
    private static final long CHECK_STEP = 499;

    /** {@return the value at a position: waves that move with time, and noise from a hash} */
    static short value(long time, long y, long x, long band) {
        return value(waves(time, y, x), time, y, x, band);
    }

    private static double waves(long time, long y, long x) {
        return Math.sin((y + 3 * time) * 0.011)
                + Math.sin((x - 5 * time) * 0.017)
                + Math.sin((x + y) * 0.005);
    }

    private static short value(double waves, long time, long y, long x, long band) {
        long hash = ((time * 1024 + y) * 1024 + x) * 8 + band;
        hash = (hash ^ (hash >>> 15)) * 0x9e3779b97f4a7c15L;
        return (short) (500 * waves + 50 * band + ((hash >>> 40) & NOISE_MASK));
    }

    /**
     * Compares some values of a crop with the expected ones.
     *
     * @param offset the crop's first position
     * @param elements the crop, in C order
     */
    static void check(long[] offset, MemorySegment elements) {
        for (long i = 0; i < elements.byteSize() / Short.BYTES; i += CHECK_STEP) {
            long band = offset[3] + i % CROP[3];
            long x = offset[2] + i / CROP[3] % CROP[2];
            long y = offset[1] + i / CROP[3] / CROP[2] % CROP[1];
            long time = offset[0] + i / CROP[3] / CROP[2] / CROP[1];
            short actual = elements.getAtIndex(ValueLayout.JAVA_SHORT, i);
            if (actual != value(time, y, x, band)) {
                throw new AssertionError(
                        "value " + actual + " at " + List.of(time, y, x, band) + " is wrong");
            }
        }
    }

    /** {@return the ways in which this machine can store the sample} */
    static List<DemoSample> all() {
        boolean zstd =
                Capability.all().stream()
                        .anyMatch(c -> c.name().equals("libzstd") && c.available());
        return zstd ? List.of(ZSTD, RAW) : List.of(RAW);
    }

    /** {@return the name to show to the user} */
    String title() {
        return this == ZSTD ? "zstd" : "uncompressed";
    }

    /**
     * {@return the sample's folder; creates it if it is missing}
     *
     * @param cache the parent folder
     * @param progress runs if the sample must be created, which takes long
     */
    Path make(ZarrEngine engine, Path cache, Runnable progress) throws IOException {
        Path sample = cache.resolve("demo-1-" + name().toLowerCase(Locale.ROOT) + ".zarr");
        if (!Files.exists(sample)) {
            progress.run();
            Files.createDirectories(cache);
            Path unfinished = Files.createTempDirectory(cache, "unfinished-");
            ArrayWriter writer = engine.createArray(unfinished.resolve("array"), metadata());
            writer.writeAll(DemoSample::fill);
            Files.move(unfinished.resolve("array"), sample, StandardCopyOption.ATOMIC_MOVE);
            Files.delete(unfinished);
        }
        return sample;
    }

    /** {@return the codecs of an inner chunk} */
    CodecSpec[] codecs() {
        return this == ZSTD
                ? new CodecSpec[] {CodecSpec.bytes(), CodecSpec.zstd(3)}
                : new CodecSpec[] {CodecSpec.bytes()};
    }

    private ArrayMetadata metadata() {
        return ArrayMetadata.builder(NumericType.INT16, SHAPE)
                .chunkShape(SHARD)
                .codecs(List.of(CodecSpec.sharding(INNER, codecs())))
                .dimensionNames(List.of("time", "y", "x", "band"))
                .attributes(Map.of("title", "made by zarr-engine demo"))
                .build();
    }

    /**
     * {@return the encoded inner chunks of one shard of a sample, in mapped memory}
     *
     * @param sample the sample's folder
     * @param arena the owner of the mapping
     */
    static List<MemorySegment> encodedChunks(Path sample, Arena arena) throws IOException {
        try (FileChannel file = FileChannel.open(sample.resolve("c/0/0/0/0"))) {
            MemorySegment shard = file.map(FileChannel.MapMode.READ_ONLY, 0, file.size(), arena);
            long count = 1;
            for (int d = 0; d < SHARD.length; d++) {
                count *= SHARD[d] / INNER[d];
            }
            long index = shard.byteSize() - count * INDEX_ENTRY_BYTES - CHECKSUM_BYTES;
            List<MemorySegment> chunks = new ArrayList<>();
            for (long entry = index;
                    entry < shard.byteSize() - CHECKSUM_BYTES;
                    entry += INDEX_ENTRY_BYTES) {
                long offset = shard.get(INDEX_NUMBER, entry);
                chunks.add(shard.asSlice(offset, shard.get(INDEX_NUMBER, entry + Long.BYTES)));
            }
            return chunks;
        }
    }

    private static void fill(long[] shard, MemorySegment elements) {
        long at = 0;
        for (long t = 0; t < SHARD[0]; t++) {
            for (long y = 0; y < SHARD[1]; y++) {
                for (long x = 0; x < SHARD[2]; x++) {
                    long yInArray = shard[1] * SHARD[1] + y;
                    long xInArray = shard[2] * SHARD[2] + x;
                    // slow to compute, and the same in each band
                    double waves = waves(t, yInArray, xInArray);
                    for (long band = 0; band < SHARD[3]; band++) {
                        short value = value(waves, t, yInArray, xInArray, band);
                        elements.setAtIndex(ValueLayout.JAVA_SHORT, at++, value);
                    }
                }
            }
        }
    }
}
