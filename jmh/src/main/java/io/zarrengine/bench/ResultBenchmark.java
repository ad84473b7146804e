package io.zarrengine.bench;

import io.zarrengine.bindings.NativeMemory;
import io.zarrengine.zarr.HostTensor;
import io.zarrengine.zarr.Selection;
import io.zarrengine.zarr.ZarrArray;
import io.zarrengine.zarr.ZarrEngine;
import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Question: what does a result cost that the engine makes, and that is closed?
 *
 * <p>Unit: ns per read of {@code bytes} uncompressed bytes, inner chunks of 64 KiB in the page
 * cache, from one place after the other. Baseline: {@link #toTheCallersMemory}.
 *
 * <p>Sketch, made before measuring: an arena that ends takes 12 to 75 us, 64 KiB are read in 7, and
 * 64 results of that size end together: 1 us more than the baseline. Of 1 MiB four do, 15 us of
 * 105.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 10, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
        value = 3,
        jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+AlwaysPreTouch"})
@State(Scope.Benchmark)
public class ResultBenchmark {
    private static final int ARRAY_BYTES = 64 << 20;
    private static final int CHUNK_BYTES = 64 << 10;

    /** What is read at once. */
    @Param({"65536", "1048576"})
    int bytes;

    private Path folder;
    private ZarrEngine engine;
    private ZarrArray array;
    private Selection[] parts;

    /** A thread's place in the array, and its own memory. */
    @State(Scope.Thread)
    public static class Reader {
        private NativeMemory memory;
        private int next;

        /** Takes the memory. */
        @Setup
        public void setUp(ResultBenchmark benchmark) {
            memory = NativeMemory.allocate(benchmark.bytes);
        }

        /** Frees it. */
        @TearDown
        public void tearDown() {
            memory.close();
        }
    }

    /** Writes an array of random bytes. */
    @Setup
    public void setUp() throws IOException {
        folder = Files.createTempDirectory("results");
        engine = ZarrEngine.open();
        ArrayMetadata metadata =
                ArrayMetadata.builder(NumericType.UINT8, ARRAY_BYTES)
                        .chunkShape(ARRAY_BYTES)
                        .codecs(
                                List.of(
                                        CodecSpec.sharding(
                                                new long[] {CHUNK_BYTES}, CodecSpec.bytes())))
                        .build();
        Path path = folder.resolve("raw.zarr");
        engine.createArray(path, metadata)
                .writeAll((_, elements) -> {
                    byte[] random = new byte[Math.toIntExact(elements.byteSize())];
                    new SplittableRandom(42).nextBytes(random);
                    elements.asByteBuffer().put(random);
                });
        array = engine.openArray(path);
        parts = new Selection[ARRAY_BYTES / bytes];
        for (int i = 0; i < parts.length; i++) {
            parts[i] = Selection.box(new long[] {(long) i * bytes}, new long[] {bytes});
        }
    }

    /** Closes the engine, and deletes the array. */
    @TearDown
    public void tearDown() throws IOException {
        engine.close();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    private Selection next(Reader reader) {
        return parts[reader.next++ % parts.length];
    }

    /** A result for each. */
    @Benchmark
    public long toNewMemory(Reader reader) {
        try (HostTensor result = array.read(next(reader))) {
            return result.byteSize();
        }
    }

    /** The baseline. */
    @Benchmark
    public void toTheCallersMemory(Reader reader) {
        array.read(next(reader), reader.memory.segment());
    }
}
