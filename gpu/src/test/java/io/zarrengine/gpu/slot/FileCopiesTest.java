package io.zarrengine.gpu.slot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.gpu.chunk.ChunkBytes;
import io.zarrengine.gpu.file.PinnedFile;
import io.zarrengine.gpu.slot.FileCopies.Run;
import io.zarrengine.uring.FileVersion;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests which bytes of a file a device copies together, and to which offsets. */
final class FileCopiesTest {
    private static final long WINDOW = PinnedFile.WINDOW_BYTES;

    private final PinnedFile file = file("a");
    private final FileCopies copies = new FileCopies();

    private static PinnedFile file(String identity) {
        return new PinnedFile(new FileVersion(identity, 4 * WINDOW, 0, 0));
    }

    private static ChunkBytes chunk(PinnedFile of, long offset, long bytes, long alignment) {
        return ChunkBytes.of(of, offset, bytes, 0, alignment);
    }

    private void add(long offset, long bytes) {
        add(chunk(file, offset, bytes, 1));
    }

    private void add(ChunkBytes chunk) {
        copies.add(chunk, copies.place(chunk));
    }

    @Test
    void chunksThatFollowOneAnotherAreOneCopy() {
        add(1001, 37);
        add(1038, 5);
        assertEquals(List.of(new Run(file, 1001, 0, 42)), copies.runs());
        assertEquals(42, copies.byteSize());
    }

    @Test
    void behindAGapACopyBeginsAligned() {
        add(1001, 37);
        add(1039, 5);
        assertEquals(
                List.of(new Run(file, 1001, 0, 37), new Run(file, 1039, 64, 5)), copies.runs());
    }

    /** The body of a zlib stream begins two bytes after its start. */
    @Test
    void whatWouldLieAskewIsACopyOfItsOwn() {
        ChunkBytes first = ChunkBytes.of(file, 0, 38, 2, 4);
        add(first);
        assertEquals(2, copies.runs().getFirst().at());
        add(ChunkBytes.of(file, 38, 40, 2, 4));
        add(ChunkBytes.of(file, 78, 40, 2, 4));
        assertEquals(List.of(new Run(file, 0, 2, 38), new Run(file, 38, 66, 80)), copies.runs());
    }

    @Test
    void aCopyEndsWithItsWindow() {
        add(WINDOW - 10, 30);
        add(WINDOW + 20, 5);
        add(2 * WINDOW - 5, 5);
        add(2 * WINDOW, 7);
        assertEquals(
                List.of(
                        new Run(file, WINDOW - 10, 0, 10),
                        new Run(file, WINDOW, 10, 25),
                        new Run(file, 2 * WINDOW - 5, 64, 5),
                        new Run(file, 2 * WINDOW, 69, 7)),
                copies.runs());
    }

    @Test
    void anotherFileIsAnotherCopy() {
        add(0, 64);
        add(chunk(file("b"), 64, 64, 1));
        assertEquals(2, copies.runs().size());
    }

    /** A file is retained exactly as long as copies from it may be under way. */
    @Test
    void filesAreKeptUntilTheyWereCopied() {
        add(0, 8);
        add(8, 8);
        file.release(); // the owner's use
        assertFalse(file.isUnused());
        copies.release();
        assertTrue(file.isUnused());
    }

    /** Each byte comes from its offset in the file and goes to the offset that was returned. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#many")
    void eachByteGoesWhereItsPlaceIs(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        long offset = WINDOW - 300;
        for (int i = 0; i < 40; i++) {
            offset += random.nextBoolean() ? 0 : random.nextInt(40);
            long bytes = 1L + random.nextInt(60);
            ChunkBytes chunk = chunk(file, offset, bytes, 1L << random.nextInt(5));
            long at = copies.place(chunk);
            assertTrue(chunk.mayLieAt(at));
            long used = copies.byteSize();
            assertTrue(at >= used, "it overwrites another one");
            copies.add(chunk, at);
            assertEquals(at + bytes, copies.byteSize());
            for (long k = 0; k < bytes; k++) {
                assertEquals(offset + k, fileOffset(at + k));
            }
            offset += bytes;
        }
        for (Run run : copies.runs()) {
            assertEquals(run.offset() / WINDOW, (run.offset() + run.bytes() - 1) / WINDOW);
        }
    }

    /** Returns the file offset of the byte that goes to an offset. */
    private long fileOffset(long at) {
        List<Long> sources =
                copies.runs().stream()
                        .filter(run -> at >= run.at() && at < run.at() + run.bytes())
                        .map(run -> run.offset() + at - run.at())
                        .toList();
        assertEquals(1, sources.size(), "copies to one place");
        return sources.getFirst();
    }
}
