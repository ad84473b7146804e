package io.zarrengine.nvcomp;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.zarrengine.cuda.DeviceMemoryPool.Allocation;
import io.zarrengine.cuda.DeviceSlice;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Encodes chunks on the device, a few at a time, and downloads them. */
final class DeviceEncoder {
    private static final byte GUARD = (byte) 0xA5;
    private static final long GUARD_BYTES = 256;
    private static final int CHUNKS = 32; // per batch: some encoders need much scratch memory

    private DeviceEncoder() {}

    static List<byte[]> encode(Lab lab, NvcompFormat format, List<byte[]> chunks)
            throws IOException {
        List<byte[]> encoded = new ArrayList<>();
        for (int from = 0; from < chunks.size(); from += CHUNKS) {
            int to = Math.min(from + CHUNKS, chunks.size());
            encoded.addAll(encodeBatch(lab, format, chunks.subList(from, to)));
        }
        return encoded;
    }

    /**
     * Encodes a batch. Every target has exactly the size that it needs; the bytes after it must not
     * change.
     */
    private static List<byte[]> encodeBatch(Lab lab, NvcompFormat format, List<byte[]> chunks)
            throws IOException {
        long chunkBytes = chunks.stream().mapToLong(chunk -> chunk.length).max().orElseThrow();
        long totalBytes = chunks.stream().mapToLong(chunk -> chunk.length).sum();
        long sourceBytes = chunks.stream().mapToLong(chunk -> place(chunk.length)).sum();
        try (BatchEncoder encoder = BatchEncoder.open(format, lab.stream())) {
            long room = encoder.encodedBytesMax(chunkBytes);
            long scratchBytes = encoder.scratchBytes(chunks.size(), chunkBytes, totalBytes);
            long batchBytes = EncodeBatch.bytes(chunks.size());
            long targetBytes = chunks.size() * place(room);
            try (Allocation source = lab.pool().allocate(sourceBytes, lab.stream());
                    Allocation target = lab.pool().allocate(targetBytes, lab.stream());
                    Allocation scratch =
                            lab.pool().allocate(Math.max(8, scratchBytes), lab.stream());
                    Allocation arrays = lab.pool().allocate(batchBytes, lab.stream())) {
                EncodeBatch batch = new EncodeBatch(lab.pinned(), arrays.slice(), chunks.size());
                MemorySegment staged = lab.pinned().asSlice(place(batchBytes));
                fill(batch, chunks, staged, source.slice(), target.slice(), room);
                lab.stream().copyToDevice(staged.asSlice(0, sourceBytes), source.slice());
                lab.stream().set(target.slice(), GUARD);
                encoder.encode(batch, scratch.slice());
                lab.stream().synchronize();
                assertEquals(0, batch.failedChunks().count(), format + ": chunks that failed");
                return fetch(lab, batch, staged, target.slice(), room);
            }
        }
    }

    private static void fill(
            EncodeBatch batch,
            List<byte[]> chunks,
            MemorySegment staged,
            DeviceSlice source,
            DeviceSlice target,
            long room) {
        long from = 0;
        long to = 0;
        for (byte[] chunk : chunks) {
            MemorySegment.copy(chunk, 0, staged, JAVA_BYTE, from, chunk.length);
            batch.add(source.slice(from, chunk.length), target.slice(to, room));
            from += place(chunk.length);
            to += place(room);
        }
    }

    private static List<byte[]> fetch(
            Lab lab, EncodeBatch batch, MemorySegment staged, DeviceSlice target, long room)
            throws IOException {
        List<byte[]> encoded = new ArrayList<>();
        for (int chunk = 0; chunk < batch.count(); chunk++) {
            MemorySegment down = staged.asSlice(0, place(room));
            lab.stream().copyToHost(target.slice(chunk * place(room), place(room)), down);
            lab.stream().synchronize();
            byte[] bytes = down.toArray(JAVA_BYTE);
            for (int i = (int) room; i < bytes.length; i++) {
                assertEquals(GUARD, bytes[i], "byte " + i + " behind a target of " + room);
            }
            encoded.add(Arrays.copyOf(bytes, (int) batch.actualBytes(chunk)));
        }
        return encoded;
    }

    /** Chunks begin at multiples of 256 bytes, with guards between. */
    private static long place(long bytes) {
        return (bytes + 2 * GUARD_BYTES - 1) / GUARD_BYTES * GUARD_BYTES;
    }
}
