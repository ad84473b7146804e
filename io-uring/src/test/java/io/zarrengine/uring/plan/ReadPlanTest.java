package io.zarrengine.uring.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares the plan with a slow one made of objects, and checks the invariants of every plan. */
final class ReadPlanTest {
    private static final FuseRule APART = new FuseRule(0, 0, 1 << 20, 1);

    private record Range(int number, int file, long offset, long bytes) {}

    private record Part(int range, long offset, long bytes) {}

    private record Read(int file, long offset, long bytes, List<Part> parts) {}

    static LongStream seeds() {
        return LongStream.of(0, 42, Long.getLong("io.zarrengine.seed", System.nanoTime()));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void plansAsTheSlowTwin(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        ReadPlan plan =
                new ReadPlan(); // One plan for all rounds: leftovers of a round must not matter.
        for (int round = 0; round < 300; round++) {
            FuseRule rule = randomRule(random);
            List<Range> ranges = randomRanges(random, rule);
            plan.clear();
            ranges.forEach(r -> plan.add(r.file, r.offset, r.bytes));
            plan.arrange(rule);
            assertEquals(slowly(ranges, rule), reads(plan), () -> rule + " " + ranges);
            assertEquals(ranges.stream().mapToLong(Range::bytes).sum(), plan.wantedBytes());
            assertEquals(reads(plan).stream().mapToLong(Read::bytes).sum(), plan.readBytes());
        }
    }

    /** Checks only the result of the plan: each wanted byte is read exactly once. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void everyByteOfEveryRangeComesOnce(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 100; round++) {
            FuseRule rule = randomRule(random);
            List<Range> ranges = randomRanges(random, rule);
            ReadPlan plan = new ReadPlan();
            ranges.forEach(r -> plan.add(r.file, r.offset, r.bytes));
            plan.arrange(rule);
            long[] arrived = new long[ranges.size()];
            for (int read = 0; read < plan.readCount(); read++) {
                assertEquals(0, plan.offset(read) % rule.alignment());
                assertEquals(0, plan.bytes(read) % rule.alignment());
                assertTrue(plan.bytes(read) <= rule.readBytesMax());
                for (int part = plan.firstPart(read); part < plan.endPart(read); part++) {
                    Range range = ranges.get(plan.range(part));
                    assertEquals(range.file, plan.file(read));
                    assertTrue(plan.partOffset(part) >= plan.offset(read));
                    assertTrue(
                            plan.partOffset(part) + plan.partBytes(part)
                                    <= plan.offset(read) + plan.bytes(read));
                    assertEquals(arrived[range.number], plan.offsetInRange(part), "in order");
                    arrived[range.number] += plan.partBytes(part);
                }
            }
            ranges.forEach(range -> assertEquals(range.bytes, arrived[range.number]));
        }
    }

    private static FuseRule randomRule(SplittableRandom random) {
        int alignment = 1 << random.nextInt(0, 14);
        long longest = (long) alignment * random.nextInt(1, 40);
        return new FuseRule(
                random.nextInt(20_000), random.nextLong(longest + 1), longest, alignment);
    }

    /**
     * Returns few or many ranges, near each other or far apart, in small files and at the end of
     * huge ones.
     */
    private static List<Range> randomRanges(SplittableRandom random, FuseRule rule) {
        int count = random.nextBoolean() ? random.nextInt(0, 50) : random.nextInt(0, 400);
        int files = random.nextInt(10) == 0 ? Integer.MAX_VALUE : random.nextInt(1, 5);
        long span = 1L << random.nextInt(10, 61);
        int longest = (int) Math.min(3 * rule.readBytesMax(), 100_000) + 1;
        return IntStream.range(0, count)
                .mapToObj(i ->
                        new Range(
                                i,
                                random.nextInt(files),
                                random.nextLong(span),
                                1 + random.nextInt(longest)))
                .toList();
    }

    private static List<Read> reads(ReadPlan plan) {
        List<Read> reads = new ArrayList<>();
        for (int r = 0; r < plan.readCount(); r++) {
            List<Part> parts = new ArrayList<>();
            for (int p = plan.firstPart(r); p < plan.endPart(r); p++) {
                parts.add(new Part(plan.range(p), plan.partOffset(p), plan.partBytes(p)));
            }
            reads.add(new Read(plan.file(r), plan.offset(r), plan.bytes(r), parts));
        }
        return reads;
    }

    private static List<Read> slowly(List<Range> ranges, FuseRule rule) {
        List<Read> reads = new ArrayList<>();
        ranges.stream()
                .sorted(Comparator.comparingInt(Range::file).thenComparingLong(Range::offset))
                .forEach(range -> place(range, rule, reads));
        return reads;
    }

    private static void place(Range range, FuseRule rule, List<Read> reads) {
        long alignment = rule.alignment();
        long end = range.offset + range.bytes;
        if (!reads.isEmpty()) {
            Read last = reads.getLast();
            long lastEnd = last.offset + last.bytes;
            long fusedEnd = Math.max(lastEnd, Math.ceilDiv(end, alignment) * alignment);
            long gap = range.offset / alignment * alignment - lastEnd;
            if (last.file == range.file
                    && range.offset >= last.offset
                    && gap <= rule.gapBytes()
                    && fusedEnd - last.offset <= rule.fusedBytesMax()) {
                List<Part> parts = new ArrayList<>(last.parts);
                parts.add(new Part(range.number, range.offset, range.bytes));
                reads.set(
                        reads.size() - 1,
                        new Read(last.file, last.offset, fusedEnd - last.offset, parts));
                return;
            }
        }
        for (long at = range.offset; at < end; ) {
            long begin = at / alignment * alignment;
            long readEnd =
                    Math.min(Math.ceilDiv(end, alignment) * alignment, begin + rule.readBytesMax());
            long partEnd = Math.min(end, readEnd);
            Part part = new Part(range.number, at, partEnd - at);
            reads.add(new Read(range.file, begin, readEnd - begin, List.of(part)));
            at = partEnd;
        }
    }

    @ParameterizedTest(name = "gap {0}, then {1} reads")
    @CsvSource({"0, 1", "4095, 1", "4096, 1", "4097, 2"})
    void aGapUpToTheRuleIsReadThrough(long gap, int reads) {
        ReadPlan plan = new ReadPlan();
        plan.add(0, 1000 + 4096 + gap, 4096);
        plan.add(0, 1000, 4096);
        plan.arrange(FuseRule.BUFFERED);
        assertEquals(reads, plan.readCount());
        assertEquals(reads == 1 ? (8192.0 + gap) / 8192 : 1, plan.amplification());
    }

    @Test
    void theSameRangeTwiceIsReadOnce() {
        ReadPlan plan = new ReadPlan();
        plan.add(3, 10, 100);
        plan.add(3, 10, 100);
        plan.arrange(FuseRule.BUFFERED);
        assertEquals(1, plan.readCount());
        assertEquals(0.5, plan.amplification());
    }

    @Test
    void anEmptyPlanHasNoReads() {
        ReadPlan plan = new ReadPlan();
        plan.arrange(FuseRule.DIRECT);
        assertEquals(0, plan.readCount());
        assertEquals(1, plan.amplification());
    }

    @Test
    void whatIsNoRangeIsRefused() {
        ReadPlan plan = new ReadPlan();
        assertThrows(IllegalArgumentException.class, () -> plan.add(-1, 0, 1));
        assertThrows(IllegalArgumentException.class, () -> plan.add(0, -1, 1));
        assertThrows(IllegalArgumentException.class, () -> plan.add(0, 0, 0));
        assertThrows(IllegalArgumentException.class, () -> plan.add(0, Long.MAX_VALUE, 1));
        assertThrows(IllegalArgumentException.class, () -> plan.add(0, 1, Long.MAX_VALUE));
        assertEquals(0, plan.rangeCount());
    }

    @Test
    void whatIsNoRuleIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> new FuseRule(-1, 0, 1, 1));
        assertThrows(IllegalArgumentException.class, () -> new FuseRule(0, 2, 1, 1));
        assertThrows(IllegalArgumentException.class, () -> new FuseRule(0, 0, 0, 1));
        assertThrows(IllegalArgumentException.class, () -> new FuseRule(0, 0, 12, 12));
        assertThrows(IllegalArgumentException.class, () -> new FuseRule(0, 0, 512, 1024));
        assertThrows(IllegalArgumentException.class, () -> APART.withAlignment(0));
    }
}
