package io.zarrengine.gpu.chunk;

import io.zarrengine.cuda.DeviceSlice;
import io.zarrengine.cuda.PieceBatch.Source;
import io.zarrengine.cuda.Shuffle;
import io.zarrengine.nvcomp.BloscFrame;
import io.zarrengine.nvcomp.NvcompFormat;
import java.util.Arrays;
import java.util.Optional;

/** The streams of a checked blosc chunk. Each is a chunk for nvCOMP, or stored bytes to copy. */
public final class BloscStreams {
    /** Receives streams. */
    public interface Visitor {
        /** Receives one stream; if {@code isStored}, its bytes are copied. */
        void visit(DeviceSlice encoded, DeviceSlice decoded, boolean isStored);
    }

    private static final int WORDS = 4; // per stream: both offsets, both lengths

    private final Optional<Shuffle> shuffle;
    private final AlignedStreams aligned; // null: the streams stay at their offsets
    private final int blockElements;
    private int[] table = new int[8 * WORDS];
    private int count;
    private int stored;
    private int bytesMax; // of the largest decoded stream not stored

    private BloscStreams(BloscFrame frame, long chunkBytes, int elementBytes, long alignment) {
        boolean isZlib = frame.format().orElseThrow() == NvcompFormat.DEFLATE;
        aligned = isZlib ? new AlignedStreams(chunkBytes, frame.headerBytes(), alignment) : null;
        shuffle = frame.shuffle();
        blockElements = Math.max(1, frame.blockBytes() / elementBytes);
        frame.streams(this::add);
    }

    private void add(
            long encodedOffset,
            int encodedBytes,
            long decodedOffset,
            int decodedBytes,
            boolean isStored) {
        if ((count + 1) * WORDS > table.length) {
            table = Arrays.copyOf(table, 2 * table.length);
        }
        int at = count++ * WORDS;
        table[at] = (int) Math.min(begin(encodedOffset, encodedBytes, isStored), Integer.MAX_VALUE);
        table[at + 1] = encodedBytes;
        table[at + 2] = Math.toIntExact(decodedOffset);
        table[at + 3] = isStored ? -decodedBytes : decodedBytes;
        stored += isStored ? 1 : 0;
        bytesMax = isStored ? bytesMax : Math.max(bytesMax, decodedBytes);
    }

    /**
     * Returns the stream's offset. It exceeds all bounds if many streams overlap: see {@link
     * AlignedStreams#areApart}.
     */
    private long begin(long encodedOffset, int encodedBytes, boolean isStored) {
        return aligned == null ? encodedOffset : aligned.add(encodedOffset, encodedBytes, isStored);
    }

    /**
     * {@return whether a device can assemble the elements of a chunk}
     *
     * @param frame a checked chunk that is not stored as a whole
     * @param elementBytes the size of the array's elements
     */
    public static boolean isOf(BloscFrame frame, int elementBytes) {
        return frame.shuffle().isEmpty()
                || (frame.typeBytes() == elementBytes && frame.blockBytes() % elementBytes == 0);
    }

    /**
     * {@return the streams of a chunk}
     *
     * @param frame a chunk for which {@link #isOf} is true
     * @param chunkBytes the chunk's size
     * @param alignment the alignment that nvCOMP requires of deflate streams
     */
    public static BloscStreams of(
            BloscFrame frame, long chunkBytes, int elementBytes, long alignment) {
        return new BloscStreams(frame, chunkBytes, elementBytes, alignment);
    }

    /**
     * {@return the layout into which the chunk must be copied for the device, or empty if it may
     * stay as it is}
     */
    public Optional<AlignedStreams> aligned() {
        return Optional.ofNullable(aligned);
    }

    /** {@return the number of streams that nvCOMP decodes} */
    public int encodedCount() {
        return count - stored;
    }

    /** {@return the number of streams that are copied} */
    public int storedCount() {
        return stored;
    }

    /** {@return the size of the largest decoded stream, in bytes} */
    public int bytesMax() {
        return bytesMax;
    }

    public void forEach(DeviceSlice encoded, DeviceSlice decoded, Visitor visitor) {
        for (int at = 0; at < count * WORDS; at += WORDS) {
            int bytes = Math.abs(table[at + 3]);
            visitor.visit(
                    encoded.slice(table[at], table[at + 1]),
                    decoded.slice(table[at + 2], bytes),
                    table[at + 3] < 0);
        }
    }

    /** Returns the source of the elements in the decoded chunk, whose blocks may be shuffled. */
    public Source source(DeviceSlice decoded, long firstElement) {
        return shuffle.isEmpty()
                ? new Source.Plain(decoded, firstElement)
                : new Source.Shuffled(decoded, firstElement, shuffle.get(), blockElements);
    }
}
