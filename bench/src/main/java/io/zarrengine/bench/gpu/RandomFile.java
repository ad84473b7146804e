package io.zarrengine.bench.gpu;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.SplittableRandom;

/**
 * A file of which every word says where it is, so that a range that was read can be checked alone.
 *
 * @param path where it is
 * @param bytes its length, a multiple of a MiB
 */
record RandomFile(Path path, long bytes) {
    private static final int PART_BYTES = 1 << 20;

    /** Makes the file, unless it is there. */
    static RandomFile in(Path folder, long bytes) throws IOException {
        Path path = folder.resolve("gds-" + (bytes >> 20) + ".bin");
        RandomFile file = new RandomFile(path, bytes);
        if (!Files.exists(path) || Files.size(path) != bytes) {
            Files.createDirectories(folder);
            file.write();
        }
        return file;
    }

    private void write() throws IOException {
        ByteBuffer part = ByteBuffer.allocateDirect(PART_BYTES);
        MemorySegment words = MemorySegment.ofBuffer(part);
        try (FileChannel out =
                FileChannel.open(
                        path,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE)) {
            for (long at = 0; at < bytes; at += PART_BYTES) {
                for (int i = 0; i < PART_BYTES; i += Long.BYTES) {
                    words.set(JAVA_LONG_UNALIGNED, i, word(at + i));
                }
                part.clear();
                while (part.hasRemaining()) {
                    out.write(part);
                }
            }
            out.force(true);
        }
    }

    /** Where a random range begins: at a multiple of its length. */
    long offset(SplittableRandom random, long rangeBytes) {
        return random.nextLong(bytes / rangeBytes) * rangeBytes;
    }

    /** Insists that these are the bytes at an offset. */
    static void check(MemorySegment range, long offset) throws IOException {
        for (long i = 0; i < range.byteSize(); i += Long.BYTES) {
            if (range.get(JAVA_LONG_UNALIGNED, i) != word(offset + i)) {
                throw new IOException("the range at " + offset + " differs at byte " + i);
            }
        }
    }

    /** Finalizer of SplitMix64: neighbours have nothing in common, so nothing compresses them. */
    private static long word(long offset) {
        long mixed = (offset + 1) * 0x9E3779B97F4A7C15L;
        mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        return mixed ^ (mixed >>> 31);
    }
}
