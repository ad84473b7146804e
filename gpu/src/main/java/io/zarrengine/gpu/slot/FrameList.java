package io.zarrengine.gpu.slot;

import io.zarrengine.cuda.DeviceSlice;
import io.zarrengine.gpu.chunk.SlotAddresses;
import io.zarrengine.nvcomp.DecodeBatch;
import java.util.Arrays;

/**
 * The frames of one format that nvCOMP must decode, described before their addresses are known.
 * Owner: a slot.
 */
public final class FrameList {
    private static final int WORDS = 4; // per frame: both addresses, both lengths

    private long[] words = new long[128 * WORDS];
    private int count;

    int count() {
        return count;
    }

    void add(DeviceSlice encoded, DeviceSlice decoded) {
        if ((count + 1) * WORDS > words.length) {
            words = Arrays.copyOf(words, 2 * words.length);
        }
        int at = count++ * WORDS;
        words[at] = encoded.address();
        words[at + 1] = encoded.byteSize();
        words[at + 2] = decoded.address();
        words[at + 3] = decoded.byteSize();
    }

    public void addTo(DecodeBatch batch, SlotAddresses places) {
        for (int at = 0; at < count * WORDS; at += WORDS) {
            batch.add(
                    places.applyAsLong(words[at]),
                    words[at + 1],
                    places.applyAsLong(words[at + 2]),
                    words[at + 3]);
        }
    }
}
