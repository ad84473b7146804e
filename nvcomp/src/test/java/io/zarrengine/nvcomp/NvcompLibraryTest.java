package io.zarrengine.nvcomp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.nvcomp.NvcompLibrary.Status;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class NvcompLibraryTest {
    @ParameterizedTest
    @CsvSource({"5000", "5100", "5300", "6000", "6999"})
    void knownReleases(int version) {
        List<String> formats = List.of("Zstd");
        assertEquals(new Status.Usable(version, formats), NvcompLibrary.status(version, formats));
    }

    @ParameterizedTest
    @CsvSource({"4200, 4.2.0", "7000, 7.0.0"})
    void otherReleasesAreRefusedByName(int version, String name) {
        Status.Unusable unusable =
                assertInstanceOf(Status.Unusable.class, NvcompLibrary.status(version, List.of()));
        assertEquals("nvCOMP " + name + " is not known; 5.0 to 6.x are", unusable.reason());
    }

    /** The decoder of 6.0 needs options that are not all zero. */
    @Test
    void cascadedIsLeftOutOfSix() {
        assertTrue(NvcompLibrary.isKnown(NvcompFormat.CASCADED, 5300));
        assertFalse(NvcompLibrary.isKnown(NvcompFormat.CASCADED, 6000));
        assertTrue(NvcompLibrary.isKnown(NvcompFormat.BITCOMP, 6000));
    }

    @Test
    void thisMachineHasAnAnswer() {
        switch (NvcompLibrary.status()) {
            case Status.Usable usable -> assertTrue(usable.formats().contains("Zstd"));
            case Status.Unusable unusable -> assertFalse(unusable.reason().isBlank());
        }
    }
}
