package io.zarrengine.zarr.codec.zstd;

import static io.zarrengine.zarr.codec.DecompressorTests.assertDecodes;
import static io.zarrengine.zarr.codec.DecompressorTests.assertFindsEveryFlippedBit;
import static io.zarrengine.zarr.codec.DecompressorTests.assertSaysTheSameOfDamage;
import static io.zarrengine.zarr.codec.DecompressorTests.assertTellsThatTheTargetIsTooSmall;
import static io.zarrengine.zarr.codec.DecompressorTests.decode;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.bindings.NativeLibrary;
import io.zarrengine.bindings.machinecode.MachineCodeZstd;
import io.zarrengine.zarr.codec.Decompressor;
import io.zarrengine.zarr.codec.Samples;
import io.zarrengine.zarr.codec.Workspace;
import io.zarrengine.zarr.errors.CodecException;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Frames that the machine code refuses go to libzstd, which reports the error. */
final class MachineCodeZstdDecompressorTest {
    private static final int SAMPLE_BYTES = 3000;

    private final Arena arena = Arena.ofConfined();
    private final Workspace workspace = new Workspace();
    private Decompressor decompressor;
    private Decompressor library;

    @BeforeEach
    void open() {
        assumeTrue(MachineCodeZstd.denial().isEmpty() && NativeLibrary.LIBZSTD.isAvailable());
        decompressor = new MachineCodeZstdDecompressor(true);
        library = new LibzstdDecompressor(true);
    }

    @AfterEach
    void close() {
        if (decompressor != null) {
            decompressor.close();
            library.close();
        }
        workspace.close();
        arena.close();
    }

    private byte[] encode(boolean checksum, byte... sample) throws CodecException {
        var codec = new ZstdCodec(3, checksum);
        MemorySegment encoded = arena.allocate(codec.encodedBytesMax(sample.length));
        MemorySegment decoded = Samples.nativeCopy(arena, sample);
        long bytes = codec.encode(decoded, encoded, workspace);
        return encoded.asSlice(0, bytes).toArray(JAVA_BYTE);
    }

    private static byte[] sample(long seed) {
        return Samples.random(new SplittableRandom(seed), SAMPLE_BYTES);
    }

    private static byte[] joined(byte[]... parts) {
        var all = new ByteArrayOutputStream();
        Arrays.stream(parts).forEach(all::writeBytes);
        return all.toByteArray();
    }

    @Test
    void decodesConsecutiveFrames() throws CodecException {
        byte[] first = sample(1);
        byte[] second = sample(2);
        byte[] skippable = {0x50, 0x2A, 0x4D, 0x18, 3, 0, 0, 0, 7, 7, 7}; // RFC 8878, 3.1.2
        byte[] encoded = joined(encode(false, first), skippable, encode(true, second));
        assertDecodes(joined(first, second), decompressor, encoded);
    }

    @Test
    void reportsDamageInTheWordsOfLibzstd() throws CodecException {
        List<byte[]> samples = new ArrayList<>();
        for (int round = 0; round < 200; round++) {
            samples.add(encode(round % 2 == 0, sample(round)));
        }
        assertSaysTheSameOfDamage(decompressor, library, samples, SAMPLE_BYTES);
    }

    @Test
    void reportsATargetThatIsTooSmall() throws CodecException {
        assertTellsThatTheTargetIsTooSmall(decompressor, encode(false, sample(3)), SAMPLE_BYTES);
    }

    /** libzstd reports it as corrupt: 1 TiB in one segment is more than it takes. */
    @Test
    void reportsAHeaderThatClaimsTooMuch() {
        byte[] encoded = {
            0x28, (byte) 0xB5, 0x2F, (byte) 0xFD, (byte) 0xE0, 0, 0, 0, 0, 0, 1, 0, 0
        };
        byte[] frame = joined(encoded, new byte[] {1, 0, 0}); // and an empty last block
        var e = assertThrows(CodecException.class, () -> decode(decompressor, frame, 256));
        assertTrue(e.getMessage().contains("1099511627776"), e::getMessage);
    }

    @Test
    void aChecksumFindsEveryFlippedBit() throws CodecException {
        byte[] sample = Arrays.copyOf(sample(4), 300);
        byte[] encoded = encode(true, sample);
        assertFindsEveryFlippedBit(sample, decompressor, encoded);
    }

    /** Without verification, a wrong checksum is ignored. */
    @Test
    void comparesChecksumsUnlessSwitchedOff() throws CodecException {
        byte[] sample = sample(6);
        byte[] encoded = encode(true, sample);
        encoded[encoded.length - 1] ^= 1;
        assertThrows(CodecException.class, () -> decode(decompressor, encoded, SAMPLE_BYTES));
        try (Decompressor trusting = new MachineCodeZstdDecompressor(false)) {
            assertDecodes(sample, trusting, encoded);
        }
    }
}
