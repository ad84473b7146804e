package io.zarrengine.uring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests real limits of the operating system, in separate processes, because a process cannot raise
 * a limit again.
 */
@Timeout(60)
final class LimitsTest implements NeedsIoUring {
    private static final String WITHOUT_PRIVILEGE = "--bounding-set=-ipc_lock";

    @TempDir Path folder;

    @BeforeEach
    void needsPrlimit() {
        assumeTrue(succeeds("prlimit", "--version"), "prlimit is not installed");
    }

    /** A process that may lock any memory must drop that right first. */
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

    /**
     * The cache keeps a quarter of the descriptors. If the program takes the others, the cache
     * gives up its own.
     */
    @Test
    void withFewDescriptorsTheCacheOfFilesShrinks() throws Exception {
        String output = run(List.of("prlimit", "--nofile=100:100"), "files");
        String[] times = output.split(", then ");
        assertEquals("44850 bytes, 275 given up, 0 shrinks", times[0]);
        assertTrue(times[1].matches("44850 bytes, .* [1-9][0-9]* shrinks"), output);
    }

    @Test
    void withoutDescriptorsForRingsThePoolReads() throws Exception {
        String output = run(List.of("prlimit", "--nofile=100:100"), "rings");
        assertTrue(output.contains("read without a ring"), output);
    }

    /** Containers, a sysctl and kernels without io_uring refuse it. Another way must read. */
    @ParameterizedTest(name = "system call {0} answers {1}")
    @CsvSource({
        "425, 1, PREADV; io_uring_setup(5 entries): EPERM",
        "425, 38, PREADV; io_uring_setup(5 entries): ENOSYS",
        "425, 12, PREADV; io_uring_setup(5 entries): ENOMEM",
        "426, 1, PREADV; io_uring_enter(2 entries): EPERM",
        "427, 1, IO_URING; files not registered; buffers not registered",
    })
    void aSystemCallThatIsRefusedChoosesAnotherWay(int systemCall, int errno, String expected)
            throws Exception {
        assumeTrue(ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN, "the filter is for those");
        String output =
                run(List.of(), "refused", Integer.toString(systemCall), Integer.toString(errno));
        for (String part : expected.split("; ")) {
            assertTrue(output.contains(part), output);
        }
    }

    private String run(List<String> limits, String what, String... more) throws Exception {
        List<String> command = new ArrayList<>(limits);
        command.addAll(
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-Xshare:auto",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-XX:-MaxFDLimit", // Otherwise the JVM raises the limit of descriptors.
                        "-cp",
                        classPath(),
                        UnderLimits.class.getName(),
                        what,
                        folder.toString()));
        command.addAll(List.of(more));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int status = process.waitFor();
        assumeFalse(output.contains("prctl 22 is refused"), "no seccomp here");
        assertEquals(0, status, output);
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

    /**
     * Returns the class path, the module path, and the folders patched into modules, which hold the
     * tests.
     */
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
