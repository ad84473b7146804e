package io.zarrengine.bindings.machinecode;

import java.io.ByteArrayOutputStream;
import java.util.SplittableRandom;

/**
 * A handmade block and its decoded bytes.
 *
 * @see <a href="https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md">LZ4 block format</a>
 */
final class CraftedLz4 {
    private static final int MATCH_MIN = 4;
    private static final int LENGTH_MORE = 15;
    private static final int BYTE_MORE = 255;

    private final SplittableRandom random;
    private final ByteArrayOutputStream encoded = new ByteArrayOutputStream();
    private final ByteArrayOutputStream decoded = new ByteArrayOutputStream();

    /** {@code random} chooses the literals. */
    CraftedLz4(SplittableRandom random) {
        this.random = random;
    }

    byte[] encoded() {
        return encoded.toByteArray();
    }

    byte[] decoded() {
        return decoded.toByteArray();
    }

    int decodedBytes() {
        return decoded.size();
    }

    /**
     * Adds a sequence with a match of at least 4 bytes, even if its offset leads before the front.
     */
    CraftedLz4 sequence(int literals, int offset, int match) {
        int matchField = match - MATCH_MIN;
        token(literals, matchField);
        encoded.write(offset);
        encoded.write(offset >> Byte.SIZE);
        length(matchField);
        byte[] before = decoded.toByteArray();
        if (offset > 0 && offset <= before.length) {
            for (int k = 0; k < match; k++) {
                decoded.write(before[before.length - offset + k % offset]);
            }
        }
        return this;
    }

    /** Ends the block. */
    CraftedLz4 last(int literals) {
        token(literals, 0);
        return this;
    }

    private void token(int literals, int matchField) {
        int literalField = Math.min(literals, LENGTH_MORE);
        encoded.write(literalField << 4 | Math.min(matchField, LENGTH_MORE));
        length(literals);
        byte[] bytes = new byte[literals];
        random.nextBytes(bytes);
        encoded.writeBytes(bytes);
        decoded.writeBytes(bytes);
    }

    /** Writes the part of a length that does not fit into a token. */
    private void length(int length) {
        if (length < LENGTH_MORE) {
            return;
        }
        int more = length - LENGTH_MORE;
        for (; more >= BYTE_MORE; more -= BYTE_MORE) {
            encoded.write(BYTE_MORE);
        }
        encoded.write(more);
    }
}
