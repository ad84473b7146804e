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
 * A file in which every word depends on its offset, so that a range can be checked alone.
 *
 * @param path of the file
 * @param bytes its length, a multiple of a MiB
 */
record RandomFile(Path path, long bytes) {
    private static final int PART_BYTES = 1 << 20;

    /** Creates the file unless it exists. */
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

    /** Returns the offset of a random range, a multiple of its length. */
    long offset(SplittableRandom random, long rangeBytes) {
        return random.nextLong(bytes / rangeBytes) * rangeBytes;
    }

    /** Checks that these are the bytes at an offset. */
    static void check(MemorySegment range, long offset) throws IOException {
        for (long i = 0; i < range.byteSize(); i += Long.BYTES) {
            if (range.get(JAVA_LONG_UNALIGNED, i) != word(offset + i)) {
                throw new IOException("the range at " + offset + " differs at byte " + i);
            }
        }
    }

    /**
     * Returns the word at an offset: the finalizer of SplitMix64, so that neighbours are unrelated
     * and do not compress.
     */
    private static long word(long offset) {
        long mixed = (offset + 1) * 0x9E3779B97F4A7C15L;
        mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        return mixed ^ (mixed >>> 31);
    }
}
