package io.zarrengine.uring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.uring.ReadBackend.Method;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests reads of a few bytes on the calling thread. */
final class ReadBackendReadTest {
    private static final int BLOCK = 4096;

    @TempDir Path folder;

    static Stream<Arguments> ways() {
        return Stream.of(Method.values())
                .flatMap(method ->
                        Stream.of(Caching.values()).map(way -> Arguments.of(method, way)));
    }

    /** Direct reads read whole blocks, and the last block of a file is incomplete. */
    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("ways")
    void bringsTheBytesWhereverTheyAre(Method method, Caching caching) throws IOException {
        assumeTrue(ReadBackend.unavailabilityCause(method).isEmpty());
        byte[] content = new byte[3 * BLOCK + 100];
        new SplittableRandom(1).nextBytes(content);
        Path path = Files.write(folder.resolve("file"), content);
        try (ReadBackend backend = ReadBackend.of(method)) {
            FileHandle file = backend.open(path, caching);
            for (int from : new int[] {0, 1, BLOCK - 1, BLOCK, 2 * BLOCK + 7, 3 * BLOCK + 99}) {
                for (int bytes : new int[] {0, 1, 2, BLOCK + 1, content.length - from}) {
                    int to = from + bytes;
                    if (to <= content.length) {
                        byte[] expected = Arrays.copyOfRange(content, from, to);
                        assertArrayEquals(expected, backend.read(file, from, bytes));
                    } else {
                        EOFException e =
                                assertThrows(
                                        EOFException.class, () -> backend.read(file, from, bytes));
                        assertEquals("the file ends before byte " + to, e.getMessage());
                    }
                }
            }
            file.release();
        }
    }

    @ParameterizedTest
    @EnumSource
    void theOpenFileIsReadWhateverIsInItsPlace(Method method) throws IOException {
        assumeTrue(ReadBackend.unavailabilityCause(method).isEmpty());
        Path path = Files.writeString(folder.resolve("file"), "first");
        try (ReadBackend backend = ReadBackend.of(method)) {
            FileHandle file = backend.open(path);
            Path other = Files.writeString(folder.resolve("other"), "another");
            Files.move(other, path, StandardCopyOption.REPLACE_EXISTING);
            assertArrayEquals("irs".getBytes(UTF_8), backend.read(file, 1, 3));
            file.release();
        }
    }

    /** A channel that an interrupted thread closes is closed for all readers. */
    @ParameterizedTest
    @EnumSource
    void whoIsInterruptedReadsToo(Method method) throws IOException {
        assumeTrue(ReadBackend.unavailabilityCause(method).isEmpty());
        Path path = Files.writeString(folder.resolve("file"), "first");
        try (ReadBackend backend = ReadBackend.of(method)) {
            FileHandle file = backend.open(path);
            Thread.currentThread().interrupt();
            byte[] read = backend.read(file, 0, 5);
            assertTrue(Thread.interrupted(), "still interrupted");
            assertArrayEquals("first".getBytes(UTF_8), read);
            assertArrayEquals("first".getBytes(UTF_8), backend.read(file, 0, 5));
            file.release();
        }
    }

    @Test
    void aPoolThatIsClosedSaysSo() throws IOException {
        Path path = Files.writeString(folder.resolve("file"), "first");
        ReadBackend backend = ReadBackend.of(Method.FILE_CHANNEL);
        FileHandle file = backend.open(path);
        backend.close();
        IOException e = assertThrows(IOException.class, () -> backend.read(file, 0, 5));
        assertEquals("what reads it is closed", e.getMessage());
        file.release();
    }
}
