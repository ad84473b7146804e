package io.zarrengine.zarr;

import static io.zarrengine.zarr.DeviceTensors.assertHolds;
import static io.zarrengine.zarr.DeviceTensors.assertIsCorrupt;
import static io.zarrengine.zarr.DeviceTensors.assertReadsAll;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.bindings.NativeLibrary;
import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Reads files around the page cache, into memory that a device copies from. */
final class DeviceAroundCacheReadTest extends DeviceReadContract {
    private static final int LENGTH = 256;
    private static final long ALL_BYTES = 8L * LENGTH * LENGTH * Short.BYTES;

    DeviceAroundCacheReadTest() {
        super(DeviceEngines.SMALL);
    }

    @Override
    @BeforeEach
    void open() throws IOException {
        assumeTrue(NativeLibrary.LIBZSTD.isAvailable(), "libzstd encodes");
        Path file = Files.writeString(folder.resolve("a file"), "any");
        engine = DeviceEngines.openAroundCache(DeviceEngines.SMALL, file);
    }

    private SampleArray write(CodecSpec... codecs) {
        return write(metadata(8, codecs));
    }

    private static ArrayMetadata metadata(long planes, CodecSpec... codecs) {
        return ArrayMetadata.builder(NumericType.INT16, planes, LENGTH, LENGTH)
                .chunkShape(8, LENGTH / 2, LENGTH)
                .codecs(List.of(CodecSpec.sharding(new long[] {1, 64, 64}, codecs)))
                .build();
    }

    @Test
    void noCoreMovesWhatIsStoredAsItIs() {
        SampleArray sample = write(CodecSpec.bytes());
        try (ZarrArray array = engine.openArray(sample.path())) {
            assertReadsAll(array, sample.all());
        }
        DeviceMetrics done = engine.deviceMetrics(0);
        assertEquals(ALL_BYTES, done.bytesCopiedAsRead(), done::toString);
        assertEquals(ALL_BYTES, done.bytesCopied(), done::toString);
    }

    @Test
    void noCoreMovesWhatTheDeviceDecodes() {
        SampleArray sample = write(CodecSpec.bytes(), CodecSpec.zstd(3));
        try (ZarrArray array = engine.openArray(sample.path())) {
            assertReadsAll(array, sample.all());
        }
        DeviceMetrics done = engine.deviceMetrics(0);
        assertEquals(done.chunks(), done.chunksDecoded(), done::toString);
        assertEquals(done.bytesCopied(), done.bytesCopiedAsRead(), done::toString);
    }

    /** A checksum is compared in the memory that it was read into, and is not copied. */
    @Test
    void aChecksumIsLeftBehind() {
        SampleArray sample = write(CodecSpec.bytes(), CodecSpec.zstd(3), CodecSpec.crc32c());
        try (ZarrArray array = engine.openArray(sample.path())) {
            assertReadsAll(array, sample.all());
        }
        DeviceMetrics done = engine.deviceMetrics(0);
        assertEquals(done.bytesCopied(), done.bytesCopiedAsRead(), done::toString);
    }

    /** Elements that a worker has decoded lie in other memory. */
    @Test
    void whatTheHostDecodesGoesByWayOfASlot() {
        SampleArray sample = write(CodecSpec.bytes(), CodecSpec.gzip(1));
        try (ZarrArray array = engine.openArray(sample.path())) {
            assertReadsAll(array, sample.all());
        }
        DeviceMetrics done = engine.deviceMetrics(0);
        assertEquals(0, done.bytesCopiedAsRead(), done::toString);
        assertEquals(ALL_BYTES, done.bytesCopied(), done::toString);
    }

    /** The reads want many more bytes at once than the landing memory has. */
    @Test
    void whatFindsNoRoomIsReadAllTheSame() {
        SampleArray sample = write(CodecSpec.bytes());
        byte[] expected = sample.all();
        int reads = 64;
        try (ZarrArray array = engine.openArray(sample.path())) {
            assertAllHold(expected, readsOfAll(array, reads));
        }
        assertEquals(reads * ALL_BYTES, engine.deviceMetrics(0).bytesCopied());
    }

    /** Otherwise the drive would be idle while a worker checks chunks. */
    @Test
    void theDriveGetsItsNextReadsFirst() throws IOException {
        SampleArray sample = write(metadata(64, CodecSpec.bytes())); // more than is in flight
        AtomicInteger atOnce = new AtomicInteger();
        Path file = folder.resolve("a file");
        try (ZarrEngine watched =
                        DeviceEngines.openAroundCache(
                                DeviceEngines.SMALL,
                                file,
                                queues -> WatchedReads.ofCalls(queues, () -> counting(atOnce)));
                ZarrArray array = watched.openArray(sample.path())) {
            for (int i = 0; i < 8; i++) { // Other workers may take all the room.
                assertReadsAll(array, sample.all());
            }
        }
        assertTrue(atOnce.get() > 0);
    }

