package io.zarrengine.kernels;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Catches code that is not packaged. {@code bin/machine-code --check} compares the code with its
 * sources.
 */
final class CompiledCodeTest {
    @ParameterizedTest
    @EnumSource
    void isThere(CompiledCode code) throws IOException {
        assertTrue(code.bytes().length > 1000);
    }

    @Test
    void theKernelsAreAFatbin() throws IOException {
        byte[] fatbin = CompiledCode.CUDA.bytes();
        assertEquals("50ed55ba", HexFormat.of().formatHex(fatbin, 0, 4)); // magic number
    }
}
