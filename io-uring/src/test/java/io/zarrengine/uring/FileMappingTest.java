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

    /** The clock has 32 bits: half of its round, 24.9 days, is no time in the future. */
    @Test
    void whatWasSeenIsForgottenForGood() throws Exception {
        assumeTrue(NativeAccess.denial().isEmpty(), "native access is denied");
        Path path = Files.write(folder.resolve("file"), new byte[1]);
        DescriptorFile file = DescriptorFile.open(path, Caching.BUFFERED);
        try (FileMapping mapping = FileMapping.tryOpen(file.descriptor(), 1).orElseThrow()) {
            for (int then : new int[] {0, -50, Integer.MAX_VALUE - 50}) {
                mapping.see(0, 1, then);
                assertTrue(mapping.wereSeen(0, 1, then));
                assertTrue(mapping.wereSeen(0, 1, then + 100));
                assertFalse(mapping.wereSeen(0, 3, then), "another page");
                for (long later = 101; later < 1L << 32; later += 10_000_000) {
                    assertFalse(mapping.wereSeen(0, 1, (int) (then + later)), "after " + later);
                }
            }
        } finally {
            file.release();
        }
    }
}
