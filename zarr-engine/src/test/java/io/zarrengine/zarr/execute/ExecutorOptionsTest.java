package io.zarrengine.zarr.execute;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the division of a budget. */
final class ExecutorOptionsTest {
    private static final long MIB = 1 << 20;

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#seeds")
    void thePartsAreTheWhole(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 2000; round++) {
            int workers = 1 + random.nextInt(random.nextBoolean() ? 8 : 256);
            long budget = random.nextLong(1L << random.nextInt(20, 50));
            ExecutorOptions options;
            try {
                options = ExecutorOptions.divide(workers, budget);
            } catch (IllegalArgumentException e) {
                boolean small = budget < 16 * MIB || budget * 7 / 8 <= workers * MIB * 3 / 2;
                assertTrue(small, () -> budget + " bytes for " + workers + " workers");
                continue;
            }
            assertEquals(budget, options.budgetBytes());
            assertEquals(workers, options.workers());
            assertTrue(options.readMemoryBytes() >= MIB && options.readMemoryBytes() <= 16 * MIB);
            assertTrue(options.workspaceBytes() > 0 && options.largeBytesMax() > 0);
            assertTrue(options.readsInFlight() > 0 && options.fusedBytesMax() > 0);
        }
    }

    /** Other callers wait for a worker. Large chunks need the memory of callers. */
    @ParameterizedTest
    @CsvSource({"1, 16, 1", "2, 16, 2", "4, 1024, 61", "16, 128, 16", "1, 8192, 620"})
    void callersReadForThemselvesWithinAnEighthOfWhatIsForLargeChunks(
            int workers, long budgetMib, int callers) {
        assertEquals(
                callers,
                ExecutorOptions.divide(workers, budgetMib * MIB)
                        .callersMax(CallerRunner.BUDGET_BYTES));
    }

    @ParameterizedTest
    @CsvSource({
        "1, 16, 2, 2, 9",
        "4, 16, 1, 0.5, 7",
        "4, 1024, 16, 32, 616",
        "8, 256, 4, 4, 140",
        "100, 8192, 10, 10.24, 4501",
        "1, 8192, 16, 64, 6202",
        "16, 128, 2, 1, 56",
        "16, 127, 1, 0.9921875, 69",
        "5, 128, 2, 3.2, 75",
    })
    void dividesAsItSays(
            int workers, long budgetMib, double readMib, double workspaceMib, long largeMib) {
        ExecutorOptions options = ExecutorOptions.divide(workers, budgetMib * MIB);
        assertEquals((long) (readMib * MIB), options.readMemoryBytes());
        assertEquals((long) (workspaceMib * MIB), options.workspaceBytes());
        assertEquals(budgetMib * MIB / 8, options.indexBytesMax());
        assertEquals(largeMib, Math.round(options.largeBytesMax() / (double) MIB));
    }

    @Test
    void refusesWhatIsTooSmall() {
        assertRefused(1, 16 * MIB - 1);
        assertRefused(1, 0);
        assertRefused(1, -1);
        assertRefused(10, 16 * MIB);
        assertRefused(10_000, 1024 * MIB);
        assertEquals(9, ExecutorOptions.divide(9, 16 * MIB).workers());
    }

    /** The message names the smallest budget that is enough, to the byte. */
    private static void assertRefused(int workers, long budget) {
        String message = refusal(workers, budget);
        String begin =
                "a budget of "
                        + budget
                        + " bytes is too small for "
                        + workers
                        + " workers: they need ";
        assertTrue(message.startsWith(begin), message);
        long enough = Long.parseLong(message.substring(begin.length(), message.indexOf(" (")));
        assertEquals(workers, ExecutorOptions.divide(workers, enough).workers());
        String less = refusal(workers, enough - 1);
        assertTrue(less.contains(" they need " + enough + " (budgetBytes, or --memory "), less);
    }

    private static String refusal(int workers, long budget) {
        return assertThrows(
                        IllegalArgumentException.class,
                        () -> ExecutorOptions.divide(workers, budget))
                .getMessage();
    }

    /** Each read in flight holds a file. 16 workers with 128 each took more than the limit. */
    @Test
    void workersHoldNoMoreFilesThanTheyMay() {
        assertEquals(128, ExecutorOptions.readsInFlight(16, 1 << 20));
        assertEquals(128, ExecutorOptions.readsInFlight(2, 256));
        assertEquals(16, ExecutorOptions.readsInFlight(16, 256));
        assertEquals(4, ExecutorOptions.readsInFlight(1024, 16)); // Fewer would not read ahead.
        assertEquals(128, ExecutorOptions.readsInFlight(1, Integer.MAX_VALUE));
    }
}
