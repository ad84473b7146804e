package io.zarrengine.zarr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Runs a test class in a JVM of its own, for properties of a whole process. */
final class OtherJvm {
    /** Option of a short-lived JVM, in which better code does not pay. */
    static final String QUICKLY = "-XX:TieredStopAtLevel=1";

    private static final String RESULT = "result: ";

    private OtherJvm() {}

    /**
     * {@return the lines that the JVM printed}
     *
     * @param under the command that starts the JVM, e.g. with other limits; may be empty
     * @param options options of the JVM
     * @param libraries selects jars of the class path by name
     * @param main the main class, which must end well within a minute
     * @param folder its argument
     */
    static List<String> run(
            List<String> under,
            List<String> options,
            Predicate<String> libraries,
            Class<?> main,
            Path folder)
            throws Exception {
        Path said = folder.resolve("said");
        Process process = start(under, options, libraries, main, folder, said);
        try {
            assertTrue(process.waitFor(300, TimeUnit.SECONDS), "the other JVM does not end");
        } finally {
            process.destroyForcibly();
        }
        List<String> lines = Files.readAllLines(said);
        assertEquals(0, process.exitValue(), lines::toString);
        return lines;
    }

    /** Prints the result of the program that runs in a JVM of its own, with a log around it. */
    static void printResult(Object result) {
        IO.println(RESULT + result);
    }

    /** {@return what {@link #printResult} printed among these lines} */
    static String resultOf(List<String> lines) {
        return lines.stream()
                .filter(line -> line.startsWith(RESULT))
                .map(line -> line.substring(RESULT.length()))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no result: " + lines));
    }

    /** {@return the JVM, which prints to a file; as {@link #run} otherwise} */
    static Process start(
            List<String> under,
            List<String> options,
            Predicate<String> libraries,
            Class<?> main,
            Path folder,
            Path said)
            throws IOException, URISyntaxException {
        List<String> command = new ArrayList<>(under);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add(QUICKLY);
        command.addAll(options);
        command.addAll(List.of("-cp", classes(libraries, main), main.getName(), folder.toString()));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
    }

    private static String classes(Predicate<String> libraries, Class<?> main)
            throws URISyntaxException {
        Stream<String> others =
                Stream.of("java.class.path", "jdk.module.path")
                        .map(name -> System.getProperty(name, ""))
                        .flatMap(path -> Arrays.stream(path.split(File.pathSeparator)))
                        .filter(entry -> libraries.test(nameOf(entry)));
        return Stream.concat(Stream.of(placeOf(main), placeOf(ZarrEngine.class)), others)
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static String nameOf(String entry) {
        return entry.substring(entry.lastIndexOf(File.separatorChar) + 1);
    }

    private static String placeOf(Class<?> type) throws URISyntaxException {
        URI place = type.getProtectionDomain().getCodeSource().getLocation().toURI();
        return Path.of(place).toString();
    }
}
