package io.zarrengine.bindings.machinecode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** The CPU flags that the kernel reports. */
final class ProcessorFlags {
    private static final Path INFO = Path.of("/proc/cpuinfo");

    private ProcessorFlags() {}

    /** Skips a test of machine code that is missing. */
    static void assumeThere(Optional<String> denial) {
        denial.ifPresent(why -> assumeTrue(false, why));
    }

    /** Fails unless exactly these flags decide whether some machine code is there. */
    static void assertDecide(Optional<String> denial, String... needed) {
        assumeTrue(MachineCode.denial() == null && Files.isReadable(INFO));
        String flags = " " + info().replace('\n', ' ') + " ";
        boolean hasAll = Stream.of(needed).allMatch(flag -> flags.contains(" " + flag + " "));
        assertEquals(hasAll, denial.isEmpty(), denial::toString);
    }

    private static String info() {
        try {
            return Files.readString(INFO);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
