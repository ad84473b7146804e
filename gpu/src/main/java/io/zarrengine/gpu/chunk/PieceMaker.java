package io.zarrengine.gpu.chunk;

import io.zarrengine.zarr.plan.Region;
import java.util.List;

/**
 * Makes pieces from parts of chunks. Keeps the last shape, because most pieces have the same one.
 *
 * <p>Owner: a worker's slot. Threads: one.
 */
public final class PieceMaker {
    private ChunkLayout lastLayout;
    private Region lastPart;
    private PieceShape lastShape;

    /** {@return a piece for each part of a chunk} */
    public List<Piece> pieces(ChunkLayout layout, List<Region> parts) {
        if (parts.size() == 1) {
            return List.of(piece(layout, parts.getFirst()));
        }
        Piece[] pieces = new Piece[parts.size()];
        for (int i = 0; i < pieces.length; i++) {
            pieces[i] = piece(layout, parts.get(i));
        }
        return List.of(pieces);
    }

    private Piece piece(ChunkLayout layout, Region part) {
        long targetFirst = part.targetOffset() / layout.element().bytes();
        return new Piece(shape(layout, part), layout.first(part), targetFirst);
    }

    @SuppressWarnings("ReferenceEquality") // chunks of one pipeline share one layout
    private PieceShape shape(ChunkLayout layout, Region part) {
        if (lastLayout != layout || !part.hasShapeOf(lastPart)) {
            lastShape = PieceShape.of(part, layout);
            lastLayout = layout;
            lastPart = part;
        }
        return lastShape;
    }
}
