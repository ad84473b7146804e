package io.zarrengine.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests colours at the ends, between anchors, and outside. */
final class ColormapTest {
    @ParameterizedTest
    @CsvSource({
        "GRAY, 0, 000000",
        "GRAY, 1, ffffff",
        "GRAY, 0.5, 808080",
        "GRAY, 0.25, 404040",
        "GRAY, -1, 000000",
        "GRAY, 2, ffffff",
        "GRAY, Infinity, ffffff",
        "GRAY, -Infinity, 000000",
        "GRAY, NaN, 808080",
        "VIRIDIS, 0, 440154",
        "VIRIDIS, 1, fde725",
        "VIRIDIS, NaN, 808080",
        "INFERNO, 0, 000004",
        "INFERNO, 1, fcffa4",
        "RDBU, 0, 053061",
        "RDBU, 0.5, f7f7f7",
        "RDBU, 1, 67001f",
        "RDBU, 0.05, 134b87",
    })
    void coloursAreTheirAnchorsAndStraightLinesBetween(Colormap map, double value, String rgb) {
        assertEquals(rgb, "%06x".formatted(map.rgb(value)));
    }

    /** A wrong shift or sign in one channel would jump. */
    @ParameterizedTest
    @EnumSource
    void coloursChangeLittleByLittle(Colormap map) {
        int before = map.rgb(0);
        for (int i = 1; i <= 1000; i++) {
            int now = map.rgb(i / 1000.0);
            for (int shift = 0; shift < 24; shift += 8) {
                int step = (now >> shift & 0xff) - (before >> shift & 0xff);
                assertTrue(Math.abs(step) <= 2, map + " jumps by " + step + " at " + i);
            }
            before = now;
        }
    }

    @Test
    void greyIsOutsideTheColouredMaps() {
        for (int i = 0; i <= 1000; i++) {
            assertTrue(Colormap.VIRIDIS.rgb(i / 1000.0) != Colormap.NAN_RGB);
            assertTrue(Colormap.INFERNO.rgb(i / 1000.0) != Colormap.NAN_RGB);
            assertTrue(Colormap.RDBU.rgb(i / 1000.0) != Colormap.NAN_RGB);
        }
    }
}
