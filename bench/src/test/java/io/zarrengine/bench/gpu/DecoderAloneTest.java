package io.zarrengine.bench.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.zarrengine.bindings.NativeLibrary;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that the decoded bytes are compared, and that each decoder has a time. */
final class DecoderAloneTest {
    @ParameterizedTest
    @EnumSource(GpuEncoding.class)
    void whatIsEncodedTakesTime(GpuEncoding encoding) throws IOException {
        DecoderAlone alone = DecoderAlone.measure(new GpuArray(Path.of("unused"), encoding, 1));
        assertEquals(encoding != GpuEncoding.NONE, alone.engineMicros() > 0);
        boolean isFrame =
                EnumSet.of(
                                GpuEncoding.ZSTD,
                                GpuEncoding.SHUFFLE_ZSTD,
                                GpuEncoding.SHUFFLE_FLOAT_ZSTD,
                                GpuEncoding.SCALED_ZSTD)
                        .contains(encoding);
        assertEquals(isFrame && NativeLibrary.LIBZSTD.isAvailable(), alone.libzstdMicros() > 0);
    }
}