    /** Otherwise the kernel would look up and pin the pages for every read. */
    @Test
    void ringsKnowTheMemoryThatIsReadTo() throws IOException {
        SampleArray sample = write(CodecSpec.bytes());
        AtomicLong bytesRead = new AtomicLong(); // into memory registered with the ring
        Path file = folder.resolve("a file");
        try (ZarrEngine watched =
                        DeviceEngines.openAroundCache(
                                DeviceEngines.SMALL,
                                file,
                                queues ->
                                        WatchedReads.ofCalls(
                                                queues, () -> readsToKnown(bytesRead)));
                ZarrArray array = watched.openArray(sample.path())) {
            assertReadsAll(array, sample.all());
            long asRead = watched.deviceMetrics(0).bytesCopiedAsRead();
            assertEquals(ALL_BYTES, asRead);
            assertTrue(bytesRead.get() >= asRead, bytesRead + " bytes");
        }
    }

    private static WatchedReads.CallWatcher readsToKnown(AtomicLong bytes) {
        List<MemorySegment> known = new ArrayList<>();
        return (method, arguments) -> {
            if (method.equals("register")) {
                known.add((MemorySegment) arguments[0]);
            } else if (method.equals("read")) {
                MemorySegment memory = (MemorySegment) arguments[2];
                boolean isKnown =
                        known.stream().anyMatch(m -> m.asOverlappingSlice(memory).isPresent());
                bytes.addAndGet(isKnown ? (long) arguments[4] : 0);
            }
        };
    }

    /** Counts submissions of reads that do not wait for a completion. */
    private static WatchedReads.CallWatcher counting(AtomicInteger atOnce) {
        AtomicInteger queued = new AtomicInteger();
        return (method, arguments) -> {
            switch (method) {
                case "read" -> queued.incrementAndGet();
                case "await" -> queued.set(0);
                case "poll" -> atOnce.addAndGet(Math.min(queued.getAndSet(0), 1));
                default -> {}
            }
        };
    }

    /**
     * Workers that leave a drive to others, because enough reads are in flight, work for the host.
     */
    @Test
    void theHostReadsBesideADevice() {
        SampleArray sample = write(CodecSpec.bytes());
        byte[] expected = sample.all();
        try (ZarrArray array = engine.openArray(sample.path())) {
            List<CompletableFuture<DeviceTensor>> toDevice = new ArrayList<>();
            List<CompletableFuture<HostTensor>> toHost = new ArrayList<>();
            for (int i = 0; i < 32; i++) {
                toDevice.add(array.readAsync(Selection.all(), DEVICE));
                toHost.add(array.readAsync(Selection.all()));
            }
            for (CompletableFuture<HostTensor> read : toHost) {
                try (HostTensor tensor = read.join()) {
                    assertArrayEquals(expected, tensor.segment().toArray(JAVA_BYTE));
                }
            }
            assertAllHold(expected, toDevice);
        }
    }

    /** Begins reads of the whole array. */
    private static List<CompletableFuture<DeviceTensor>> readsOfAll(ZarrArray array, int reads) {
        return Stream.generate(() -> array.readAsync(Selection.all(), DEVICE))
                .limit(reads)
                .toList();
    }

    private static void assertAllHold(
            byte[] expected, List<CompletableFuture<DeviceTensor>> reads) {
        for (CompletableFuture<DeviceTensor> read : reads) {
            try (DeviceTensor tensor = read.join()) {
                assertHolds(expected, tensor);
            }
        }
    }

    /** Each chunk is a file, and a read that is fused with no other. */
    @Test
    void filesOfOneChunkAreReadTheSameWay() {
        SampleArray sample =
                write(
                        ArrayMetadata.builder(NumericType.INT16, 8, LENGTH, LENGTH)
                                .chunkShape(1, 64, 64)
                                .build());
        byte[] expected = sample.all();
        int reads = 32;
        try (ZarrArray array = engine.openArray(sample.path())) {
            assertAllHold(expected, readsOfAll(array, reads));
        }
        DeviceMetrics done = engine.deviceMetrics(0);
        assertEquals(reads * ALL_BYTES, done.bytesCopied());
        assertTrue(done.bytesCopiedAsRead() > 0, done::toString);
    }

    /** Failed reads give their lent memory back, so that the next ones find room. */
    @Test
    void readsThatFailLeaveNothingTaken() throws IOException {
        SampleArray sample = write(CodecSpec.bytes());
        SampleArray cut = SampleArray.write(engine, folder.resolve("cut"), sample.metadata());
        Path file = cut.path().resolve("c/0/0/0");
        try (ZarrArray array = engine.openArray(cut.path())) {
            assertReadsAll(array, cut.all()); // reads its index and opens the file
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.truncate(channel.size() / 3);
            }
            for (int i = 0; i < 50; i++) { // more than the landing memory holds
                assertIsCorrupt(array, file);
            }
        }
        long before = engine.deviceMetrics(0).bytesCopiedAsRead();
        try (ZarrArray array = engine.openArray(sample.path())) {
            assertReadsAll(array, sample.all());
        }
        assertEquals(ALL_BYTES, engine.deviceMetrics(0).bytesCopiedAsRead() - before);
    }
}
