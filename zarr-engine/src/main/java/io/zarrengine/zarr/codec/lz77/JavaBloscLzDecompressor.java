package io.zarrengine.zarr.codec.lz77;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;

/**
 * Decodes BloscLZ, a byte-wise LZ77 like FastLZ.
 *
 * <p>A control byte below 32 begins a run of that many literals plus one. Otherwise its high three
 * bits are the length of a match minus 2 (7: more length bytes follow, each up to 255), and its low
 * five bits, with the next byte, the distance minus 1. A distance field of all ones is followed by
 * two bytes that count from 8191 on. The first control byte is always a run.
 *
 * @see <a href="https://github.com/Blosc/c-blosc">c-blosc</a>, blosclz
 */
public final class JavaBloscLzDecompressor extends JavaLz77Decompressor {
    static final String NAME = "blosclz";
    private static final int RUN_MAX = 32;
    private static final int LENGTH_MORE = 7;
    private static final int MATCH_MIN = 2;
    private static final int DISTANCE_HIGH_MAX = 31;
    private static final int DISTANCE_NEAR_MAX = 8191;

    /** Creates a decoder. */
    public JavaBloscLzDecompressor() {
        super(NAME);
    }

    @Override
    long decode(MemorySegment in, MemorySegment decoded, long wanted) {
        LzOutput out = new LzOutput(decoded, decoded.byteSize());
        if (in.byteSize() == 0) {
            return 0;
        }
        long at = 0;
        int control = unsigned(in, at++) % RUN_MAX;
        while (true) {
            if (control < RUN_MAX) {
                int run = control + 1;
                out.literals(in, at, run);
                at += run;
            } else {
                long length = control >> 5;
                if (length == LENGTH_MORE) {
                    int more;
                    do {
                        more = unsigned(in, at++);
                        length += more;
                    } while (more == 255);
                }
                int high = control & DISTANCE_HIGH_MAX;
                int low = unsigned(in, at++);
                int distance = (high << 8) + low;
                if (high == DISTANCE_HIGH_MAX && low == 255) {
                    distance = (unsigned(in, at) << 8) + unsigned(in, at + 1) + DISTANCE_NEAR_MAX;
                    at += 2;
                }
                out.match(distance + 1L, length + MATCH_MIN);
            }
            if (at >= in.byteSize() || out.written() >= wanted) {
                return out.written();
            }
            control = unsigned(in, at++);
        }
    }

    private static int unsigned(MemorySegment in, long at) {
        return Byte.toUnsignedInt(in.get(JAVA_BYTE, at));
    }
}
