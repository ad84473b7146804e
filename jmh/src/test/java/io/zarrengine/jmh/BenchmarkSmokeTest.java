package io.zarrengine.jmh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.bindings.NativeLibrary;
import io.zarrengine.uring.ReadBackend;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs every benchmark for a millisecond with each of its parameters, so that it keeps working. Its
 * setup checks its results; nothing is measured.
 */
final class BenchmarkSmokeTest {
    /** The requirements of benchmarks, as suppliers of the reason why they are missing. */
    private static final Map<Class<?>, Supplier<Optional<String>>> NEEDS =
            Map.of(
                    ReadQueueBenchmark.class,
                    () -> ReadBackend.unavailabilityCause(ReadBackend.Method.IO_URING),
                    PreparedReadBenchmark.class,
                    () -> ReadBackend.unavailabilityCause(ReadBackend.Method.IO_URING),
                    DecodeDownCallBenchmark.class,
                    BenchmarkSmokeTest::missingLibrary,
                    PartialDecodeBenchmark.class,
                    BenchmarkSmokeTest::missingLibrary);

    private static Optional<String> missingLibrary() {
        return NativeLibrary.LIBZSTD
                .unavailabilityCause()
                .or(NativeLibrary.LIBLZ4::unavailabilityCause);
    }

    @BeforeAll
    static void shareTheMachine() {
        System.setProperty("jmh.ignoreLock", "true"); // Another run is not disturbed for long.
    }

    /** Returns all classes of the module that contain a benchmark, found in its class files. */
    static List<Class<?>> benchmarks() throws IOException, URISyntaxException {
        Path root =
                Path.of(
                        PlanBenchmark.class
                                .getProtectionDomain()
                                .getCodeSource()
                                .getLocation()
                                .toURI());
        try (Stream<Path> files = Files.walk(root)) {
            return files.map(file -> root.relativize(file).toString())
                    .filter(name -> name.endsWith(".class") && !name.contains("_jmh"))
                    .map(name -> name.substring(0, name.length() - ".class".length()))
                    .sorted()
                    .<Class<?>>map(name -> load(name.replace('/', '.')))
                    .filter(type -> !methods(type).isEmpty())
                    .toList();
        }
    }

    private static Class<?> load(String name) {
        try {
            return Class.forName(name, false, BenchmarkSmokeTest.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    private static Set<String> methods(Class<?> type) {
        return Arrays.stream(type.getDeclaredMethods())
                .filter(method -> method.isAnnotationPresent(Benchmark.class))
                .map(method -> type.getName() + "." + method.getName())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void theBenchmarksAreFound() throws Exception {
        assertTrue(benchmarks().contains(ShardIndexBenchmark.class), benchmarks()::toString);
    }

    @ParameterizedTest
    @MethodSource("benchmarks")
    void runs(Class<?> type) throws RunnerException {
        Optional<String> missing = NEEDS.getOrDefault(type, Optional::empty).get();
        assumeTrue(missing.isEmpty(), missing::toString);
        Options options =
                new OptionsBuilder()
                        .include("^" + type.getName().replace(".", "\\.") + "\\.")
                        .forks(0)
                        .warmupIterations(0)
                        .measurementIterations(1)
                        .measurementTime(TimeValue.milliseconds(1))
                        .shouldFailOnError(true)
                        .verbosity(VerboseMode.SILENT)
                        .build();
        Set<String> ran =
                new Runner(options)
                        .run().stream()
                                .map(result -> result.getParams().getBenchmark())
                                .collect(Collectors.toCollection(TreeSet::new));
        assertEquals(methods(type), ran);
    }

    /** All numbers must be measured in the same way, because they are compared across classes. */
    @ParameterizedTest
    @MethodSource("benchmarks")
    void hasTheSameHeaderAsTheOthers(Class<?> type) {
        for (var annotation :
                List.of(
                        BenchmarkMode.class,
                        OutputTimeUnit.class,
                        Warmup.class,
                        Measurement.class,
                        Fork.class)) {
            assertEquals(
                    PlanBenchmark.class.getAnnotation(annotation), type.getAnnotation(annotation));
        }
    }
}
