package io.zarrengine.cuda;

import io.zarrengine.cuda.PieceBatch.Source;
import java.util.Objects;

/**
 * Pieces of one box that follow one another at equal distances, in the source and in the target:
 * neighbours in a tensor mostly do. One descriptor says all of them, with a dimension more.
 *
 * <p>Threads: one. It begins anew with every piece that does not follow.
 */
final class RepeatedPiece {
    /** Addresses further apart may stand for others that are not: {@link PieceBatch#addAll}. */
    private static final long DISTANCE_MAX = 1L << 32;

    private static final long NONE = Long.MIN_VALUE;

    /** What is done with elements: they are moved, or converted. */
    sealed interface Form permits PieceBatch.Element, Conversion {}

    private Source source; // this and the following: of the last piece
    private long to;
    private Box box;
    private Form form;
    private long count; // 0: nothing follows what was there
    private long sourceStep;
    private long targetStep;

    /** Nothing follows what was added before. */
    void end() {
        count = 0;
    }

    /** A piece that is described by itself; others may follow it. */
    void begin(Source newSource, long newTo, Box newBox, Form newForm) {
        source = newSource;
        to = newTo;
        box = newBox;
        form = newForm;
        count = 1;
    }

    /** {@return whether a piece follows the last one, which it is then} */
    @SuppressWarnings("ReferenceEquality") // Who repeats a box passes it again.
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

    /** Whether what is so far behind is near, and aligned as what it is behind. */
    private static boolean isStep(long bytes) {
        return Math.abs(bytes) < DISTANCE_MAX && bytes % StridedRun.UNIT_BYTES_MAX == 0;
    }

    /** From the last source to another one, in the units of a descriptor's strides. */
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

    /** Chunks without a gap are one chunk of more blocks. */
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

    /** The size of an element in the source. */
    private int sourceBytes() {
        return switch (form) {
            case PieceBatch.Element element -> element.bytes();
            case Conversion conversion -> conversion.stored().bytes();
        };
    }

    /** {@return how many pieces there are} */
    long count() {
        return count;
    }

    /** {@return from one to the next in the source, in the units of a descriptor's strides} */
    long sourceStep() {
        return sourceStep;
    }

    /** {@return the same in the target, in bytes} */
    long targetStep() {
        return targetStep;
    }
}
