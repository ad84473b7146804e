package io.zarrengine.bindings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MappedBytesTest {
    @TempDir private Path folder;

    @Test
    void readsLittleEndianNumbers() {
        MemorySegment memory =
                MemorySegment.ofArray(new byte[] {1, 2, (byte) 0xff, 4, 5, 6, 7, (byte) 0x88, 9});
        var bytes = new MappedBytes(memory);
        assertEquals(0xff, bytes.unsignedByte(2));
        assertEquals(0x04ff, bytes.littleEndian(2, 2));
        assertEquals(0x88070605, bytes.littleEndianInt(4));
        assertEquals(0x88070605L, bytes.littleEndian(4, 4));
        assertEquals(0x09880706_0504ff02L, bytes.littleEndian(1, 8));
        assertEquals(0, bytes.littleEndian(9, 0));
        assertThrows(IndexOutOfBoundsException.class, () -> bytes.littleEndian(6, 4));
        assertThrows(IndexOutOfBoundsException.class, () -> bytes.unsignedByte(-1));
    }

    /**
     * Once the JIT compiler has made what it can of a bit that is tested, the byte vanishes: read
     * in place, that ended the JVM (JDK 25.0.3, x86-64), so this runs one of its own.
     */
    @Test
    void theByteOfATestedBitMayVanish() throws IOException, InterruptedException {
        Path file = folder.resolve("mapped");
        Path said = folder.resolve("said");
        Process process =
                new ProcessBuilder(
                                List.of(
                                        Path.of(System.getProperty("java.home"), "bin", "java")
                                                .toString(),
                                        "-Xbatch",
                                        "-cp",
                                        placeOf(MappedBytes.class)
                                                + File.pathSeparator
                                                + placeOf(TestsBits.class),
                                        TestsBits.class.getName(),
                                        file.toString()))
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(said.toFile())
                        .start();
        int status = process.waitFor();
        assertEquals(0, status, () -> "JVM: " + read(said));
        assertTrue(read(said).contains("vanished"), () -> read(said));
    }

    private static String placeOf(Class<?> type) {
        return type.getProtectionDomain().getCodeSource().getLocation().getPath();
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** What the other JVM runs. */
    static final class TestsBits {
        private static final int SET = 4101;

        private TestsBits() {}

        public static void main(String[] arguments) throws IOException {
            Path file = Path.of(arguments[0]);
            byte[] bytes = new byte[8192];
            bytes[SET] = 4;
            Files.write(file, bytes);
            try (FileChannel channel =
                            FileChannel.open(
                                    file, StandardOpenOption.READ, StandardOpenOption.WRITE);
                    Arena arena = Arena.ofConfined()) {
                MemorySegment memory = channel.map(FileChannel.MapMode.READ_ONLY, 0, 8192, arena);
                int set = 0;
                for (int i = 0; i < 300_000; i++) {
                    if (isSet(memory, SET - (i & 1))) {
                        set++;
                    }
                }
                channel.truncate(0);
                if (isSet(memory, SET)) {
                    set++;
                }
                Thread.sleep(1); // An error that is not thrown yet comes with a native call.
                IO.println(set + " are set");
            } catch (InternalError | InterruptedException e) {
                IO.println("vanished: " + e);
            }
        }

        private static boolean isSet(MemorySegment memory, long at) {
            return (new MappedBytes(memory).unsignedByte(at) & 4) != 0;
        }
    }
}
