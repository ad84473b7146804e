package io.zarrengine.bindings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.kernels.CompiledCode;
import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs programs that may end their JVM in a separate JVM. */
public final class OtherJvm {
    private static final Path HOME = Path.of(System.getProperty("java.home"));

    private OtherJvm() {}

    /** Returns a library of this JDK. */
    public static Path library(String name) {
        return HOME.resolve("lib", name);
    }

    /**
     * {@return the output of a program, which must succeed}
     *
     * @param folder working directory, which also gets the output
     * @param environment additional variables
     * @param options of the JVM
     * @param program has a main method
     */
    public static String run(
            Path folder,
            Map<String, String> environment,
            List<String> options,
            Class<?> program,
            String... arguments)
            throws Exception {
        Path said = folder.resolve("said");
        String classes =
                String.join(
                        File.pathSeparator,
                        placeOf(NativeAccess.class),
                        placeOf(CompiledCode.class),
                        placeOf(program));
        List<String> command = new ArrayList<>();
        command.add(HOME.resolve("bin", "java").toString());
        command.addAll(options);
        command.addAll(List.of("-cp", classes, program.getName()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(said.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        try {
            assertTrue(process.waitFor(300, TimeUnit.SECONDS), "the other JVM does not end");
        } finally {
            process.destroyForcibly();
        }
        String output = Files.readString(said);
        assertEquals(0, process.exitValue(), output);
        return output;
    }

    private static String placeOf(Class<?> type) throws URISyntaxException {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
    }
}
