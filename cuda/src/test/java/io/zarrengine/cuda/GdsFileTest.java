package io.zarrengine.cuda;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.bindings.Errno;
import io.zarrengine.bindings.ErrnoException;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Compares ranges of files on the device with the bytes written. On a machine without GPUDirect
 * Storage, cuFile's compatibility mode does the reads (bin/gpu.sh allows it).
 */
@NeedsDevice
final class GdsFileTest {
    private static final byte GUARD = (byte) 0xA5;
    private static final int FILE_BYTES = 300_001;
    private static final int MEMORY_BYTES = 200_000;
    private static final int[] LENGTHS = {0, 1, 511, 512, 4095, 4096, 4097, 65_536, 100_001};

    @TempDir Path folder;

    private final byte[] content = new byte[FILE_BYTES];
    private Path path;

    @BeforeEach
    void write() throws IOException {
        new SplittableRandom(3).nextBytes(content);
        path = Files.write(folder.resolve("file"), content);
    }

    /** The body of a test. */
    interface Body {
        void run(Lab lab, GdsFile file, GdsMemory memory) throws IOException;
    }

    /** Opens a file, and memory full of guard bytes. */
    static void run(Path path, Body body) throws IOException {
        assumeUsable();
        Lab.run(lab -> {
            try (GdsFile file = open(path);
                    GdsMemory memory = GdsMemory.allocate(lab.device, MEMORY_BYTES)) {
                lab.stream.set(memory.slice(), GUARD);
                lab.stream.synchronize();
                body.run(lab, file, memory);
            }
        });
    }

    static void assumeUsable() {
        if (GpuDirectStorage.status() instanceof GpuDirectStorage.Status.Unusable unusable) {
            assumeTrue(false, unusable.reason());
        }
    }

    static GdsFile open(Path path) throws IOException {
        try {
            return GdsFile.open(path);
        } catch (ErrnoException e) {
            assumeTrue(e.errno() != Errno.EINVAL, "no O_DIRECT here: " + path);
            throw e;
        } catch (GdsException e) { // the simulated cuFile never returns it
            assumeTrue(e.status() != GdsStatus.HANDLE_NOT_REGISTERED, e.getMessage());
            throw e;
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.cuda.PlaceCase#seeds")
    void rangesArriveAndNothingElseChanges(long seed) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        run(
                path,
                (lab, file, memory) -> {
                    byte[] expected = new byte[MEMORY_BYTES];
                    Arrays.fill(expected, GUARD);
                    for (int i = 0; i < 40; i++) {
                        int bytes = LENGTHS[random.nextInt(LENGTHS.length)];
                        int from = random.nextInt(FILE_BYTES - bytes + 1);
                        int to = random.nextInt(MEMORY_BYTES - bytes + 1);
                        if (random.nextBoolean()) {
                            from = from / 4096 * 4096;
                            to = to / 4096 * 4096;
                        }
                        file.read(from, memory, to, bytes);
                        System.arraycopy(content, from, expected, to, bytes);
                    }
                    assertArrayEquals(expected, lab.download(memory.slice()));
                });
    }

    @Test
    void anyThreadMayRead() throws IOException {
        run(
                path,
                (lab, file, memory) -> {
                    int part = MEMORY_BYTES / 4;
                    List<CompletableFuture<Void>> reads = new ArrayList<>();
                    for (int i = 0; i < 4; i++) {
                        int at = i * part;
                        reads.add(
                                CompletableFuture.runAsync(() -> {
                                    try {
                                        file.read(at, memory, at, part);
                                    } catch (IOException e) {
                                        throw new CompletionException(e);
                                    }
                                }));
                    }
                    reads.forEach(CompletableFuture::join);
                    byte[] expected = Arrays.copyOf(content, 4 * part);
                    assertArrayEquals(expected, lab.download(memory.slice().slice(0, 4L * part)));
                });
    }

    @Test
    void theFileMayEndTooEarly() throws IOException {
        run(
                path,
                (lab, file, memory) -> {
                    file.read(FILE_BYTES - 10, memory, 0, 10);
                    assertThrows(
                            EOFException.class, () -> file.read(FILE_BYTES - 10, memory, 0, 11));
                    assertThrows(EOFException.class, () -> file.read(FILE_BYTES, memory, 0, 1));
                });
    }

    @Test
    void aRangeMustFitTheMemory() throws IOException {
        run(
                path,
                (lab, file, memory) -> {
                    assertThrows(
                            IndexOutOfBoundsException.class,
                            () -> file.read(0, memory, 1, MEMORY_BYTES));
                    assertThrows(
                            IndexOutOfBoundsException.class, () -> file.read(0, memory, -1, 1));
                    byte[] guards = new byte[MEMORY_BYTES];
                    Arrays.fill(guards, GUARD);
                    assertArrayEquals(guards, lab.download(memory.slice()));
                });
    }

    @Test
    void aMissingFileIsAnError() {
        assumeUsable();
        Path none = folder.resolve("none");
        assertEquals(2, assertThrows(ErrnoException.class, () -> open(none)).errno());
    }
}
