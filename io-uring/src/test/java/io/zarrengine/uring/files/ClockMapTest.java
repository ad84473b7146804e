package io.zarrengine.uring.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the entries that are kept and the order of eviction. */
final class ClockMapTest {
    private final ClockMap<String, Integer> map = new ClockMap<>();

    static LongStream seeds() {
        return LongStream.range(0, 20);
    }

    @Test
    void whatWasFoundGoesAfterTheOthers() {
        map.put("a", 1);
        map.put("b", 2);
        map.put("c", 3);
        assertEquals(1, map.find("a"));
        assertEquals(2, map.removeOldest(_ -> true));
        assertNull(map.find("b"));
        assertEquals(3, map.removeOldest(_ -> true));
        assertEquals(1, map.removeOldest(_ -> true));
        assertNull(map.removeOldest(_ -> true));
        assertEquals(0, map.size());
    }

    /** A file that is being opened holds nothing to give up. */
    @Test
    void whatMayNotGoStays() {
        map.put("a", 1);
        map.put("b", 2);
        assertEquals(2, map.removeOldest(value -> value == 2));
        assertNull(map.removeOldest(value -> value == 2));
        assertEquals(1, map.find("a"));
    }

    /** Otherwise a newer version of a file would be given up for an older one. */
    @Test
    void anotherValueIsNotRemoved() {
        assertNull(map.put("a", 1000));
        assertEquals(1000, map.put("a", 1001));
        assertFalse(map.remove("a", 1000));
        assertEquals(1001, map.find("a"));
        assertEquals(1, map.size());
        Integer kept = map.find("a");
        assertTrue(map.remove("a", kept));
        assertFalse(map.remove("a", kept));
        assertNull(map.find("a"));
    }

    /** Otherwise adding an entry would find nothing to evict, although there are entries. */
    @Test
    void whatIsFoundAllTheTimeGoesToo() throws InterruptedException {
        AtomicBoolean isDone = new AtomicBoolean();
        Thread finder =
                Thread.ofPlatform()
                        .start(() -> {
                            while (!isDone.get()) {
                                map.find("a");
                            }
                        });
        try {
            for (int i = 0; i < 100_000; i++) {
                map.put("a", i);
                assertEquals(i, map.removeOldest(_ -> true));
            }
        } finally {
            isDone.set(true);
            finder.join();
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void findsWhatWasPutAndNotRemoved(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Map<String, Integer> expected = new LinkedHashMap<>();
        for (int i = 0; i < 2000; i++) {
            String key = "k" + random.nextInt(30);
            switch (random.nextInt(5)) {
                case 0, 1 -> assertEquals(expected.put(key, i), map.put(key, i));
                case 2 -> {
                    Integer value = map.find(key);
                    assertEquals(expected.get(key), value);
                    assertEquals(value != null, value != null && map.remove(key, value));
                    expected.remove(key);
                }
                case 3 -> {
                    Integer oldest = map.removeOldest(_ -> true);
                    assertEquals(oldest != null, expected.values().remove(oldest));
                }
                default -> assertEquals(expected.get(key), map.find(key));
            }
            assertEquals(expected.size(), map.size());
        }
        map.clear();
        expected.keySet().forEach(key -> assertNull(map.find(key)));
        assertEquals(0, map.size());
    }
}
