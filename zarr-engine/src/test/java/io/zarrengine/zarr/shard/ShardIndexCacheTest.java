package io.zarrengine.zarr.shard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.codec.ShardIndexCodec;
import io.zarrengine.zarr.errors.CodecException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is kept, and what is forgotten first. */
final class ShardIndexCacheTest {
    /** An index of so many chunks takes 16 bytes for each. */
    private static ShardIndex index(int chunks) {
        try {
            return ShardIndex.decode(
                    new ShardIndexCodec(false, ByteOrder.LITTLE_ENDIAN, false),
                    MemorySegment.ofArray(new byte[16 * chunks]),
                    100);
        } catch (CodecException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void forgetsTheLeastRecentlyUsedFirst() {
        ShardIndexCache<String> cache = new ShardIndexCache<>(48);
        for (String key : List.of("a", "b", "c")) {
            cache.put(key, index(1));
        }
        assertEquals(48, cache.bytes());
        assertTrue(cache.get("a").isPresent(), "now b is the oldest");
        cache.put("d", index(1));
        assertEquals("acd", kept(cache));
        cache.put("e", index(2));
        assertEquals("de", kept(cache), "asked for in this order by the line above");
    }

    private static String kept(ShardIndexCache<String> cache) {
        StringBuilder kept = new StringBuilder();
        for (String key : List.of("a", "b", "c", "d", "e")) {
            cache.get(key).ifPresent(index -> kept.append(key));
        }
        return kept.toString();
    }

    @Test
    void replacesAnEntryAndItsBytes() {
        ShardIndexCache<String> cache = new ShardIndexCache<>(100);
        cache.put("a", index(5));
        ShardIndex newer = index(2);
        cache.put("a", newer);
        assertEquals(32, cache.bytes());
        assertSame(newer, cache.get("a").orElseThrow());
        cache.put("b", index(4));
        assertEquals(96, cache.bytes());
        cache.put("b", index(6));
        assertEquals(96, cache.bytes(), "the larger b has no room beside a");
        assertTrue(cache.get("a").isEmpty());
    }

    @Test
    void doesNotKeepWhatIsLargerThanAllOfIt() {
        ShardIndexCache<String> cache = new ShardIndexCache<>(48);
        cache.put("a", index(3));
        cache.put("b", index(4));
        assertEquals("a", kept(cache), "it was not forgotten for nothing");
        ShardIndexCache<String> none = new ShardIndexCache<>(0);
        none.put("a", index(1));
        assertEquals(0, none.bytes());
    }

    /** A slow twin: a list, the most recently used one last. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#seeds")
    void keepsWhatASlowTwinKeeps(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        ShardIndexCache<String> cache = new ShardIndexCache<>(1000);
        List<String> keys = new ArrayList<>();
        List<ShardIndex> indexes = new ArrayList<>();
        for (int round = 0; round < 5000; round++) {
            String key = "shard " + random.nextInt(30);
            int at = keys.indexOf(key);
            ShardIndex expected = at < 0 ? null : indexes.get(at);
            if (random.nextBoolean()) {
                assertSame(expected, cache.get(key).orElse(null));
            } else {
                ShardIndex put = index(1 + random.nextInt(20));
                cache.put(key, put);
                expected = put;
            }
            if (at >= 0) {
                keys.remove(key);
                indexes.remove(at);
            }
            if (expected != null) {
                keys.add(key);
                indexes.add(expected);
            }
            while (bytes(indexes) > 1000) {
                keys.removeFirst();
                indexes.removeFirst();
            }
            assertEquals(bytes(indexes), cache.bytes());
        }
    }

    private static long bytes(List<ShardIndex> indexes) {
        return indexes.stream().mapToLong(ShardIndex::byteSize).sum();
    }

    @Test
    void manyThreadsMayUseIt() throws Exception {
        ShardIndexCache<Integer> cache = new ShardIndexCache<>(800);
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            List<Future<?>> ends = new ArrayList<>();
            for (int thread = 0; thread < 4; thread++) {
                SplittableRandom random = new SplittableRandom(thread);
                ends.add(
                        threads.submit(() -> {
                            for (int i = 0; i < 3000; i++) {
                                int key = random.nextInt(20);
                                cache.get(key);
                                cache.put(key, index(1 + random.nextInt(9)));
                            }
                        }));
            }
            for (Future<?> end : ends) {
                end.get();
            }
        }
        long bytes = 0;
        for (int key = 0; key < 20; key++) {
            bytes += cache.get(key).map(ShardIndex::byteSize).orElse(0L);
        }
        assertEquals(bytes, cache.bytes());
        assertTrue(bytes <= 800);
    }
}
