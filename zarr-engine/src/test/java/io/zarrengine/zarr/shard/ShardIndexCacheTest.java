package io.zarrengine.zarr.shard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.pipeline.ShardIndexCodec;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Entries that the cache keeps, the order of eviction, and the owner of the memory. An index takes
 * 16 bytes for each inner chunk, and memory comes in powers of two from 64 bytes on.
 */
final class ShardIndexCacheTest {
    private static final ShardIndexCodec CODEC =
            new ShardIndexCodec(false, ByteOrder.nativeOrder(), false);
    private static final List<String> KEYS = List.of("a", "b", "c", "d", "e", "f");

    private static <K> void add(ShardIndexCache<K> cache, K key, int chunks) {
        added(cache, key, chunks).close();
    }

    /** Adds an index whose numbers all equal its count of chunks, to tell it from others. */
    private static <K> ShardIndex added(ShardIndexCache<K> cache, K key, int chunks) {
        long[] rows = new long[2 * chunks];
        Arrays.fill(rows, chunks);
        try {
            return cache.add(key, CODEC, MemorySegment.ofArray(rows), Long.MAX_VALUE);
        } catch (CodecException e) {
            throw new AssertionError(e);
        }
    }

    private static void assertIntact(ShardIndex index) {
        int chunks = (int) index.byteSize() / 16;
        for (int chunk = 0; chunk < chunks; chunk++) {
            assertEquals(chunks, index.offset(chunk));
            assertEquals(chunks, index.size(chunk));
        }
    }

    private static boolean isKept(ShardIndexCache<String> cache, String key) {
        return cache.get(key)
                .map(index -> {
                    assertIntact(index);
                    index.close();
                    return true;
                })
                .orElse(false);
    }

    private static String kept(ShardIndexCache<String> cache) {
        return String.join("", KEYS.stream().filter(key -> isKept(cache, key)).toList());
    }

    @Test
    void evictsUnusedEntriesFirst() {
        try (ShardIndexCache<String> cache = new ShardIndexCache<>(256)) {
            for (String key : List.of("a", "b", "c", "d")) {
                add(cache, key, 4);
            }
            assertEquals(256, cache.bytes());
            assertTrue(isKept(cache, "a"), "now b goes first");
            add(cache, "e", 3);
            assertEquals("acde", kept(cache));
            assertEquals(240, cache.bytes());
            add(cache, "f", 16);
            assertEquals("f", kept(cache), "it takes all that there is");
        }
    }

    @Test
    void replacesAnEntryAndItsBytes() {
        try (ShardIndexCache<String> cache = new ShardIndexCache<>(256)) {
            add(cache, "a", 5);
            add(cache, "a", 2);
            assertEquals(32, cache.bytes());
            try (ShardIndex index = cache.get("a").orElseThrow()) {
                assertEquals(32, index.byteSize());
                assertIntact(index);
            }
            add(cache, "b", 8);
            assertEquals("ab", kept(cache));
        }
    }

    @Test
    void doesNotKeepAnIndexLargerThanTheCache() {
        try (ShardIndexCache<String> cache = new ShardIndexCache<>(128);
                ShardIndexCache<String> none = new ShardIndexCache<>(0)) {
            add(cache, "a", 3);
            try (ShardIndex large = added(cache, "b", 9)) {
                assertIntact(large);
            }
            assertEquals("a", kept(cache), "it was not forgotten for nothing");
            add(none, "a", 1);
            assertEquals(0, none.bytes());
        }
    }

    /** Otherwise a reader would see the rows of another shard. */
    @Test
    void keepsTheMemoryOfAnIndexInUse() {
        try (ShardIndexCache<String> cache = new ShardIndexCache<>(64)) {
            add(cache, "a", 4);
            try (ShardIndex used = cache.get("a").orElseThrow();
                    ShardIndex other = added(cache, "b", 3)) {
                assertIntact(used);
                assertIntact(other);
                assertEquals("", kept(cache), "a was forgotten, and b had no room");
            }
            add(cache, "c", 2);
            assertEquals("c", kept(cache), "the room of a is free again");
        }
    }

