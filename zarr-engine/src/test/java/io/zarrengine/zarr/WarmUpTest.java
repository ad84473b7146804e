package io.zarrengine.zarr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.errors.ClosedException;
import io.zarrengine.zarr.errors.CorruptChunkException;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import io.zarrengine.zarr.objectstore.MemoryStore;
import io.zarrengine.zarr.objectstore.ObjectRead;
import io.zarrengine.zarr.objectstore.ObjectStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Fails if a warm-up does not end, leaves its thread, or hides what a read would say. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class WarmUpTest {
    private static final Duration LONG = Duration.ofDays(1_000_000); // more than 63 bits of ns
    private static final List<Selection> TYPICAL =
            List.of(Selection.of("0:30, 5:90"), Selection.of("50:120, 100:200"));

    @TempDir private Path folder;

    private static void awaitNoThread() throws InterruptedException {
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().equals("zarr-engine-warm-up")) {
                thread.join();
            }
        }
    }

    /** Catches a rule that never sees the end, and a way to read that is left out. */
    @Test
    void endsByItselfAndReadsInThreeWays() throws Exception {
        try (ZarrEngine engine = ZarrEngine.open()) {
            SampleArray sample =
                    SampleArray.writeShards(
                            engine, folder.resolve("a"), NumericType.INT16, CodecSpec.bytes());
            try (ZarrArray array = engine.openArray(sample.path())) {
                assertNull(array.warmUp(TYPICAL, LONG).get());
                long bytes = engine.metrics().bytesDelivered();
                assertTrue(bytes > 0);
                assertEquals(0, bytes % (3 * array.bytesOf(TYPICAL)), "whole rounds of three ways");
                awaitNoThread();
            }
        }
    }

    /** Catches a deadline that is only looked at between rounds of reads. */
    @Test
    void readsLittleAfterTheTime() throws Exception {
        MemoryStore memory = MemoryStore.create();
        ArrayMetadata metadata = ArrayMetadata.builder(NumericType.INT16, 4, 4).build();
        try (ZarrEngine engine = ZarrEngine.open()) {
            engine.createArray(memory, "", metadata).writeAll((chunk, elements) -> {});
            try (ZarrArray array = engine.openArray(memory, "")) {
                List<Selection> typical = List.of(Selection.of("0:2, :"), Selection.of("2:4, :"));
                assertNull(array.warmUp(typical, Duration.ofNanos(1)).get());
                assertEquals(array.bytesOf(typical), engine.metrics().bytesDelivered());
            }
        }
    }

    /** Catches a warm-up that hangs, goes on or ends silently when what it reads is closed. */
    @Test
    void endsWhenTheEngineOrTheArrayIsClosed() throws Exception {
        ZarrEngine engine = ZarrEngine.open();
        SampleArray sample =
                SampleArray.writeShards(
                        engine, folder.resolve("a"), NumericType.INT16, CodecSpec.bytes());
        ZarrArray array = engine.openArray(sample.path());
        ZarrArray other = engine.openArray(sample.path());
        CompletableFuture<Void> first = array.warmUp(TYPICAL, LONG);
        CompletableFuture<Void> second = other.warmUp(TYPICAL, LONG);
        array.close();
        assertClosed(first);
        assertThrows(ClosedException.class, () -> array.warmUp(TYPICAL, LONG));
        engine.close();
        assertClosed(second);
        awaitNoThread();
        other.close();
    }

    private static void assertClosed(CompletableFuture<Void> future) {
        ExecutionException e = assertThrows(ExecutionException.class, future::get);
        assertInstanceOf(ClosedException.class, e.getCause());
    }

    /** Catches a thread that does not look at its future: it would read on until it is warm. */
    @Test
    void readsNoMoreWhenCancelled() throws Exception {
        MemoryStore memory = MemoryStore.create();
        ArrayMetadata metadata = ArrayMetadata.builder(NumericType.INT16, 4, 4).build();
        CompletableFuture<Void> gate = new CompletableFuture<>();
        try (ZarrEngine engine = ZarrEngine.open()) {
            engine.createArray(memory, "", metadata).writeAll((chunk, elements) -> {});
            try (ZarrArray array = engine.openArray(new GatedStore(memory, gate), "")) {
                List<Selection> typical = List.of(Selection.of("0:2, :"), Selection.of("2:4, :"));
                array.warmUp(typical, LONG).cancel(false);
                gate.complete(null);
                awaitNoThread();
                assertEquals(array.bytesOf(typical), engine.metrics().bytesDelivered());
            }
        }
    }

    /** Reads no chunk before the gate is complete. */
    private record GatedStore(MemoryStore objects, CompletableFuture<Void> gate)
            implements ObjectStore {
        @Override
        public String name() {
            return "test://gated";
        }

        @Override
        public void read(List<? extends ObjectRead> reads) {
            if (reads.stream().noneMatch(read -> read.key().endsWith("zarr.json"))) {
                gate.join();
            }
            objects.read(reads);
        }

        @Override
        public void close() {}
    }

    /** Catches an exception that arrives wrapped, or not at all. */
    @Test
    void saysWhatAReadWouldSay() throws Exception {
        try (ZarrEngine engine = ZarrEngine.open()) {
            SampleArray sample = SampleArray.writeDamaged(engine, folder.resolve("a"), "c/0/0");
            try (ZarrArray array = engine.openArray(sample.path())) {
                CompletableFuture<Void> future = array.warmUp(TYPICAL, LONG);
                Throwable failure = future.handle((nothing, e) -> e).get();
                assertInstanceOf(CorruptChunkException.class, failure);
                Selection outside = Selection.of("120, :");
                assertThrows(
                        IndexOutOfBoundsException.class,
                        () -> array.warmUp(List.of(outside), LONG));
                assertThrows(IllegalArgumentException.class, () -> array.warmUp(List.of(), LONG));
                assertThrows(
                        IllegalArgumentException.class, () -> array.warmUp(TYPICAL, Duration.ZERO));
                awaitNoThread();
            }
        }
    }

    /** Catches a rule that stops while rounds still get faster, or that small gains keep going. */
    @Test
    void roundsEndWhenNoneWasFasterForAWhile() {
        long second = WarmUp.Rounds.PATIENCE_NANOS;
        WarmUp.Rounds rounds = new WarmUp.Rounds(-second); // as nanoTime may be
        assertTrue(rounds.getFaster(second), "a slow round may be the only one so far");
        assertTrue(rounds.getFaster(2 * second), "faster");
        assertTrue(rounds.getFaster(2 * second + second / 2), "faster");
        assertTrue(rounds.getFaster(3 * second - 1), "as fast");
        assertTrue(rounds.getFaster(3 * second + second / 3), "faster");
        assertFalse(rounds.getFaster(4 * second + second / 3), "slower for a second");
    }
}
