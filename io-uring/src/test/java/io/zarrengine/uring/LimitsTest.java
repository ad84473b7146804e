package io.zarrengine.uring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.uring.ReadBackend.Method;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real limits of the operating system, in a process of its own: a limit cannot be raised again. */
@Timeout(60)
final class LimitsTest {
    private static final String WITHOUT_PRIVILEGE = "--bounding-set=-ipc_lock";

    @TempDir Path folder;

    @BeforeEach
    void needsIoUring() {
        ReadBackend.unavailabilityCause(Method.IO_URING)
                .ifPresent(cause -> assumeTrue(false, cause));
        assumeTrue(succeeds("prlimit", "--version"), "prlimit is not installed");
    }

    /** Who may lock any memory must give that up first. */
    @Test
    void withLittleLockedMemoryReadsGoToMemoryThatIsNotRegistered() throws Exception {
        List<String> limits = new ArrayList<>();
        if (succeeds("setpriv", WITHOUT_PRIVILEGE, "true")) {
            limits.addAll(List.of("setpriv", WITHOUT_PRIVILEGE));
        }
        limits.addAll(List.of("prlimit", "--memlock=262144:262144"));
        String output = run(limits, "memory");
        assertTrue(output.startsWith(64 * 4096 + " bytes; "), output);
        assertTrue(output.endsWith("buffers not registered"), output);
    }

    @Test
    void withFewDescriptorsTheCacheOfFilesShrinks() throws Exception {
        assertEquals(
                "44850 bytes; the cache shrank: true",
                run(List.of("prlimit", "--nofile=100:100"), "files"));
    }

    @Test
    void withoutDescriptorsForRingsThePoolReads() throws Exception {
        String output = run(List.of("prlimit", "--nofile=100:100"), "rings");
        assertTrue(output.endsWith("read without a ring"), output);
    }

    private String run(List<String> limits, String what) throws Exception {
        List<String> command = new ArrayList<>(limits);
        command.addAll(
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-Xshare:auto",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-XX:-MaxFDLimit", // Else the JVM raises the limit of descriptors.
                        "-cp",
                        classPath(),
                        UnderLimits.class.getName(),
                        what,
                        folder.toString()));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), output);
        return output.strip();
    }

    private static boolean succeeds(String... command) {
        try {
            return new ProcessBuilder(command)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            throw new AssertionError(Arrays.toString(command), e);
        }
    }

    /** The class path, the module path, and what is patched into a module: the tests themselves. */
    private static String classPath() throws Exception {
        Path tests =
                Path.of(
                        LimitsTest.class
                                .getProtectionDomain()
                                .getCodeSource()
                                .getLocation()
                                .toURI());
        String patched = tests.resolveSibling("test-classes").toString();
        return String.join(
                ":",
                tests.toString(),
                patched,
                System.getProperty("jdk.module.path", ""),
                System.getProperty("java.class.path"));
    }
}
