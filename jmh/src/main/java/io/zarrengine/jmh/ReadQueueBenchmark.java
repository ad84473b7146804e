package io.zarrengine.jmh;

import io.zarrengine.bindings.IoVector;
import io.zarrengine.bindings.LibC;
import io.zarrengine.bindings.NativePath;
import io.zarrengine.uring.FileHandle;
import io.zarrengine.uring.ReadBackend;
import io.zarrengine.uring.ReadQueue;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Question: what does a read of 4 KiB from the page cache cost through a queue, alone and in
 * batches?
 *
 * <p>Unit: ns per read, queued, submitted and reported. Baseline: {@link Alone#preadv}, the bare
 * system call on the thread that needs the bytes.
 *
 * <p>Sketch, made before measuring: the bare call takes 1.4 us, of which copying is a third. The
 * ring adds 0.1 us to each read in Java and its own work in the kernel, but shares the system call
 * of a batch: alone 2 us, in batches of 16 and more 1.3 us, no slower than the bare call. The pool
 * hands each read to another thread: alone two wake-ups, 50 us; in batches of 128 the threads stay
 * awake and it is 5 us.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 10, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
        value = 3,
        jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+AlwaysPreTouch"})
public class ReadQueueBenchmark {
    private static final int READ_BYTES = 4096;
    private static final int FILE_READS = 1024; // 4 MiB: more than L2
    private static final int BATCH_MAX = 128;

    /** A file in the page cache, with content of a fixed seed. */
    private static final class HotFile implements AutoCloseable {
        private final Path path;
        private final byte[] content = new byte[FILE_READS * READ_BYTES];
        private final SplittableRandom random = new SplittableRandom(42);

        HotFile() throws IOException {
            new Random(42).nextBytes(content);
            path = Files.write(Files.createTempFile("zarr-engine", ".bench"), content);
        }

        long randomOffset() {
            return (long) random.nextInt(FILE_READS) * READ_BYTES;
        }

        void check(MemorySegment actual, long offset) {
            MemorySegment expected = MemorySegment.ofArray(content).asSlice(offset, READ_BYTES);
            if (actual.mismatch(expected) != -1) {
                throw new AssertionError("wrong bytes from offset " + offset);
            }
        }

        @Override
        public void close() throws IOException {
            Files.delete(path);
        }
    }

    /** Reads through a queue. */
    @State(Scope.Thread)
    public static class Queued {
        /** The way of reading. */
        @Param({"IO_URING", "PREADV"})
        ReadBackend.Method method;

        private final long[] offsets = new long[BATCH_MAX];
        private Arena arena;
        private MemorySegment memory;
        private HotFile hotFile;
        private ReadBackend backend;
        private FileHandle file;
        private ReadQueue queue;
        private int fileNumber;
        private long bytesRead;

        /** Reads a batch, and checks its bytes. */
        @Setup
        public void setUp() throws IOException {
            arena = Arena.ofShared();
            memory = arena.allocate((long) BATCH_MAX * READ_BYTES, READ_BYTES);
            hotFile = new HotFile();
            backend = ReadBackend.of(method);
            file = backend.open(hotFile.path);
            queue = backend.newQueue(BATCH_MAX, List.of(memory));
            fileNumber = queue.attach(file);
            read(BATCH_MAX);
            for (int i = 0; i < BATCH_MAX; i++) {
                MemorySegment actual = memory.asSlice((long) i * READ_BYTES, READ_BYTES);
                hotFile.check(actual, offsets[i]);
            }
        }

        /** Frees everything. */
        @TearDown
        public void tearDown() throws IOException {
            queue.detach(fileNumber);
            queue.close();
            file.release();
            backend.close();
            hotFile.close();
            arena.close();
        }

        private long read(int batch) throws IOException {
            bytesRead = 0;
            for (int i = 0; i < batch; i++) {
                offsets[i] = hotFile.randomOffset();
                queue.read(fileNumber, offsets[i], memory, (long) i * READ_BYTES, READ_BYTES, i);
            }
            while (queue.inFlight() > 0) {
                queue.await((token, result) -> bytesRead += result, () -> true);
            }
            if (bytesRead != (long) batch * READ_BYTES) {
                throw new AssertionError(bytesRead + " bytes in a batch of " + batch);
            }
            return bytesRead;
        }
    }

    /** Reads by the bare system call. */
    @State(Scope.Thread)
    public static class Alone {
        private Arena arena;
        private MemorySegment memory;
        private MemorySegment vector;
        private MemorySegment callState;
        private HotFile hotFile;
        private int descriptor;

        /** Reads once, and checks the bytes. */
        @Setup
        public void setUp() throws IOException {
            arena = Arena.ofConfined();
            memory = arena.allocate(READ_BYTES, READ_BYTES);
            vector = arena.allocate(IoVector.LAYOUT);
            IoVector.set(vector, 0, memory);
            callState = LibC.newCallState(arena);
            hotFile = new HotFile();
            MemorySegment path = NativePath.of(arena, hotFile.path);
            descriptor = LibC.open(callState, path, LibC.O_RDONLY_CLOEXEC);
            long offset = hotFile.randomOffset();
            preadv(offset);
            hotFile.check(memory, offset);
        }

        /** Frees everything. */
        @TearDown
        public void tearDown() throws IOException {
            LibC.close(callState, descriptor);
            hotFile.close();
            arena.close();
        }

        private long preadv(long offset) {
            long result = LibC.preadv(callState, descriptor, vector, 1, offset);
            if (result != READ_BYTES) {
                throw new AssertionError("preadv: " + result);
            }
            return result;
        }
    }

    /** One read at a time. */
    @Benchmark
    public long batchOf1(Queued queued) throws IOException {
        return queued.read(1);
    }

    /** As many as a worker decodes at once. */
    @Benchmark
    @OperationsPerInvocation(16)
    public long batchOf16(Queued queued) throws IOException {
        return queued.read(16);
    }

    /** As many as a worker has in flight. */
    @Benchmark
    @OperationsPerInvocation(128)
    public long batchOf128(Queued queued) throws IOException {
        return queued.read(128);
    }

    /** The baseline. */
    @Benchmark
    public long preadv(Alone alone) {
        return alone.preadv(alone.hotFile.randomOffset());
    }
}
