package io.zarrengine.zarr.loader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.HostTensor;
import io.zarrengine.zarr.SampleArray;
import io.zarrengine.zarr.Selection;
import io.zarrengine.zarr.ZarrArray;
import io.zarrengine.zarr.ZarrEngine;
import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.metadata.CodecSpec;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A publisher keeps the rules of Reactive Streams. Fails if it delivers more than was requested or
 * may be open, signals after the end, or leaks the loader's memory.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(60)
final class BatchPublisherTest {
    @TempDir private static Path folder;

    private ZarrEngine engine;
    private ZarrArray array;

    @BeforeAll
    void open() {
        engine = ZarrEngine.open();
        SampleArray sample =
                SampleArray.writeShards(
                        engine, folder.resolve("array"), NumericType.INT16, CodecSpec.bytes());
        array = engine.openArray(sample.path());
    }

    @AfterAll
    void close() {
        array.close();
        engine.close();
    }

    private Loader<HostTensor> loader(int rows) {
        return Loader.of(array, Sampler.windows(new long[] {rows, 200}, 0, 1, 1)).open();
    }

    /** Records the signals. */
    private static class Recorder implements Flow.Subscriber<Batch<HostTensor>> {
        final BlockingQueue<Object> signals = new LinkedBlockingQueue<>();
        Flow.Subscription subscription;

        @Override
        public void onSubscribe(Flow.Subscription newSubscription) {
            subscription = newSubscription;
            signals.add("subscribed");
        }

        @Override
        public void onNext(Batch<HostTensor> batch) {
            signals.add(batch);
        }

        @Override
        public void onError(Throwable failure) {
            signals.add(failure);
        }

        @Override
        public void onComplete() {
            signals.add("complete");
        }

        Object next() throws InterruptedException {
            return signals.poll(30, TimeUnit.SECONDS);
        }

        @SuppressWarnings("unchecked")
        Batch<HostTensor> batch() throws InterruptedException {
            return (Batch<HostTensor>) assertInstanceOf(Batch.class, next());
        }

        void assertSilent() throws InterruptedException {
            assertNull(signals.poll(50, TimeUnit.MILLISECONDS));
        }
    }

    @Test
    void deliversWhatIsRequestedAndMayBeOpen() throws InterruptedException {
        Recorder recorder = new Recorder();
        loader(5).publisher(2).subscribe(recorder);
        assertEquals("subscribed", recorder.next());
        recorder.assertSilent();
        recorder.subscription.request(1);
        Batch<HostTensor> first = recorder.batch();
        recorder.assertSilent();
        recorder.subscription.request(Long.MAX_VALUE);
        recorder.subscription.request(Long.MAX_VALUE);
        Batch<HostTensor> second = recorder.batch();
        recorder.assertSilent(); // two are open
        first.tensor().segment();
        first.close();
        Batch<HostTensor> third = recorder.batch();
        recorder.assertSilent();
        second.close();
        third.close();
        List<long[]> numbers = new ArrayList<>(List.of(third.samples()));
        for (int i = 3; i < 5; i++) {
            Batch<HostTensor> batch = recorder.batch();
            numbers.add(batch.samples());
            batch.close();
        }
        assertEquals(List.of(2L, 3L, 4L), numbers.stream().map(each -> each[0]).toList());
        assertEquals("complete", recorder.next());
        recorder.assertSilent();
    }

    /** An open batch outlives the loader, and frees its memory when it is closed. */
    @Test
    void aBatchOutlivesTheSubscription() throws InterruptedException {
        Recorder recorder = new Recorder();
        Loader<HostTensor> loader = loader(9);
        loader.publisher(4).subscribe(recorder);
        recorder.next();
        recorder.subscription.request(1);
        Batch<HostTensor> batch = recorder.batch();
        recorder.subscription.cancel();
        recorder.subscription.cancel();
        loader.close(); // waits for the thread
        MemorySegment segment = batch.tensor().segment();
        assertTrue(segment.scope().isAlive());
        batch.close();
        assertTrue(!segment.scope().isAlive());
        recorder.assertSilent();
    }

    @Test
    void reportsAFailure() throws InterruptedException {
        Recorder recorder = new Recorder();
        Sampler outside = number -> Selection.of("200");
        Loader.of(array, outside).open().publisher(1).subscribe(recorder);
        recorder.next();
        recorder.subscription.request(2);
        assertInstanceOf(IndexOutOfBoundsException.class, recorder.next());
        recorder.assertSilent();
    }

    @Test
    void refusesARequestOfNothing() throws InterruptedException {
        Recorder recorder = new Recorder();
        loader(3).publisher(1).subscribe(recorder);
        recorder.next();
        recorder.subscription.request(0);
        assertInstanceOf(IllegalArgumentException.class, recorder.next());
        recorder.assertSilent();
    }

    @Test
    void hasOneSubscriber() throws InterruptedException {
        Recorder first = new Recorder();
        Recorder second = new Recorder();
        try (Loader<HostTensor> loader = loader(3)) {
            Flow.Publisher<Batch<HostTensor>> publisher = loader.publisher(1);
            assertThrows(NullPointerException.class, () -> publisher.subscribe(null));
            publisher.subscribe(first);
            publisher.subscribe(second);
            assertEquals("subscribed", second.next());
            assertInstanceOf(IllegalStateException.class, second.next());
            second.subscription.request(1);
            second.subscription.cancel();
            assertEquals("subscribed", first.next());
            assertThrows(IllegalStateException.class, loader::iterator);
            assertThrows(IllegalStateException.class, () -> loader.publisher(1));
        }
        first.assertSilent();
        try (Loader<HostTensor> loader = loader(1)) {
            assertThrows(IllegalArgumentException.class, () -> loader.publisher(0));
        }
    }

    /** A subscriber may close the loader from its own callback. */
    @Test
    void endsWhenTheSubscriberClosesTheLoader() throws InterruptedException {
        Loader<HostTensor> loader = loader(3);
        Recorder recorder =
                new Recorder() {
                    @Override
                    public void onNext(Batch<HostTensor> batch) {
                        super.onNext(batch);
                        loader.close();
                    }
                };
        loader.publisher(3).subscribe(recorder);
        recorder.next();
        recorder.subscription.request(3);
        recorder.batch().close();
        recorder.assertSilent();
    }
}
