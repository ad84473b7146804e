package io.zarrengine.zarr.codec;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.GuardedMemory;
import io.zarrengine.zarr.errors.CodecException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** Assertions that tests of partial decoding share. */
public final class RangeTests {
    private final Arena arena;
    private final Workspace encoding;

    public RangeTests(Arena arena, Workspace encoding) {
        this.arena = arena;
        this.encoding = encoding;
    }

    public MemorySegment encode(BytesCodec codec, byte... sample) throws CodecException {
        MemorySegment encoded = arena.allocate(codec.encodedBytesMax(sample.length));
        MemorySegment decoded = Samples.nativeCopy(arena, sample);
        return encoded.asSlice(0, codec.encode(decoded, encoded, encoding));
    }

    /** Compares the wanted bytes, and returns how many bytes were decoded for them. */
    public long assertDecodes(
            BytesCodec.PartialDecoder codec,
            MemorySegment encoded,
            byte[] sample,
            int from,
            int to,
            Workspace with)
            throws CodecException {
        GuardedMemory target = new GuardedMemory(arena, sample.length);
        long bytes = codec.decodeRange(encoded, target.segment(), from, to, with);
        assertArrayEquals(
                Arrays.copyOfRange(sample, from, to),
                target.segment().asSlice(from, to - from).toArray(JAVA_BYTE));
        target.assertIntact();
        assertTrue(bytes >= to && bytes <= sample.length, () -> bytes + " bytes for " + to);
        return bytes;
    }

    /** Asserts that a prefix, up to a byte, of a chunk with a claimed size is refused. */
    public void assertRefused(
            BytesCodec.PartialDecoder codec,
            MemorySegment encoded,
            int bytes,
            int to,
            Workspace with) {
        GuardedMemory target = new GuardedMemory(arena, bytes);
        assertThrows(
                CodecException.class,
                () -> codec.decodeRange(encoded, target.segment(), 0, to, with));
        target.assertIntact();
    }
}
