package io.zarrengine.bench.compare;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The command lines of the workers.
 *
 * @param sources the folder of their sources
 * @param python the interpreter of the environment with the peers
 * @param limit the C program
 * @param zarrs the Rust program; may be missing
 * @param before the class path of an earlier build; empty if there is none
 * @param wheel the interpreter of an environment with the engine's Python package; empty if the
 *     package is not measured
 */
record WorkerCommands(
        Path sources, Path python, Path limit, Path zarrs, String before, String wheel) {
    private static final String ENGINE_OPTIONS = "ZARR_ENGINE_JAVA_OPTIONS";
    private static final String VECTORS = "--add-modules=jdk.incubator.vector";

    List<String> python(String script, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(python.toString());
        command.add(sources.resolve("python").resolve(script).toString());
        command.addAll(List.of(arguments));
        return command;
    }

    /** Returns a command as a program has it that embeds the engine and sets no options. */
    static List<String> withoutVectors(List<String> command) {
        return command.stream().filter(part -> !part.equals(VECTORS)).toList();
    }

    List<String> limitCommand() {
        return List.of(limit.toString());
    }

    List<String> zarrsCommand() {
        return List.of(zarrs.toString());
    }

    boolean hasPython() {
        return Files.isExecutable(python);
    }

    boolean hasZarrs() {
        return Files.isExecutable(zarrs);
    }

    boolean hasBefore() {
        return !before.isEmpty();
    }

    boolean hasWheel() {
        return !wheel.isEmpty();
    }

    /** Returns the command of the engine's Python package. */
    List<String> wheelCommand() {
        return List.of(wheel, sources.resolve("python/zarr_engine_worker.py").toString());
    }

    /**
     * Returns the command of the engine in Java with those options of the Python package that have
     * to do with speed, see {@code _java.py}.
     */
    List<String> engineAsInPython() {
        Path compilers = sources.resolve("../../../python/zarr_engine/compilers.json").normalize();
        return engineCommand(
                "-Xmx512m",
                "-XX:+UnlockDiagnosticVMOptions",
                "-XX:CompilerDirectivesFile=" + compilers,
                "-XX:-DisplayVMOutput",
                "-XX:+DisableExplicitGC");
    }

    List<String> engineCommand(String... javaOptions) {
        return engine(System.getProperty("java.class.path"), javaOptions);
    }

    List<String> engineBefore() {
        return engine(before);
    }

    /** Returns the command with the Java options of {@code bin/zarr-engine}, and with vectors. */
    private static List<String> engine(String classPath, String... javaOptions) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(
                List.of(
                        "-XX:+UseSerialGC",
                        // Log lines of the JVM would be read as answers.
                        "-Xlog:disable",
                        "-Xlog:jfr+startup=error:stderr",
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow",
                        VECTORS));
        command.addAll(List.of(javaOptions));
        String more = System.getenv().getOrDefault(ENGINE_OPTIONS, "");
        if (!more.isBlank()) {
            command.addAll(List.of(more.strip().split("\\s+")));
        }
        command.addAll(List.of("-cp", classPath));
        command.add(EngineWorker.class.getName());
        return command;
    }
}
