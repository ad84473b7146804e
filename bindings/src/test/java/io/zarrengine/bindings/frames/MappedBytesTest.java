package io.zarrengine.bindings.frames;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.bindings.OtherJvm;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that bytes may vanish, which only this kind of {@link FrameBytes} supports. */
@Tag("other-jvm")
final class MappedBytesTest {
    @TempDir private Path folder;

    /**
     * The byte of a tested bit vanishes after the JIT compiler has optimized the test. Read in
     * place, this ended the JVM (JDK 25.0.3, x86-64), so it runs in a separate one.
     */
    @Test
    void theByteOfATestedBitMayVanish() throws Exception {
        assertVanishes(TestsBits.class);
    }

    /** HotSpot copies many bytes by other code than few; in older releases the JVM died there. */
    @Test
    void theBytesOfALargeCopyMayVanish() throws Exception {
        assertVanishes(CopiesMuch.class);
    }

    private void assertVanishes(Class<?> program) throws Exception {
        String file = folder.resolve("mapped").toString();
        String output = OtherJvm.run(folder, Map.of(), List.of("-Xbatch"), program, file);
        assertTrue(output.contains("vanished"), output);
    }

    /**
     * Runs in another JVM: reads all of a mapped file often, and once more when the file is empty.
     */
    private static void cut(Path file, byte[] content, Consumer<MemorySegment> reader)
            throws IOException, InterruptedException {
        Files.write(file, content);
        try (FileChannel channel =
                        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
                Arena arena = Arena.ofConfined()) {
            MemorySegment memory =
                    channel.map(FileChannel.MapMode.READ_ONLY, 0, content.length, arena);
            reader.accept(memory);
            channel.truncate(0);
            reader.accept(memory);
            Thread.sleep(1); // a native call throws an error that is still pending
            IO.println("nothing was amiss");
        } catch (InternalError e) {
            IO.println("vanished: " + e);
        }
    }

    static final class TestsBits {
        private static final int SET = 4101;

        private TestsBits() {}

        public static void main(String[] arguments) throws Exception {
            byte[] content = new byte[8192];
            content[SET] = 4;
            cut(Path.of(arguments[0]), content, TestsBits::testOften);
        }

        private static void testOften(MemorySegment memory) {
            int set = 0;
            for (int i = 0; i < 300_000; i++) {
                if (isSet(memory, SET - (i & 1))) {
                    set++;
                }
            }
            IO.println(set + " are set");
        }

        private static boolean isSet(MemorySegment memory, long at) {
            return (new MappedBytes(memory).unsignedByte(at) & 4) != 0;
        }
    }

    static final class CopiesMuch {
        private static final int BYTES = 4 << 20;

        private CopiesMuch() {}

        public static void main(String[] arguments) throws Exception {
            cut(Path.of(arguments[0]), new byte[BYTES], CopiesMuch::copyOften);
        }

        private static void copyOften(MemorySegment memory) {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment target = arena.allocate(BYTES, 64);
                for (int i = 0; i < 500; i++) {
                    MemorySegment.copy(memory, 0, target, 0, BYTES);
                }
            }
        }
    }
}
