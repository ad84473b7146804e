package io.zarrengine.zarr.codec.lz77;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.bindings.NativeLibrary;
import io.zarrengine.zarr.GuardedMemory;
import io.zarrengine.zarr.codec.BytesCodec;
import io.zarrengine.zarr.codec.BytesCodecContract;
import io.zarrengine.zarr.codec.Samples;
import io.zarrengine.zarr.codec.Workspace;
import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.errors.TargetTooSmallException;
import java.lang.foreign.Arena;
import java.util.HexFormat;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The lz4 codec of numcodecs; encoding needs liblz4. */
final class Lz4CodecTest implements BytesCodecContract {
    @Override
    public BytesCodec codec() {
        return new Lz4Codec();
    }

    @BeforeEach
    void needsTheLibrary() {
        var missing = NativeLibrary.LIBLZ4.unavailabilityCause();
        assumeTrue(missing.isEmpty(), () -> missing.orElse(""));
    }

    private static CodecException refusal(String hex, int targetBytes) {
        byte[] encoded = HexFormat.of().parseHex(hex);
        try (Workspace workspace = new Workspace();
                Arena arena = Arena.ofConfined()) {
            GuardedMemory target = new GuardedMemory(arena, targetBytes);
            CodecException e =
                    assertThrows(
                            CodecException.class,
                            () ->
                                    new Lz4Codec()
                                            .decode(
                                                    Samples.nativeCopy(arena, encoded),
                                                    target.segment(),
                                                    workspace));
            target.assertIntact();
            return e;
        }
    }

    /** One token of two literals, after a size. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    00 00 00 | 3 bytes are too few for a header
                    02 00 00 80 20 aa bb | header says 2147483650 decoded bytes, 3 bytes cannot
                    fe 02 00 00 20 aa bb | header says 766 decoded bytes, 3 bytes cannot
                    01 00 00 00 20 aa bb | is longer than its header says: 1
                    03 00 00 00 20 aa bb | decodes to 2 bytes, its header says 3
                    02 00 00 00 20 aa    | damaged near byte
                    """)
    void refuses(String hex, String problem) {
        CodecException e = refusal(hex.replace(" ", ""), 1000);
        assertTrue(e.getMessage().startsWith("lz4: " + problem), e::getMessage);
        assertFalse(e instanceof TargetTooSmallException);
    }

    @Test
    void namesTheTargetSizeThatItNeeds() {
        CodecException e = refusal("fd02000020aabb", 764);
        assertInstanceOf(TargetTooSmallException.class, e);
        assertEquals("lz4: header says 765 decoded bytes, expected at most 764", e.getMessage());
    }
}
