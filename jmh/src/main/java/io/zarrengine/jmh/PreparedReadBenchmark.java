package io.zarrengine.jmh;

import io.zarrengine.bindings.NativeMemory;
import io.zarrengine.uring.FileHandle;
import io.zarrengine.uring.ReadBackend;
import io.zarrengine.uring.ReadListener;
import io.zarrengine.uring.ReadQueue;
import io.zarrengine.uring.plan.FuseRule;
import io.zarrengine.uring.plan.ReadPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Question: how much time does Java take for a read before the system call, and does it allocate?
 *
 * <p>Unit: ns per range, 1024 of them in random order, none fused; {@code -prof gc} shows the
 * bytes. Baseline: {@link #submission}, the entry of a range that needs no plan.
 *
 * <p>Sketch, made before measuring: filling an entry takes 2 ns, its slot and its checks 20 ns;
 * adding and sorting a range takes 35 ns, so the total is 60 ns: three times the baseline. The
 * arrays of the plan and of the slots are kept, so nothing is allocated.
 *
 * <p>Method: the reads end between two measured calls, outside the time, but the bytes that this
 * allocates are counted.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 10, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
        value = 3,
        jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+AlwaysPreTouch"})
@State(Scope.Thread)
public class PreparedReadBenchmark {
    private static final int RANGES = 1024;
    private static final int RANGE_BYTES = 64;
    private static final long FILE_BYTES = 1 << 20;
    private static final FuseRule APART = FuseRule.BUFFERED.withGap(0);

    private final long[] offsets = new long[RANGES];
    private final ReadPlan plan = new ReadPlan();
    private NativeMemory memory;
    private Path path;
    private ReadBackend backend;
    private FileHandle file;
    private ReadQueue queue;
    private int fileNumber;
    private long bytesRead;
    private final ReadListener listener = (token, result) -> bytesRead += result;

    /** Writes the file, and shuffles ranges of it that do not touch. */
    @Setup
    public void setUp() throws IOException {
        path =
                Files.write(
                        Files.createTempFile("zarr-engine", ".bench"), new byte[(int) FILE_BYTES]);
        memory = NativeMemory.allocate((long) RANGES * RANGE_BYTES);
        backend = ReadBackend.of(ReadBackend.Method.IO_URING);
        file = backend.open(path);
        queue = backend.newQueue(RANGES, List.of(memory.segment()));
        fileNumber = queue.attach(file);
        SplittableRandom random = new SplittableRandom(42);
        for (int i = 0; i < RANGES; i++) {
            int j = random.nextInt(i + 1);
            offsets[i] = offsets[j];
            offsets[j] = i * (FILE_BYTES / RANGES);
        }
    }

    /** Ends the reads, and checks that there was one for each range. */
    @TearDown(Level.Invocation)
    public void drain() throws IOException {
        bytesRead = 0;
        while (queue.inFlight() > 0) {
            queue.await(listener, PreparedReadBenchmark::yes);
        }
        if (bytesRead != (long) RANGES * RANGE_BYTES) {
            throw new AssertionError(bytesRead + " bytes");
        }
    }

    private static boolean yes() {
        return true;
    }

    /** Frees everything. */
    @TearDown
    public void tearDown() throws IOException {
        queue.detach(fileNumber);
        queue.close();
        file.release();
        backend.close();
        memory.close();
        Files.delete(path);
    }

    /** The baseline. */
    @Benchmark
    @OperationsPerInvocation(RANGES)
    public int submission() {
        for (int i = 0; i < RANGES; i++) {
            queue.read(
                    fileNumber,
                    offsets[i],
                    memory.segment(),
                    (long) i * RANGE_BYTES,
                    RANGE_BYTES,
                    i);
        }
        return queue.inFlight();
    }

    /** From ranges in any order to entries of the ring. */
    @Benchmark
    @OperationsPerInvocation(RANGES)
    public int planToSubmission() {
        plan.clear();
        for (int i = 0; i < RANGES; i++) {
            plan.add(fileNumber, offsets[i], RANGE_BYTES);
        }
        plan.arrange(APART);
        for (int read = 0; read < plan.readCount(); read++) {
            queue.read(
                    plan.file(read),
                    plan.offset(read),
                    memory.segment(),
                    (long) read * RANGE_BYTES,
                    plan.bytes(read),
                    read);
        }
        return queue.inFlight();
    }
}
