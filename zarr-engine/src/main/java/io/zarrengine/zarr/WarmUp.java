package io.zarrengine.zarr;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/**
 * Reads selections again and again to new memory until that gets no faster. It reads them in three
 * ways, because Java compiles each way by itself: as one, at once, one after another.
 *
 * <p>Owner: its thread, which ends soon after the future. Threads: the future, any.
 */
final class WarmUp {
    private final HostReads reads;
    private final ArraySelector selector;
    private final List<Selection> selections;
    private final long begin = System.nanoTime();
    private final long atMostNanos;
    private final CompletableFuture<Void> future = new CompletableFuture<>();

    private WarmUp(
            HostReads reads, ArraySelector selector, List<Selection> selections, Duration atMost) {
        this.reads = reads;
        this.selector = selector;
        this.selections = selections;
        this.atMostNanos = TimeUnit.NANOSECONDS.convert(atMost); // of any length
    }

    /** Starts to read. Throws as {@link ZarrArray#warmUp} does. */
    static CompletableFuture<Void> start(
            HostReads reads, ArraySelector selector, List<Selection> selections, Duration atMost) {
        List<Selection> kept = List.copyOf(selections);
        selector.select(kept).bytes(); // resolves each
        if (kept.isEmpty() || !atMost.isPositive()) {
            throw new IllegalArgumentException(
                    "warming up needs selections and time: got %d selections, %s"
                            .formatted(kept.size(), atMost));
        }
        WarmUp warmUp = new WarmUp(reads, selector, kept, atMost);
        Thread.ofPlatform().daemon().name("zarr-engine-warm-up").start(warmUp::run);
        return warmUp.future;
    }

    private void run() {
        try {
            Rounds rounds = new Rounds(begin);
            do {
                readAsOne();
                readAtOnce();
                readInTurn();
            } while (hasTime() && rounds.getFaster(System.nanoTime()));
            future.complete(null);
        } catch (CompletionException e) {
            future.completeExceptionally(e.getCause());
        } catch (RuntimeException | Error e) {
            future.completeExceptionally(e);
        }
    }

    /** Returns false when the time is over, or when the future was cancelled. */
    private boolean hasTime() {
        return !future.isDone() && System.nanoTime() - begin < atMostNanos;
    }

    private void readAsOne() {
        reads.readAsync(selector.select(selections)).join().close();
    }

    private void readAtOnce() {
        CompletableFuture<?>[] closed =
                selections.stream()
                        .takeWhile(selection -> hasTime())
                        .map(selector::select)
                        .map(elements -> reads.readAsync(elements).thenAccept(HostTensor::close))
                        .toArray(CompletableFuture<?>[]::new);
        CompletableFuture.allOf(closed).join();
    }

    private void readInTurn() {
        selections.stream()
                .takeWhile(selection -> hasTime())
                .map(selector::select)
                .forEach(elements -> reads.read(elements).close());
    }

    /** Sees when rounds get no faster any more. */
    static final class Rounds {
        /** Java compiles in bursts: times stand still for tenths of a second, then fall again. */
        static final long PATIENCE_NANOS = 1_000_000_000;

        /** Smaller gains happen by chance. */
        private static final double FASTER = 0.95;

        private long begin;
        private long gainNanos; // when a round was last faster than all before
        private long bestNanos = Long.MAX_VALUE;

        Rounds(long begin) {
            this.begin = begin;
            this.gainNanos = begin;
        }

        /** Notes the end of a round. Returns false if none was faster for a while. */
        boolean getFaster(long end) {
            long nanos = end - begin;
            begin = end;
            if (nanos < FASTER * bestNanos) {
                bestNanos = nanos;
                gainNanos = end;
            }
            return end - gainNanos < PATIENCE_NANOS;
        }
    }
}
