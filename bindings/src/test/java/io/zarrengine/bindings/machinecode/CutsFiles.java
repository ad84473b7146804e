package io.zarrengine.bindings.machinecode;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.zarrengine.bindings.LibCMemory;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/** The program of {@link BusErrorTest}, without JUnit: truncates mapped files during copies. */
final class CutsFiles {
    private static final int FILE_BYTES = 16 << 12;
    private static final int LEFT_BYTES = 3 << 12;
    private static final int GAP = 7; // between rows, on both sides
    private static final byte[] CONTENT = content(); // of a file

    private CutsFiles() {}

    public static void main(String[] arguments) throws Exception {
        check(MachineCodeRowCopy.exposure().isEmpty(), "exposed");
        Path file = Path.of(arguments[0]);
        for (MachineCodeRowCopyTest.Way way : MachineCodeRowCopyTest.Way.values()) {
            if (way != MachineCodeRowCopyTest.Way.ELEMENTS) {
                for (int length = 1; length < 400; length++) {
                    cutBelowOneCopy(file, way, length);
                }
            }
            cutBelowManyThreads(file, way);
        }
        for (int bytes : new int[] {1, 2, 4, 8, 16}) {
            cutBelowElements(file, bytes, 64 * bytes, bytes);
            cutBelowElements(file, bytes, bytes, FILE_BYTES / 64);
        }
        cutBelowJava(file);
        IO.println("all went well");
    }

    private static void cutBelowOneCopy(Path file, MachineCodeRowCopyTest.Way way, int length)
            throws IOException {
        try (Arena arena = Arena.ofConfined();
                FileChannel channel = create(file)) {
            MemorySegment mapped = map(channel, arena);
            int stride = length + GAP;
            int rows = FILE_BYTES / stride;
            MemorySegment target = arena.allocate(FILE_BYTES, 64);
            RowPlanes all = new RowPlanes(length, rows, stride, stride, 1, 0, 0);
            way.copy(mapped, 0, target, 0, all);
            assertCopied(target, length, rows);
            channel.truncate(LEFT_BYTES);
            target.fill((byte) 0);
            assertGone(way, mapped, target, all);
            assertCopied(target, length, LEFT_BYTES / stride);
            long behind = (LEFT_BYTES / stride + 2L) * stride;
            MemorySegment untouched = target.asSlice(behind);
            check(
                    Arrays.equals(
                            new byte[(int) untouched.byteSize()], untouched.toArray(JAVA_BYTE)),
                    "written behind the end");
        }
    }

    /** Truncates a file below 64 planes, each a line of the source, or all of a row in one. */
    private static void cutBelowElements(Path file, int bytes, int sourceStride, int planeStride)
            throws IOException {
        try (Arena arena = Arena.ofConfined();
                FileChannel channel = create(file)) {
            MemorySegment mapped = map(channel, arena);
            int count = FILE_BYTES / 64 / bytes;
            RowPlanes all =
                    new RowPlanes(
                            bytes, count, sourceStride, bytes, 64, planeStride, FILE_BYTES / 64);
            MemorySegment expected = arena.allocate(FILE_BYTES);
            MachineCodeRowCopy.copyElements(mapped, 0, expected, 0, all);
            channel.truncate(LEFT_BYTES);
            MemorySegment target = arena.allocate(FILE_BYTES);
            assertGone(MachineCodeRowCopyTest.Way.ELEMENTS, mapped, target, all);
            for (int i = 0; i < FILE_BYTES; i++) {
                byte copied = target.get(JAVA_BYTE, i);
                check(copied == 0 || copied == expected.get(JAVA_BYTE, i), "byte " + i);
            }
        }
    }

    private static void assertGone(
            MachineCodeRowCopyTest.Way way,
            MemorySegment mapped,
            MemorySegment target,
            RowPlanes rows) {
        try {
            way.copy(mapped, 0, target, 0, rows);
        } catch (InternalError e) {
            check(e.getMessage().contains("SIGBUS"), e.toString());
            return;
        }
        throw new AssertionError("nothing was amiss with " + rows);
    }

    private static void assertCopied(MemorySegment target, int length, int rows) {
        MemorySegment content = MemorySegment.ofArray(CONTENT);
        for (int row = 0; row < rows; row++) {
            int begin = row * (length + GAP);
            MemorySegment copied = target.asSlice(begin, length);
            MemorySegment expected = content.asSlice(begin, length);
            check(copied.mismatch(expected) < 0, "row " + row);
        }
    }

    private static byte[] content() {
        byte[] content = new byte[FILE_BYTES];
        for (int at = 0; at < FILE_BYTES; at++) {
            content[at] = (byte) (((at * 31) >> 3) | 1);
        }
        return content;
    }

    private static FileChannel create(Path file) throws IOException {
        Files.write(file, CONTENT);
        return FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }

    private static MemorySegment map(FileChannel channel, Arena arena) throws IOException {
        return channel.map(FileChannel.MapMode.READ_ONLY, 0, FILE_BYTES, arena);
    }

    /**
     * Truncates a file below many threads. Some of them are in the copy, if it takes long enough.
     */
    private static void cutBelowManyThreads(Path file, MachineCodeRowCopyTest.Way way)
            throws IOException, InterruptedException, ExecutionException {
        try (Arena arena = Arena.ofShared();
                FileChannel channel = create(file);
                ExecutorService threads = Executors.newFixedThreadPool(4)) {
            MemorySegment mapped = map(channel, arena);
            List<Future<?>> copies =
                    IntStream.range(0, 4)
                            .<Future<?>>mapToObj(
                                    _ -> threads.submit(() -> copyUntilGone(way, mapped)))
                            .toList();
            Thread.sleep(20);
            channel.truncate(LEFT_BYTES);
            for (Future<?> copy : copies) {
                copy.get();
            }
        }
    }

    private static void copyUntilGone(MachineCodeRowCopyTest.Way way, MemorySegment mapped) {
        int length = way.lengthMax(64);
        RowPlanes rows = new RowPlanes(length, FILE_BYTES / length, length, length, 1, 0, 0);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment target = arena.allocate(FILE_BYTES, 64);
            while (true) {
                way.copy(mapped, 0, target, 0, rows);
            }
        } catch (InternalError e) {
            check(e.getMessage().contains("SIGBUS"), e.toString());
        }
    }

    private static void cutBelowJava(Path file) throws IOException {
        try (Arena arena = Arena.ofConfined();
                FileChannel channel = create(file)) {
            MemorySegment mapped = map(channel, arena);
            channel.truncate(0);
            copyInJava(mapped);
        }
    }

    private static void copyInJava(MemorySegment mapped) {
        byte[] copy = new byte[FILE_BYTES];
        try {
            MemorySegment.copy(mapped, JAVA_BYTE, 0, copy, 0, FILE_BYTES);
            LibCMemory.getpagesize(); // a call throws an error that is still pending
        } catch (InternalError e) {
            return;
        }
        throw new AssertionError("nothing was amiss in Java");
    }

    private static void check(boolean holds, String problem) {
        if (!holds) {
            throw new AssertionError(problem);
        }
    }
}
