package io.zarrengine.jmh;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Question: how much of a codec's downcall would other linker options save?
 *
 * <p>Unit: ns for each call of strnlen(3) with a pointer and 0, which does nothing. Baseline:
 * {@link #plain}, the way codecs are called: they may take a millisecond, and a {@code critical}
 * call would block the collector for that long.
 *
 * <p>Sketch, made before measuring: a plain call tells the JVM that the thread is in native code,
 * and checks on its return whether the collector waits, with a fence: 5 ns. {@code critical} omits
 * both: 1 ns. Errno is copied after the call: 3 ns more. A pointer of a shared arena counts that
 * arena's users up and down, two atomic additions: 10 ns. The smallest chunk that is worth a call
 * takes a microsecond, so plain calls are used. Measured on Zen 4: 6.2, critical 3.7, errno 8.6, of
 * a shared arena 7.8.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 10, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
        value = 3,
        jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+AlwaysPreTouch"})
@State(Scope.Thread)
public class LinkerOptionBenchmark {
    private static final Linker LINKER = Linker.nativeLinker();
    private static final MethodHandle PLAIN = link();
    private static final MethodHandle CRITICAL = link(Linker.Option.critical(false));
    private static final MethodHandle CRITICAL_WITH_HEAP = link(Linker.Option.critical(true));
    private static final MethodHandle WITH_ERRNO = link(Linker.Option.captureCallState("errno"));

    private Arena confined;
    private Arena shared;
    private MemorySegment text;
    private MemorySegment textOfShared;
    private MemorySegment callState;

    @SuppressWarnings("restricted") // The descriptor is that of strnlen.
    private static MethodHandle link(Linker.Option... options) {
        return LINKER.downcallHandle(
                LINKER.defaultLookup().findOrThrow("strnlen"),
                FunctionDescriptor.of(JAVA_LONG, ADDRESS, JAVA_LONG),
                options);
    }

    /** Allocates the arguments. */
    @Setup
    public void setUp() {
        confined = Arena.ofConfined();
        shared = Arena.ofShared();
        text = confined.allocate(1);
        textOfShared = shared.allocate(1);
        callState = confined.allocate(Linker.Option.captureStateLayout());
    }

    /** Frees the arguments. */
    @TearDown
    public void tearDown() {
        confined.close();
        shared.close();
    }

    /** The baseline. */
    @Benchmark
    public long plain() throws Throwable {
        return (long) PLAIN.invokeExact(text, 0L);
    }

    /** With a pointer that belongs to a shared arena. */
    @Benchmark
    public long plainOfSharedArena() throws Throwable {
        return (long) PLAIN.invokeExact(textOfShared, 0L);
    }

    /** The collector waits for the call. */
    @Benchmark
    public long critical() throws Throwable {
        return (long) CRITICAL.invokeExact(text, 0L);
    }

    /** The same, for pointers to the heap too. */
    @Benchmark
    public long criticalWithHeap() throws Throwable {
        return (long) CRITICAL_WITH_HEAP.invokeExact(text, 0L);
    }

    /** The way system calls are made. */
    @Benchmark
    public long withErrno() throws Throwable {
        return (long) WITH_ERRNO.invokeExact(callState, text, 0L);
    }
}
