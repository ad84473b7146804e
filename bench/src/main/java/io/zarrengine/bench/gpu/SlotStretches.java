package io.zarrengine.bench.gpu;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * The shards of an array, cut into stretches of whole inner chunks: as many as fit in a slot, at
 * least one.
 */
final class SlotStretches implements AutoCloseable {
    private static final int CHECKSUM_BYTES = 4;
    private static final int INDEX_ROW_BYTES = 16;

    /**
     * A stretch of a file.
     *
     * @param file the file
     * @param offset its offset in the file
     * @param bytes its length
     * @param place its offset in pinned memory and on the device
     */
    record Stretch(FileChannel file, long offset, int bytes, long place) {}

    /**
     * An inner chunk.
     *
     * @param place its offset in pinned memory and on the device
     * @param bytes its length
     * @param stretch the stretch that holds it
     */
    record Chunk(long place, int bytes, int stretch) {}

    final List<Stretch> stretches = new ArrayList<>();
    final List<Chunk> chunks = new ArrayList<>();
    private final List<FileChannel> files = new ArrayList<>();
    private final int innerBytes;
    private long placeEnd;

    private SlotStretches(int innerBytes) {
        this.innerBytes = innerBytes;
    }

    static SlotStretches of(GpuArray array, int slotBytes) throws IOException {
        SlotStretches all = new SlotStretches(array.innerBytes());
        for (Path file : array.shards()) {
            FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
            all.add(channel, array.chunksPerShard(), slotBytes);
        }
        return all;
    }

    /** Adds a shard. Its chunks follow each other in the order of its index. */
    private void add(FileChannel file, int count, int slotBytes) throws IOException {
        files.add(file);
        ByteBuffer index =
                ByteBuffer.allocate(count * INDEX_ROW_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        file.read(index, file.size() - CHECKSUM_BYTES - index.capacity());
        for (int i = 0; i < count; ) {
            int end = i + 1; // as many as a slot holds
            long begin = index.getLong(INDEX_ROW_BYTES * i);
            while (end < count && chunkEnd(index, end) - begin <= slotBytes) {
                end++;
            }
            for (int chunk = i; chunk < end; chunk++) {
                long place = placeEnd + index.getLong(INDEX_ROW_BYTES * chunk) - begin;
                int bytes = (int) index.getLong(INDEX_ROW_BYTES * chunk + Long.BYTES);
                chunks.add(new Chunk(place, bytes, stretches.size()));
            }
            int bytes = Math.toIntExact(chunkEnd(index, end - 1) - begin);
            stretches.add(new Stretch(file, begin, bytes, placeEnd));
            placeEnd += (bytes + 4095) & -4096L;
            i = end;
        }
    }

    private static long chunkEnd(ByteBuffer index, int chunk) {
        int row = INDEX_ROW_BYTES * chunk;
        return index.getLong(row) + index.getLong(row + Long.BYTES);
    }

    /** Returns the total size of all stretches, in bytes. */
    long placeBytes() {
        return placeEnd;
    }

    long encodedBytes() {
        return chunks.stream().mapToLong(Chunk::bytes).sum();
    }

    long decodedBytes() {
        return (long) chunks.size() * innerBytes;
    }

    @Override
    public void close() throws IOException {
        for (FileChannel file : files) {
            file.close();
        }
    }
}
