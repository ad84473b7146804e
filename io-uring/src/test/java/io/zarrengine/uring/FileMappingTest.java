package io.zarrengine.uring;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.bindings.NativeAccess;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FileMappingTest {
    @TempDir Path folder;

    private interface Use {
        void of(FileMapping mapping);
    }

    private void withMapping(Use use) throws Exception {
        assumeTrue(NativeAccess.denial().isEmpty(), "native access is denied");
        Path path = Files.write(folder.resolve("file"), new byte[1 << 20]);
        DescriptorFile file = DescriptorFile.open(path, Caching.BUFFERED);
        try (FileMapping mapping = FileMapping.tryOpen(file.descriptor(), 1 << 20).orElseThrow()) {
            use.of(mapping);
        } finally {
            file.release();
        }
    }

    /** Otherwise a file that stays in memory would be checked ten times a second. */
    @Test
    void whereNothingLeavesMemoryItIsLookedAtLessOften() throws Exception {
        withMapping(mapping -> {
            mapping.see(0, 1, 0);
            mapping.see(1, 1, 0);
            mapping.see(0, 1, 150);
            assertTrue(mapping.wereSeen(0, 1, 150 + 300), "twice as long as it stayed");
            assertFalse(mapping.wereSeen(0, 1, 150 + 301));
            mapping.see(0, 1, 451);
            mapping.see(0, 1, 451 + 603);
            mapping.see(0, 1, 451 + 603 + 5000);
            assertTrue(mapping.wereSeen(0, 1, 6054 + 1600));
            assertFalse(mapping.wereSeen(0, 1, 6054 + 1601), "no longer than that");
        });
    }

    @Test
    void whereAPageHasLeftMemoryAllAreLookedAtOftenAgain() throws Exception {
        withMapping(mapping -> {
            mapping.see(0, 3, 0);
            mapping.see(1, 1, 0);
            mapping.see(0, 3, 10_000);
            mapping.see(1, 1, 10_000);
            assertTrue(mapping.wereSeen(1, 1, 11_000));
            mapping.see(0, 1, 12_000);
            assertFalse(mapping.wereSeen(1, 1, 10_101));
            assertTrue(mapping.wereSeen(0, 1, 12_100));
        });
    }

    /**
     * A check soon after the last one, for another page, says nothing about how long pages stay.
     */
    @Test
    void aLookThatComesSoonChangesNothing() throws Exception {
        withMapping(mapping -> {
            mapping.see(0, 1, 0);
            mapping.see(0, 3, 90);
            assertTrue(mapping.wereSeen(0, 3, 190));
            assertFalse(mapping.wereSeen(0, 3, 191));
        });
    }

    /** The clock has 32 bits. Half of its period, 24.9 days, must not count as the future. */
    @Test
    void whatWasSeenIsForgottenForGood() throws Exception {
        withMapping(mapping -> {
            int window = 0;
            for (int then : new int[] {0, -50, Integer.MAX_VALUE - 50}) {
                mapping.see(window, 1, then);
                assertTrue(mapping.wereSeen(window, 1, then));
                assertTrue(mapping.wereSeen(window, 1, then + 100));
                assertFalse(mapping.wereSeen(window, 3, then), "another page");
                for (long later = 101; later < 1L << 32; later += 10_000_000) {
                    assertFalse(
                            mapping.wereSeen(window, 1, (int) (then + later)), "after " + later);
                }
                window++;
            }
        });
    }
}
