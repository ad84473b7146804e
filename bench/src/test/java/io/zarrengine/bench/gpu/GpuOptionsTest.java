package io.zarrengine.bench.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that invalid options are reported and not used. */
final class GpuOptionsTest {
    private static GpuOptions parse(String argument) {
        return GpuOptions.parse(List.of("--folder=/f", "--report=/r", argument));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--workers=0",
                "--workers=5000",
                "--workers=-1",
                "--rounds=0",
                "--rounds=-3",
                "--rounds=abc",
                "--rounds=1.5",
                "--planes=0",
                "--budget-mib=0",
                "--seconds=0",
                "--seconds=NaN",
                "--foo",
                "zstdd"
            })
    void whatMakesNoSenseIsNamed(String argument) {
        var e = assertThrows(IllegalArgumentException.class, () -> parse(argument));
        assertTrue(e.getMessage().contains(argument), e.getMessage());
    }

    /** An empty path would be the current folder. */
    @Test
    void aFolderIsNamed() {
        var e =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> GpuOptions.parse(List.of("--folder=", "--report=/r")));
        assertEquals("--folder= is missing", e.getMessage());
    }

    @Test
    void theRestIsTaken() {
        assertEquals(3, parse("--rounds=3").rounds());
        assertEquals(0.5, parse("--seconds=0.5").seconds());
        assertEquals(List.of(GpuEncoding.NONE), parse("none").encodings());
    }
}