    @Test
    void freesTheRoomOfADamagedIndex() {
        try (ShardIndexCache<String> cache = new ShardIndexCache<>(64)) {
            MemorySegment outside = MemorySegment.ofArray(new long[] {0, 9, 0, 11});
            assertThrows(CodecException.class, () -> cache.add("a", CODEC, outside, 10));
            assertEquals("", kept(cache));
            add(cache, "b", 4);
            assertEquals("b", kept(cache));
        }
    }

    @Test
    void refusesToBeClosedTooOften() {
        ShardIndexCache<String> cache = new ShardIndexCache<>(64);
        added(cache, "a", 1).close();
        cache.close();
        cache.close();
        ShardIndex alone = added(new ShardIndexCache<>(0), "a", 1);
        alone.close();
        assertThrows(IllegalStateException.class, alone::close);
    }

    @Test
    void freesIndexesWithTheCache() {
        ShardIndexCache<String> cache = new ShardIndexCache<>(64);
        ShardIndex index = added(cache, "a", 1);
        cache.close();
        assertThrows(IllegalStateException.class, () -> index.offset(0));
        index.close();
        assertFalse(cache.get("a").isPresent());
    }

    /** The slow twin has the keys, and whether they were used. All blocks have 1024 bytes. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#seeds")
    void keepsWhatASlowTwinKeeps(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        SequencedMap<String, Boolean> expected = new LinkedHashMap<>();
        try (ShardIndexCache<String> cache = new ShardIndexCache<>(11 << 10)) {
            for (int round = 0; round < 5000; round++) {
                String key = "shard " + random.nextInt(30);
                if (random.nextBoolean()) {
                    assertEquals(expected.containsKey(key), isKept(cache, key));
                    expected.replace(key, true);
                } else {
                    add(cache, key, 33 + random.nextInt(32));
                    if (expected.size() == 11) { // before the cache knows that the key is here
                        forgetOne(expected);
                    }
                    expected.remove(key);
                    expected.put(key, false);
                }
            }
            for (String key : expected.keySet()) {
                assertTrue(isKept(cache, key), key);
            }
        }
    }

    private static void forgetOne(SequencedMap<String, Boolean> wasAskedFor) {
        Map.Entry<String, Boolean> oldest = wasAskedFor.pollFirstEntry();
        while (oldest.getValue()) {
            wasAskedFor.putLast(oldest.getKey(), false);
            oldest = wasAskedFor.pollFirstEntry();
        }
    }

    /** Blocks are evicted under many readers: an index stays whole until its reader closes it. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#seeds")
    void manyThreadsMayUseIt(long seed) throws Exception {
        try (ShardIndexCache<Integer> cache = new ShardIndexCache<>(4096);
                ExecutorService threads = Executors.newFixedThreadPool(4)) {
            List<Future<?>> ends = new ArrayList<>();
            for (int thread = 0; thread < 4; thread++) {
                SplittableRandom random = new SplittableRandom(seed + thread);
                ends.add(threads.submit(() -> useIt(cache, random)));
            }
            for (Future<?> end : ends) {
                end.get();
            }
            add(cache, -1, 256);
            assertEquals(4096, cache.bytes(), "a block was never given back");
        }
    }

    private static void useIt(ShardIndexCache<Integer> cache, SplittableRandom random) {
        for (int i = 0; i < 5000; i++) {
            int key = random.nextInt(20);
            try (ShardIndex index =
                    cache.get(key).orElseGet(() -> added(cache, key, 1 + random.nextInt(60)))) {
                if (i % 32 == 0) {
                    LockSupport.parkNanos(1); // lets other threads run meanwhile
                }
                assertIntact(index);
            }
        }
    }
}
