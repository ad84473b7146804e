package io.zarrengine.uring;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.bindings.Errno;
import io.zarrengine.uring.ReadBackend.Method;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests one read into several pieces: each piece gets its part, and the bytes between them do not
 * change.
 */
@Timeout(60)
final class ScatteredReadTest {
    private static final int FILE_BYTES = 100_000;
    private static final byte GUARD = (byte) 0xA5;

    @TempDir Path folder;

    static Stream<Arguments> waysAndSeeds() {
        return Stream.of(Method.values())
                .flatMap(method ->
                        ReadQueueContract.seeds().mapToObj(seed -> Arguments.of(method, seed)));
    }

    private static ReadQueueContract.Fixture open(Method method) throws IOException {
        ReadBackend.unavailabilityCause(method).ifPresent(cause -> assumeTrue(false, cause));
        return new ReadQueueContract.Fixture(ReadBackend.of(method), 1 << 19);
    }

    private static byte[] randomContent(SplittableRandom random) {
        byte[] content = new byte[FILE_BYTES];
        random.nextBytes(content);
        return content;
    }

    /** Returns pieces of some units each, with a guarded unit before each one. */
    private static List<MemorySegment> pieces(
            SplittableRandom random, MemorySegment memory, int unit, int unitsMax) {
        List<MemorySegment> pieces = new ArrayList<>();
        long at = unit;
        int count = 1 + random.nextInt(ReadQueue.PIECES_MAX);
        for (int i = 0; i < count; i++) {
            long bytes = (1L + random.nextInt(unitsMax)) * unit;
            pieces.add(memory.asSlice(at, bytes));
            at += bytes + unit;
        }
        memory.fill(GUARD);
        return pieces;
    }

    private static int bytes(List<MemorySegment> pieces) {
        return pieces.stream().mapToInt(piece -> (int) piece.byteSize()).sum();
    }

    /** Checks that all of the memory is as if the bytes had been copied to the pieces in order. */
    private static void check(
            byte[] content,
            long offset,
            int count,
            MemorySegment memory,
            List<MemorySegment> pieces) {
        byte[] expected = new byte[(int) memory.byteSize()];
        Arrays.fill(expected, GUARD);
        int copied = 0;
        for (MemorySegment piece : pieces) {
            int own = (int) Math.min(piece.byteSize(), count - copied);
            int at = (int) (piece.address() - memory.address());
            System.arraycopy(
                    content, (int) Math.min(offset, FILE_BYTES) + copied, expected, at, own);
            copied += own;
        }
        assertArrayEquals(expected, memory.toArray(JAVA_BYTE));
    }

    @ParameterizedTest(name = "{0}, seed {1}")
    @MethodSource("waysAndSeeds")
    void piecesAreFilledInTheirOrder(Method method, long seed) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        byte[] content = randomContent(random);
        try (ReadQueueContract.Fixture fixture = open(method)) {
            int number = fixture.attach(Files.write(folder.resolve("file"), content));
            for (int round = 0; round < 20; round++) {
                List<MemorySegment> pieces = pieces(random, fixture.memory, 3, 2000);
                long offset = random.nextLong(FILE_BYTES + 10);
                int expected = (int) Math.clamp(FILE_BYTES - offset, 0L, bytes(pieces));
                long[] results = new long[1];
                fixture.queue.readScattered(number, offset, pieces, 0);
                fixture.finish(results);
                assertEquals(expected, results[0]);
                check(content, offset, expected, fixture.memory, pieces);
            }
        }
    }

    @ParameterizedTest(name = "{0}, seed {1}")
    @MethodSource("waysAndSeeds")
    void directReadsFillTheirPiecesToo(Method method, long seed) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        byte[] content = randomContent(random);
        try (ReadQueueContract.Fixture fixture = open(method)) {
            FileHandle file = fixture.openDirect(Files.write(folder.resolve("file"), content));
            int block = file.alignment();
            int number = fixture.queue.attach(file);
            file.release();
            MemorySegment memory = fixture.alignedMemory(block);
            for (int round = 0; round < 10; round++) {
                List<MemorySegment> pieces = pieces(random, memory, block, 5);
                long offset = (long) random.nextInt(FILE_BYTES / block) * block;
                int expected = (int) Math.min(FILE_BYTES - offset, bytes(pieces));
                long[] results = new long[1];
                fixture.queue.readScattered(number, offset, pieces, 0);
                fixture.finish(results);
                assertEquals(expected, results[0]);
                if (expected == bytes(pieces)) { // At the end of a file a block is filled up.
                    check(content, offset, expected, memory, pieces);
                }
            }
            MemorySegment odd = memory.asSlice(1, block);
            assertThrows(
                    IllegalArgumentException.class,
                    () -> fixture.queue.readScattered(number, 0, List.of(odd), 0));
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatIsNoListOfPiecesIsRefused(Method method) throws Exception {
        try (ReadQueueContract.Fixture fixture = open(method)) {
            int number = fixture.attach(Files.write(folder.resolve("file"), new byte[10]));
            MemorySegment piece = fixture.memory.asSlice(0, 1);
            for (List<MemorySegment> pieces :
                    List.of(
                            List.<MemorySegment>of(),
                            List.of(piece.asSlice(0, 0)),
                            java.util.Collections.nCopies(ReadQueue.PIECES_MAX + 1, piece))) {
                assertThrows(
                        IllegalArgumentException.class,
                        () -> fixture.queue.readScattered(number, 0, pieces, 0));
            }
            assertEquals(0, fixture.queue.inFlight());
        }
    }

    /** A short read continues in the piece in which it ended. */
    @ParameterizedTest(name = "fault rate {0}, seed {1}")
    @CsvSource({"0.1, 1", "0.5, 2", "0.5, 3"})
    void faultsMoveNothing(double faultRate, long seed) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        byte[] content = randomContent(random);
        FileHandle file = ChannelFile.open(Files.write(folder.resolve("file"), content));
        SimulatedRing ring = new SimulatedRing(content, 4, seed, faultRate);
        try (Arena arena = Arena.ofConfined();
                RingReadQueue queue = new RingReadQueue(ring, 4)) {
            int number = queue.attach(file);
            file.release();
            MemorySegment memory = arena.allocate(1 << 18);
            int whole = 0;
            for (int round = 0; round < 100; round++) {
                List<MemorySegment> pieces = pieces(random, memory, 3, 2000);
                long offset = random.nextLong(FILE_BYTES);
                int expected = (int) Math.min(FILE_BYTES - offset, bytes(pieces));
                long[] result = new long[1];
                queue.readScattered(number, offset, pieces, 0);
                while (queue.inFlight() > 0) {
                    queue.poll((token, read) -> result[0] = read);
                }
                if (result[0] != -Errno.EIO) {
                    whole++;
                    assertEquals(expected, result[0]);
                    check(content, offset, expected, memory, pieces);
                }
            }
            assertTrue(whole > 20, "only " + whole + " reads did not fail");
            assertTrue(queue.counters().retries() > 10, "nothing was short");
        }
    }
}
