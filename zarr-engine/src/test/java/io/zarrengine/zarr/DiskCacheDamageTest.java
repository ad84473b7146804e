package io.zarrengine.zarr;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.RemoteArray.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Damages files of a disk cache, as crashes, full disks and other programs do. */
final class DiskCacheDamageTest {
    private static final int BLOCK = 4096;

    @TempDir private Path folder;
    private RemoteArray remote;
    private Path cache;

    @BeforeEach
    void setUp() {
        remote = new RemoteArray(folder);
        cache = folder.resolve("cache");
    }

    private ZarrEngine open() {
        return ZarrEngine.builder()
                .diskCache(cache, 1L << 30)
                .diskCacheMaxAge(Duration.ofDays(1))
                .open();
    }

    private DiskCacheMetrics assertReads(byte[] expected) {
        try (ZarrEngine engine = open()) {
            assertArrayEquals(expected, remote.read(engine, "..."));
            return engine.metrics().diskCache();
        }
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> all = Files.walk(cache)) {
            return all.filter(file -> Files.isRegularFile(file) && !file.endsWith("lock")).toList();
        }
    }

    static LongStream seeds() {
        return Seeds.counting(2 * Kind.values().length);
    }

    /**
     * Faults: a damaged header, table or block is believed, breaks the reader, or makes it take
     * memory; the store is not asked instead.
     */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void damagedFilesAreReadAnew(long seed) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        List<Kind> kinds = List.of(Kind.values());
        Kind kind = kinds.get(Math.floorMod(seed, kinds.size()));
        byte[] expected = remote.write(kind).all();
        assertReads(expected);
        for (int round = 0; round < 3; round++) {
            for (Path file : files()) {
                if (random.nextInt(4) > 0) {
                    Files.write(file, damaged(Files.readAllBytes(file), random));
                }
            }
            assertReads(expected);
        }
        assertReads(expected);
        remote.store().takeChunkReads();
        assertReads(expected);
        assertEquals(0, remote.store().takeChunkReads());
    }

    /** Faults: a block that was compared vouches for others; a file that was cut is believed. */
    @Test
    void comparesEachBlockOnce() throws IOException {
        byte[] expected = remote.write(Kind.LARGE_RAW).all();
        assertReads(expected);
        try (ZarrEngine engine = open()) {
            remote.read(engine, "0:1, 0:1");
            for (Path file : files()) {
                byte[] bytes = Files.readAllBytes(file);
                bytes[bytes.length - 1] ^= 1;
                Files.write(file, bytes);
            }
            assertArrayEquals(expected, remote.read(engine, "..."));
            assertTrue(engine.metrics().diskCache().failures() > 0);
            assertArrayEquals(expected, remote.read(engine, "..."));
            for (Path file : files()) {
                Files.write(file, Arrays.copyOf(Files.readAllBytes(file), 3 * BLOCK));
            }
            assertArrayEquals(expected, remote.read(engine, "..."));
        }
    }

    private static byte[] damaged(byte[] bytes, SplittableRandom random) {
        switch (random.nextInt(6)) {
            case 0 -> { // One bit, most often of the header or of the table.
                int at = random.nextInt(random.nextBoolean() ? bytes.length : 2 * BLOCK);
                bytes[at % Math.max(bytes.length, 1)] ^= (byte) (1 << random.nextInt(8));
            }
            case 1 -> {
                return Arrays.copyOf(bytes, random.nextInt(bytes.length + 1));
            }
            case 2 -> { // Blocks that were never written, or not any more.
                int from = random.nextInt(bytes.length) & -BLOCK;
                int to = Math.min(bytes.length, from + BLOCK * (1 + random.nextInt(8)));
                Arrays.fill(bytes, from, to, (byte) 0);
            }
            case 3 -> { // Blocks at wrong places.
                int from = random.nextInt(bytes.length) & -BLOCK;
                int to = random.nextInt(bytes.length) & -BLOCK;
                int count = Math.min(BLOCK, bytes.length - Math.max(from, to));
                System.arraycopy(bytes.clone(), from, bytes, to, count);
            }
            case 4 -> random.nextBytes(bytes);
            default -> {
                return Arrays.copyOf(bytes, bytes.length + random.nextInt(3 * BLOCK));
            }
        }
        return bytes;
    }

    /** Fault: a disk that takes nothing fails reads, or is tried again with each of them. */
    @Test
    void readsGoOnWhereNothingCanBeWritten() throws IOException {
        byte[] expected = remote.write(Kind.MANY_CHUNKS).all();
        Path root = Files.createDirectories(cache.resolve("v1"));
        for (int i : IntStream.range(0, 256).toArray()) {
            Files.createFile(root.resolve("%02x".formatted(i))); // In place of a folder.
        }
        DiskCacheMetrics done = assertReads(expected);
        assertTrue(done.failures() > 0 && done.failures() < 20, done::toString);
        assertEquals(0, done.bytesWritten());
    }

    /** Fault: files that a killed process has left are never removed, or those of a living one. */
    @Test
    void removesWhatAKilledProcessLeft() throws IOException, InterruptedException {
        byte[] expected = remote.write(Kind.SHARDS).all();
        assertReads(expected);
        Path beside = files().getFirst().resolveSibling("left.part");
        Path fresh = beside.resolveSibling("fresh.part");
        Files.createFile(fresh);
        Files.createFile(beside);
        Files.setLastModifiedTime(beside, FileTime.from(Instant.now().minusSeconds(3600)));
        try (ZarrEngine _ = ZarrEngine.builder().diskCache(cache, 1L << 30).open()) {
            for (int i = 0; i < 600 && Files.exists(beside); i++) {
                Thread.sleep(100);
            }
        }
        assertTrue(Files.notExists(beside));
        assertTrue(Files.exists(fresh));
    }
}
