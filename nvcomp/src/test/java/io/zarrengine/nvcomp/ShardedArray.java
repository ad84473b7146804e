package io.zarrengine.nvcomp;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/**
 * The shards of an array, cut into stretches of whole sub-chunks that fit a slot; one written for
 * the benchmark, or any other with the index at the end of each shard.
 */
final class ShardedArray implements AutoCloseable {
    static final int SUBCHUNKS_PER_SHARD = 256;
    static final int SUBCHUNK_BYTES = 1 << 16;

    private static final int ROW_BYTES = 16; // offset and length
    private static final int CHECKSUM_BYTES = 4;

    /**
     * A stretch of a file.
     *
     * @param file where it is
     * @param offset where it begins there
     * @param bytes its length
     * @param place where it goes in pinned memory and on the device
     */
    record Stretch(FileChannel file, long offset, int bytes, long place) {}

    /**
     * A sub-chunk.
     *
     * @param place where it is in pinned memory and on the device
     * @param bytes its length
     * @param stretch the stretch that brings it
     */
    record Subchunk(long place, int bytes, int stretch) {}

    final List<Stretch> stretches = new ArrayList<>();
    final List<Subchunk> subchunks = new ArrayList<>();
    final int subchunkBytes;
    private final List<FileChannel> files = new ArrayList<>();
    private long placeEnd;

    private ShardedArray(int subchunkBytes) {
        this.subchunkBytes = subchunkBytes;
    }

    static ShardedArray open(Path folder, int perShard, int subchunkBytes, long slotBytes)
            throws IOException {
        ShardedArray array = new ShardedArray(subchunkBytes);
        try (Stream<Path> files = Files.walk(folder.resolve("c"))) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                array.add(FileChannel.open(file, StandardOpenOption.READ), perShard, slotBytes);
            }
        }
        return array;
    }

    private void add(FileChannel file, int perShard, long slotBytes) throws IOException {
        files.add(file);
        ByteBuffer index = ByteBuffer.allocate(perShard * ROW_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        file.read(index, file.size() - CHECKSUM_BYTES - index.capacity());
        List<long[]> rows =
                IntStream.range(0, perShard)
                        .mapToObj(
                                i -> new long[] {index.getLong(16 * i), index.getLong(16 * i + 8)})
                        .filter(row -> row[0] != -1)
                        .sorted(Comparator.comparingLong(row -> row[0]))
                        .toList();
        for (int i = 0; i < rows.size(); ) {
            int end = i;
            long begin = rows.get(i)[0];
            while (end < rows.size() && rows.get(end)[0] + rows.get(end)[1] - begin <= slotBytes) {
                end++;
            }
            add(file, rows.subList(i, end));
            i = end;
        }
    }

    private void add(FileChannel file, List<long[]> rows) {
        long begin = rows.getFirst()[0];
        int bytes = Math.toIntExact(rows.getLast()[0] + rows.getLast()[1] - begin);
        for (long[] row : rows) {
            subchunks.add(new Subchunk(placeEnd + row[0] - begin, (int) row[1], stretches.size()));
        }
        stretches.add(new Stretch(file, begin, bytes, placeEnd));
        placeEnd += (bytes + 4095) & -4096L;
    }

    /** What all stretches take up, in bytes. */
    long placeBytes() {
        return placeEnd;
    }

    long encodedBytes() {
        return subchunks.stream().mapToLong(Subchunk::bytes).sum();
    }

    long decodedBytes() {
        return (long) subchunks.size() * subchunkBytes;
    }

    @Override
    public void close() throws IOException {
        for (FileChannel file : files) {
            file.close();
        }
    }

    /** Writes an array unless it is there. */
    static void make(Path folder, int subchunks) throws IOException {
        Path shards = folder.resolve("c");
        if (Files.isDirectory(shards)) {
            return;
        }
        Files.createDirectories(shards);
        long begin = System.nanoTime();
        int count = Math.max(1, subchunks / SUBCHUNKS_PER_SHARD);
        IntStream.range(0, count)
                .parallel()
                .forEach(i -> write(shards.resolve("%05d".formatted(i)), i));
        GpuBenchmark.OUT.printf(
                "%nwrote %s: %d shards of %d sub-chunks in %.1f s%n",
                folder, count, SUBCHUNKS_PER_SHARD, (System.nanoTime() - begin) / 1e9);
    }

    private static void write(Path path, int seed) {
        SplittableRandom random = new SplittableRandom(seed);
        ByteBuffer index =
                ByteBuffer.allocate(SUBCHUNKS_PER_SHARD * ROW_BYTES + CHECKSUM_BYTES)
                        .order(ByteOrder.LITTLE_ENDIAN);
        try (FileChannel file =
                FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            for (int i = 0; i < SUBCHUNKS_PER_SHARD; i++) {
                byte[] frame = Samples.encoded(NvcompFormat.ZSTD, numbers(random));
                index.putLong(file.position()).putLong(frame.length);
                file.write(ByteBuffer.wrap(frame));
            }
            CRC32C checksum = new CRC32C();
            checksum.update(index.array(), 0, index.position());
            file.write(index.putInt((int) checksum.getValue()).flip());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A walk in steps of up to 6: the low bytes hardly compress, the high ones nearly vanish. */
    private static byte[] numbers(SplittableRandom random) {
        byte[] chunk = new byte[SUBCHUNK_BYTES];
        int value = random.nextInt();
        for (int i = 0; i < chunk.length; i += 2) {
            value += random.nextInt(13) - 6;
            chunk[i] = (byte) value;
            chunk[i + 1] = (byte) (value >> 8);
        }
        return chunk;
    }
}
