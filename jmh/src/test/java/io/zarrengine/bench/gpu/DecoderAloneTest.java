package io.zarrengine.bench.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is decoded is compared; whoever has a decoder has a time. */
final class DecoderAloneTest {
    @ParameterizedTest
    @EnumSource(GpuEncoding.class)
    void whatIsEncodedTakesTime(GpuEncoding encoding) throws IOException {
        DecoderAlone alone = DecoderAlone.measure(new GpuArray(Path.of("unused"), encoding, 1));
        assertEquals(encoding != GpuEncoding.NONE, alone.engineMicros() > 0);
    }
}
