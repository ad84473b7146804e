package io.zarrengine.bindings.machinecode;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.bindings.OtherJvm;
import io.zarrengine.bindings.SignalAction;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Truncates a mapped file while machine code or Java reads it, in a separate JVM. */
@Tag("other-jvm")
final class BusErrorTest {
    private static final String GRANTED = "--enable-native-access=ALL-UNNAMED";

    @TempDir private Path folder;

    @BeforeEach
    void needsMachineCode() {
        assumeTrue(
                MachineCodeRowCopy.isAvailable(), () -> MachineCodeRowCopy.denial().orElseThrow());
    }

    private String run(Map<String, String> environment, Class<?> program, String... options)
            throws Exception {
        List<String> all = Arrays.asList(options);
        return OtherJvm.run(folder, environment, all, program, "" + folder.resolve("mapped"));
    }

    /** Catches lost registers too: the JVM would not get to the end. */
    @Test
    void anErrorInMachineCodeEndsTheCopyAlone() throws Exception {
        String said = run(Map.of(), CutsFiles.class, GRANTED);
        assertTrue(said.contains("all went well"), said);
    }

    /** Uses JNI checks, which make HotSpot complain about handlers that are not its own. */
    @Test
    void alsoWhereTheJvmChecksItsHandlers() throws Exception {
        String said = run(Map.of(), CutsFiles.class, GRANTED, "-Xcheck:jni");
        assertTrue(said.contains("all went well"), said);
    }

    @Test
    void theHandlerIsLeftAloneIfAsked() throws Exception {
        String said = run(Map.of(), SaysWhy.class, GRANTED, "-Dio.zarrengine.sigbus=off");
        assertTrue(said.contains("handler kept: switched off by -Dio.zarrengine.sigbus=off"), said);
    }

    /** Uses libjsig, which calls other libraries' handlers after the JVM's. */
    @Test
    void alsoWhereLibjsigChainsHandlers() throws Exception {
        Path libjsig = OtherJvm.library("libjsig.so");
        assumeTrue(Files.exists(libjsig), "this JDK has no libjsig");
        String said = run(Map.of("LD_PRELOAD", "" + libjsig), CutsFiles.class, GRANTED);
        assertTrue(said.contains("all went well"), said);
    }

    static final class SaysWhy {
        private SaysWhy() {}

        public static void main(String[] arguments) throws Exception {
            try (Arena arena = Arena.ofConfined()) {
                long before = SignalAction.of(SignalAction.SIGBUS, arena).handler();
                String why = MachineCodeRowCopy.exposure().orElse("no reason");
                long after = SignalAction.of(SignalAction.SIGBUS, arena).handler();
                IO.println("handler " + (before == after ? "kept: " : "changed: ") + why);
            }
        }
    }
}
