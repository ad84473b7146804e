package io.zarrengine.uring;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares sums of sizes with those of a map. */
final class FileSizesTest {
    private static final int STEPS = 100_000;

    /**
     * Hashes with the same low bits collide in a slot. 0 marks a free slot, and is a valid hash
     * too.
     */
    @ParameterizedTest(name = "hashes {0} apart")
    @ValueSource(ints = {1, 2, 1 << 16, 0x7654321})
    void isAMapOfHashes(int distance) {
        SplittableRandom random = new SplittableRandom(distance);
        FileSizes sizes = new FileSizes();
        Map<Integer, Long> expected = new HashMap<>();
        for (int i = 0; i < STEPS; i++) {
            int hash = distance * random.nextInt(1 + i / 4);
            int key = hash == 0 ? 1 : hash; // 0 and 1 count as the same file.
            if (random.nextInt(4) == 0) {
                long before = expected.getOrDefault(key, 0L);
                assertEquals(before, sizes.forget(hash), "step " + i);
                expected.computeIfPresent(key, (_, _) -> 0L);
            } else {
                long bytes = random.nextLong(1L << 40);
                Long before = expected.put(key, bytes);
                assertEquals(before == null ? 0 : before, sizes.put(hash, bytes), "step " + i);
            }
        }
        assertEquals(expected.size(), sizes.files());
        assertEquals(expected.values().stream().mapToLong(Long::longValue).sum(), sizes.bytes());
    }
}
