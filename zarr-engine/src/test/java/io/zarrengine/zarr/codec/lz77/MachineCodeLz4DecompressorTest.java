package io.zarrengine.zarr.codec.lz77;

import static io.zarrengine.zarr.codec.DecompressorTests.assertDecodes;
import static io.zarrengine.zarr.codec.DecompressorTests.assertSaysTheSameOfDamage;
import static io.zarrengine.zarr.codec.DecompressorTests.assertTellsThatTheTargetIsTooSmall;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.bindings.NativeLibrary;
import io.zarrengine.bindings.machinecode.MachineCodeLz4;
import io.zarrengine.zarr.codec.Decompressor;
import io.zarrengine.zarr.codec.Samples;
import io.zarrengine.zarr.codec.Workspace;
import io.zarrengine.zarr.errors.CodecException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Blocks that the machine code refuses go to liblz4, which reports the error. */
final class MachineCodeLz4DecompressorTest {
    private static final int SAMPLE_BYTES = 3000;
    private static final int HEADER_BYTES = 4; // of the codec, before a block

    private final Arena arena = Arena.ofConfined();
    private final Workspace workspace = new Workspace();
    private Decompressor decompressor;
    private Decompressor library;

    @BeforeEach
    void open() {
        assumeTrue(MachineCodeLz4.denial().isEmpty() && NativeLibrary.LIBLZ4.isAvailable());
        decompressor = new MachineCodeLz4Decompressor();
        library = new Liblz4Decompressor();
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

    private byte[] encode(byte... sample) throws CodecException {
        var codec = new Lz4Codec();
        MemorySegment encoded = arena.allocate(codec.encodedBytesMax(sample.length));
        long bytes = codec.encode(Samples.nativeCopy(arena, sample), encoded, workspace);
        return encoded.asSlice(HEADER_BYTES, bytes - HEADER_BYTES).toArray(JAVA_BYTE);
    }

    private static byte[] sample(long seed) {
        return Samples.random(new SplittableRandom(seed), SAMPLE_BYTES);
    }

    @Test
    void reportsDamageInTheWordsOfLiblz4() throws CodecException {
        List<byte[]> samples = new ArrayList<>();
        for (int round = 0; round < 200; round++) {
            samples.add(encode(sample(round)));
        }
        assertSaysTheSameOfDamage(decompressor, library, samples, SAMPLE_BYTES);
    }

    @Test
    void reportsATargetThatIsTooSmall() throws CodecException {
        assertTellsThatTheTargetIsTooSmall(decompressor, encode(sample(3)), SAMPLE_BYTES);
    }

    /** A prefix is right whatever follows; a shorter block must be read to its end. */
    @Test
    void readsNothingAfterThePrefix() throws CodecException {
        byte[] sample = sample(4);
        byte[] encoded = encode(sample);
        assertDecodes(sample, decompressor, encoded);
        encoded[encoded.length - 1] ^= 1;
        MemorySegment block = Samples.nativeCopy(arena, encoded);
        MemorySegment target = arena.allocate(SAMPLE_BYTES);
        assertEquals(1000, decompressor.decompressFront(block, target, 1000));
        assertEquals(
                -1,
                target.asSlice(0, 1000)
                        .mismatch(MemorySegment.ofArray(Arrays.copyOf(sample, 1000))));
        assertEquals(-1, decompressor.decompressFront(block, target, SAMPLE_BYTES));
        MemorySegment larger = arena.allocate(2 * SAMPLE_BYTES);
        assertEquals(-1, decompressor.decompressFront(block, larger, SAMPLE_BYTES + 1));
    }
}
