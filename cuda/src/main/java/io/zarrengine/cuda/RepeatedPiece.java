package io.zarrengine.cuda;

import io.zarrengine.cuda.PieceBatch.Source;
import java.util.Objects;

/**
 * A series of pieces with one box at equal distances, both in the source and in the target, as is
 * common for neighbours in a tensor. One descriptor with one more dimension describes all of them.
 *
 * <p>Threads: one. A piece that does not continue the series begins a new one.
 */
final class RepeatedPiece {
    /**
     * The limit of the distance in bytes. Placeholders further apart may stand for addresses at
     * another distance: {@link PieceBatch#addAll}.
     */
    private static final long DISTANCE_MAX = 1L << 32;

    private static final long NONE = Long.MIN_VALUE;

    /** The treatment of elements: they are moved, or converted. */
    sealed interface Form permits PieceBatch.Element, Conversion {}

    private Source source; // this and the following: of the last piece
    private long to;
    private Box box;
    private Form form;
    private long count; // 0: no piece can continue
    private long sourceStep;
    private long targetStep;

    /** Ends the series. */
    void end() {
        count = 0;
    }

    /** Begins a series with a piece that has its own descriptor. */
    void begin(Source newSource, long newTo, Box newBox, Form newForm) {
        source = newSource;
        to = newTo;
        box = newBox;
        form = newForm;
        count = 1;
    }

    /** {@return whether a piece continues the series; adds it if so} */
    @SuppressWarnings("ReferenceEquality") // Callers that repeat a box pass the same object.
    boolean tryAdd(Source newSource, long newTo, Box newBox, Form newForm) {
        if (count == 0 || newBox != box || !Objects.equals(newForm, form)) {
            return false;
        }
        long newTargetStep = newTo - to;
        long newSourceStep = distance(newSource);
        boolean isAsFar =
                count == 1 || (newSourceStep == sourceStep && newTargetStep == targetStep);
        if (newSourceStep == NONE || !isStep(newTargetStep) || !isAsFar) {
            return false;
        }
        source = newSource;
        to = newTo;
        sourceStep = newSourceStep;
        targetStep = newTargetStep;
        count++;
        return true;
    }

    /** Returns whether a distance is below the limit and keeps the alignment. */
    private static boolean isStep(long bytes) {
        return Math.abs(bytes) < DISTANCE_MAX && bytes % StridedRun.UNIT_BYTES_MAX == 0;
    }

    /**
     * Returns the distance from the last source to another one, in the units of a descriptor's
     * strides.
     */
    private long distance(Source next) {
        if (source instanceof Source.Plain a && next instanceof Source.Plain b) {
            long bytes = b.address(sourceBytes()) - a.address(sourceBytes());
            long step = form instanceof Conversion ? bytes / sourceBytes() : bytes;
            return isStep(bytes) ? step : NONE;
        }
        if (source instanceof Source.Shuffled a && next instanceof Source.Shuffled b) {
            return distance(a, b);
        }
        return source instanceof Source.Fill && source.equals(next) ? 0 : NONE;
    }

    /**
     * Returns the distance in elements. Chunks without a gap count as one chunk with more blocks.
     */
    private long distance(Source.Shuffled a, Source.Shuffled b) {
        long bytes = a.chunk().byteSize();
        long elements = bytes / sourceBytes();
        boolean isNextChunk =
                b.chunk().byteSize() == bytes && b.chunk().address() == a.chunk().address() + bytes;
        boolean isAlike =
                a.shuffle() == b.shuffle()
                        && a.firstElement() == b.firstElement()
                        && a.blockElements() == b.blockElements();
        return isNextChunk && isAlike && elements % a.blockElements() == 0 ? elements : NONE;
    }

    /** Returns the size of an element in the source. */
    private int sourceBytes() {
        return switch (form) {
            case PieceBatch.Element element -> element.bytes();
            case Conversion conversion -> conversion.stored().bytes();
        };
    }

    /** {@return the number of pieces} */
    long count() {
        return count;
    }

    /**
     * {@return the distance between pieces in the source, in the units of a descriptor's strides}
     */
    long sourceStep() {
        return sourceStep;
    }

    /** {@return the distance between pieces in the target, in bytes} */
    long targetStep() {
        return targetStep;
    }
}
