package io.zarrengine.gpu.chunk;

import io.zarrengine.cuda.Box;
import io.zarrengine.cuda.PieceBatch;

/**
 * Wanted elements of a chunk, and their place in the target.
 *
 * @param shape the shape, which pieces share
 * @param sourceFirst index of the first element in the chunk
 * @param targetFirst index of the first element in the target
 */
public record Piece(PieceShape shape, long sourceFirst, long targetFirst) {
    /** Returns a piece of one run of bytes. */
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
