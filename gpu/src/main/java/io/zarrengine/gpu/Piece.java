package io.zarrengine.gpu;

import io.zarrengine.cuda.Box;
import io.zarrengine.cuda.PieceBatch;

/**
 * The wanted elements of a chunk, and where they go.
 *
 * @param shape what it shares with others
 * @param sourceFirst the first one in the chunk, in elements
 * @param targetFirst the first one in the target, in elements
 */
record Piece(PieceShape shape, long sourceFirst, long targetFirst) {
    /** Bytes in one run. */
    static Piece ofBytes(long targetOffset, long bytes) {
        return new Piece(PieceShape.ofBytes(bytes), 0, targetOffset);
    }

    Box box() {
        return shape.box();
    }

    PieceBatch.Element element() {
        return shape.element();
    }
}
