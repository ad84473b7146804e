package io.zarrengine.zarr.codec;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.shuffle.ShuffleTest;
import io.zarrengine.zarr.shuffle.SlowShuffle;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The shuffle codec. {@link ShuffleTest} covers the unshuffled bytes. */
final class ShuffleCodecTest implements BytesCodecContract {
    @Override
    public BytesCodec codec() {
        return new ShuffleCodec(1);
    }

    @ParameterizedTest
    @CsvSource({"0, 7", "1, 7", "2, 4098", "4, 4100", "8, 4104", "16, 64", "12, 36", "3, 0"})
    void decodesWhatItShuffled(int elementBytes, int bytes) throws CodecException {
        byte[] sample = new byte[bytes];
        new SplittableRandom(bytes).nextBytes(sample);
        ShuffleCodec codec = new ShuffleCodec(elementBytes);
        MemorySegment encoded = MemorySegment.ofArray(new byte[bytes]);
        codec.encode(MemorySegment.ofArray(sample), encoded, null);
        byte[] expected = SlowShuffle.shuffleBytes(sample, Math.max(elementBytes, 1));
        assertArrayEquals(expected, encoded.toArray(JAVA_BYTE));
        byte[] decoded = new byte[bytes];
        assertEquals(bytes, codec.decode(encoded, MemorySegment.ofArray(decoded), null));
        assertArrayEquals(sample, decoded);
    }

    /** numcodecs refuses these sizes; HDF5 and blosc would leave the rest as it is. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3, 4097})
    void refusesHalfAnElement(int bytes) {
        MemorySegment odd = MemorySegment.ofArray(new byte[bytes]);
        MemorySegment target = MemorySegment.ofArray(new byte[bytes]);
        ShuffleCodec codec = new ShuffleCodec(2);
        CodecException e =
                assertThrows(CodecException.class, () -> codec.decode(odd, target, null));
        assertEquals(
                "shuffle: " + bytes + " bytes are no whole number of elements of 2",
                e.getMessage());
        assertThrows(CodecException.class, () -> codec.encode(odd, target, null));
    }
}
