package io.zarrengine.zarr.task;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.uring.plan.FuseRule;
import java.util.Arrays;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests which pieces are read together. */
final class StretchesTest {
    private static final long GAP = 4096;

    private static Stretches of(long fusedBytesMax, long[]... pieces) {
        Stretches.Builder builder =
                new Stretches.Builder(
                        pieces.length, fusedBytesMax, FuseRule.BUFFERED, 0, Optional.empty());
        for (int i = 0; i < pieces.length; i++) {
            builder.add(i, pieces[i][0], pieces[i][1]);
        }
        return builder.build();
    }

    /** Shows stretches as {@code offset+bytes[pieces]}. */
    private static String show(Stretches stretches) {
        StringBuilder text = new StringBuilder();
        for (int s = 0; s < stretches.count(); s++) {
            text.append(s == 0 ? "" : " ").append(stretches.offset(s));
            text.append('+').append(stretches.bytes(s)).append('[');
            for (int i = stretches.begin(s); i < stretches.end(s); i++) {
                text.append(i == stretches.begin(s) ? "" : ",").append(stretches.piece(i));
            }
            text.append(']');
        }
        return text.toString();
    }

    private static long[] piece(long offset, long bytes) {
        return new long[] {offset, bytes};
    }

    @Test
    void neighboursAreReadTogether() {
        assertEquals("", show(of(1 << 20)));
        assertEquals("7+10[0]", show(of(1 << 20, piece(7, 10))));
        assertEquals("0+30[0,1]", show(of(1 << 20, piece(0, 10), piece(10, 20))));
        assertEquals("0+30[1,0]", show(of(1 << 20, piece(10, 20), piece(0, 10))));
        assertEquals("0+4116[0,1]", show(of(1 << 20, piece(0, 10), piece(10 + GAP, 10))));
        assertEquals("0+10[0] 4107+10[1]", show(of(1 << 20, piece(0, 10), piece(11 + GAP, 10))));
    }

    @Test
    void noStretchOfSeveralPiecesIsLongerThanTheCap() {
        assertEquals("0+30[0,1]", show(of(30, piece(0, 10), piece(10, 20))));
        assertEquals("0+10[0] 10+20[1]", show(of(29, piece(0, 10), piece(10, 20))));
        assertEquals("0+50[0] 50+10[1]", show(of(20, piece(0, 50), piece(50, 10))));
        assertEquals("0+10[0] 10+10[1]", show(of(0, piece(0, 10), piece(10, 10))));
    }

    /** A shard may use the same bytes for two chunks. */
    @Test
    void piecesMayOverlap() {
        assertEquals("0+100[0,1]", show(of(1 << 20, piece(0, 100), piece(20, 30))));
        assertEquals("0+100[0,1,2]", show(of(100, piece(0, 100), piece(0, 100), piece(60, 40))));
        assertEquals("0+100[0] 60+60[1]", show(of(100, piece(0, 100), piece(60, 60))));
        assertEquals("5+10[0] 5+10[1]", show(of(0, piece(5, 10), piece(5, 10))));
        String behindTheLonger = "0+4200[0,1,2]";
        assertEquals(
                behindTheLonger,
                show(of(1 << 20, piece(0, 4000), piece(10, 10), piece(4100, 100))));
    }

    /** A caller that reads several stretches at once asks whether a device may copy all bytes. */
    @Test
    void severalReachToTheEndOfTheOneThatEndsLast() {
        Stretches stretches = of(100, piece(7, 200), piece(20, 30), piece(5000, 10));
        assertEquals("7+200[0] 20+30[1] 5000+10[2]", show(stretches));
        assertEquals(200, stretches.bytes(0, 2));
        assertEquals(30, stretches.bytes(1, 2));
        assertEquals(5003, stretches.bytes(0, 3));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#seeds")
    void holdsEveryPieceOnce(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 500; round++) {
            int size = random.nextInt(200);
            long spread = 1L << random.nextInt(4, 62);
            long[][] pieces = new long[size][];
            for (int i = 0; i < size; i++) {
                pieces[i] = piece(random.nextLong(spread), 1 + random.nextLong(20_000));
            }
            if (random.nextInt(3) == 0) {
                Arrays.sort(pieces, (a, b) -> Long.compare(a[0], b[0]));
            }
            long cap = random.nextInt(4) == 0 ? 0 : random.nextLong(1 << random.nextInt(1, 20));
            check(of(cap, pieces), pieces, cap);
        }
    }

    private static void check(Stretches stretches, long[][] pieces, long cap) {
        boolean[] seen = new boolean[pieces.length];
        int next = 0;
        long before = -1;
        for (int s = 0; s < stretches.count(); s++) {
            assertEquals(next, stretches.begin(s));
            assertTrue(stretches.end(s) > next, "an empty stretch");
            long end = -1;
            for (; next < stretches.end(s); next++) {
                int piece = stretches.piece(next);
                assertTrue(!seen[piece], "a piece is there twice");
                seen[piece] = true;
                long offset = stretches.pieceOffset(next);
                assertEquals(pieces[piece][0], offset);
                assertEquals(pieces[piece][1], stretches.pieceBytes(next));
                assertTrue(offset >= before, "not in the order of the file");
                before = offset;
                assertTrue(end < 0 || offset - end <= GAP, "a gap that is too wide");
                end = Math.max(end, offset + stretches.pieceBytes(next));
            }
            assertEquals(stretches.pieceOffset(stretches.begin(s)), stretches.offset(s));
            assertEquals(end, stretches.offset(s) + stretches.bytes(s));
            boolean single = stretches.end(s) - stretches.begin(s) == 1;
            assertTrue(single || stretches.bytes(s) <= cap, "longer than the cap");
            checkNotFused(stretches, s, end, cap);
        }
        assertEquals(pieces.length, next);
    }

    /** The first piece of the next stretch would not have fitted. */
    private static void checkNotFused(Stretches stretches, int s, long end, long cap) {
        if (s + 1 < stretches.count()) {
            int first = stretches.begin(s + 1);
            long offset = stretches.pieceOffset(first);
            long fusedEnd = Math.max(end, offset + stretches.pieceBytes(first));
            boolean fits = offset - end <= GAP && fusedEnd - stretches.offset(s) <= cap;
            assertTrue(!fits, "two stretches that could be one");
        }
    }

    @Test
    void offsetsMayBeHuge() {
        long far = (1L << 62) - 5000;
        assertEquals(
                "0+10[1] " + (far - 100) + "+200[2,0]",
                show(of(1 << 20, piece(far, 100), piece(0, 10), piece(far - 100, 50))));
    }
}
