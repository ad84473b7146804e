package io.zarrengine.gpu.chunk;

import io.zarrengine.cuda.Box;
import io.zarrengine.cuda.PieceBatch;

/**
 * The wanted elements of a chunk, and where they go.
 *
 * @param shape what it shares with others
 * @param sourceFirst the first one in the chunk, in elements
 * @param targetFirst the first one in the target, in elements
 */
public record Piece(PieceShape shape, long sourceFirst, long targetFirst) {
    /** Bytes in one run. */
    public static Piece ofBytes(long targetOffset, long bytes) {
        return new Piece(PieceShape.ofBytes(bytes), 0, targetOffset);
    }

    public Box box() {
        return shape.box();
    }

    public PieceBatch.Element element() {
        return shape.element();
    }
}
