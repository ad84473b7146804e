package io.zarrengine.gpu;

import io.zarrengine.cuda.CudaDevice;
import io.zarrengine.cuda.DeviceMemoryPool.Allocation;
import io.zarrengine.cuda.DeviceSlice;
import io.zarrengine.cuda.PinnedRing;
import io.zarrengine.nvcomp.NvcompFormat;
import io.zarrengine.zarr.device.DeviceCounters;
import io.zarrengine.zarr.device.DeviceSetup;
import io.zarrengine.zarr.errors.ClosedException;
import io.zarrengine.zarr.errors.DeviceLostException;
import java.io.IOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.IntSupplier;

/**
 * The work of one device, as the workers and callers see it.
 *
 * <p>Owner: the engine. Threads: any. It ends when it is closed, no read is left, and the results
 * that lie in its memory are closed.
 */
final class DeviceExecutor implements AutoCloseable {
    /** Small reads take no more than this part of the slots. */
    private static final int SMALL_SHARE = 4;

    private final DeviceOptions options;
    private final CudaDevice device;
    private final PinnedRing ring;
    private final List<SlotFill.Descriptors> descriptors; // by slot
    private final Map<NvcompFormat, Long> sourceAlignments = new EnumMap<>(NvcompFormat.class);
    private final long sourceAlignmentMax;
    private final DevicePump pump;
    private final ThreadLocal<Lane> laneOfThread = ThreadLocal.withInitial(this::newLane);
    private final List<Lane> lanes = new CopyOnWriteArrayList<>();
    private final Queue<SlotFill> sealed = new ConcurrentLinkedQueue<>();
    private final Queue<Consumer<DevicePump>> commands = new ConcurrentLinkedQueue<>();
    private final Set<DeviceRead> reads = ConcurrentHashMap.newKeySet();
    private final AtomicInteger producers = new AtomicInteger();
    private final AtomicLong load = new AtomicLong(); // chunks of reads that have not ended
    private final AtomicLong loadBytes = new AtomicLong(); // the same, decoded
    private final AtomicLong toCome = new AtomicLong(); // of the load: no batch has it yet
    private final AtomicLong untouched = new AtomicLong(); // of the load: no worker has begun it
    private final AtomicInteger smallReads = new AtomicInteger(); // each has a slot
    private final DeviceCounters counters = new DeviceCounters();
    private final AtomicInteger holds = new AtomicInteger(); // the device's thread goes on for them
    private final DecodeCosts costs;
    private final RegisteredReads registered;
    private final LandingMemory landing;
    private final DirectReads direct; // null: no file is read around the host
    private final IntSupplier devices;
    private final ChunksAhead ahead;
    private final ForgottenResults forgotten = new ForgottenResults();
    private volatile boolean closing;
    private volatile DeviceLostException lost;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    private DeviceExecutor(
            DeviceOptions wanted,
            CudaDevice device,
            DeviceSetup host,
            IntSupplier devices,
            FileAccess files)
            throws IOException {
        this.device = device;
        this.devices = devices;
        DeviceMemories memories =
                device.thread().call(() -> new DeviceMemories(device, wanted, files));
        options = memories.options;
        costs = new DecodeCosts(host.workerCount(), options);
        ahead = new ChunksAhead(costs);
        ring = memories.ring;
        descriptors = memories.slotDescriptors;
        memories.decoders.forEach(
                (format, decoder) -> sourceAlignments.put(format, decoder.sourceAlignment()));
        sourceAlignmentMax = sourceAlignments.values().stream().reduce(1L, Math::max);
        registered = new RegisteredReads(memories.files, fileChunkBytesMax(host));
        landing = memories.landing;
        direct =
                memories.directSlots == null
                        ? null
                        : new DirectReads(
                                new DirectFiles(files.versions()),
                                memories.directSlots,
                                options.directBytesMax(),
                                counters);
        pump = new DevicePump(this, device, memories, host.verifiesChecksums());
    }

    /** A batch has room for a chunk of a registered file, and the host to decode it instead. */
    private long fileChunkBytesMax(DeviceSetup host) {
        long ofHost = Math.max(options.slotBytes(), host.largeBytesMax() / 2);
        return Math.min(options.batchBytes(), ofHost);
    }

    /**
     * Opens a device; throws IOException if it cannot be used.
     *
     * @param host the engine's, whose workers decode what the device does not
     * @param devices how many are open with this one
     * @param files how it comes to them by itself
     */
    static DeviceExecutor open(
            int ordinal,
            DeviceOptions options,
            DeviceSetup host,
            IntSupplier devices,
            FileAccess files)
            throws IOException {
        CudaDevice device = CudaDevice.open(ordinal);
        try {
            DeviceExecutor executor = new DeviceExecutor(options, device, host, devices, files);
            var _ =
                    device.thread()
                            .submit(() -> {
                                try {
                                    return executor.pump.run();
                                } finally {
                                    executor.ended.complete(null);
                                }
                            });
            return executor;
        } catch (Throwable t) { // Allowed: rolls back a constructor
            device.close();
            throw t;
        }
    }

    int ordinal() {
        return device.ordinal();
    }

    DeviceOptions options() {
        return options;
    }

    /** The error that took the device out of service, if any. */
    Optional<DeviceLostException> loss() {
        return Optional.ofNullable(lost);
    }

    /** What reads files around the host's memory; empty if nothing does. */
    Optional<DirectReads> direct() {
        return Optional.ofNullable(direct);
    }

    /** What has the device copy from the page cache. */
    RegisteredReads registered() {
        return registered;
    }

    LandingMemory landing() {
        return landing;
    }

    DeviceCounters counters() {
        return counters;
    }

    /**
     * Begins a read: {@link #forget} ends it.
     *
     * @param chunks about how many it has
     * @param chunkBytes of the largest, decoded
     * @throws ClosedException if the device's thread may be gone
     */
    DeviceRead newRead(DeviceSlice target, long chunks, long chunkBytes) {
        DeviceRead read = new DeviceRead(this, target, chunks, chunkBytes);
        load.addAndGet(chunks);
        loadBytes.addAndGet(chunks * chunkBytes);
        toCome.addAndGet(chunks);
        untouched.addAndGet(chunks);
        reads.add(read);
        if (closing) { // Asked after it was added, as in hold.
            came(chunks);
            touched(chunks);
            forget(read);
            throw ClosedException.ofEngine();
        }
        if (lost != null) {
            read.fail(lost);
        }
        return read;
    }

    void forget(DeviceRead read) {
        reads.remove(read);
        load.addAndGet(-read.load());
        loadBytes.addAndGet(-read.load() * read.chunkBytes());
        pump.wake();
    }

    /** {@return about how many chunks of all reads no batch has yet} */
    long toCome() {
        return toCome.get();
    }

    /** Chunks have joined a batch, or will never do so. */
    void came(long chunks) {
        toCome.addAndGet(-chunks);
    }

    /** Workers have begun with chunks, or will never do so. */
    void touched(long chunks) {
        untouched.addAndGet(-chunks);
    }

    /** Workers begin to hand over chunks of a read. */
    void producerBegins() {
        producers.incrementAndGet();
        pump.wake();
    }

    void producerEnds() {
        producers.decrementAndGet();
        pump.wake();
    }

    boolean hasProducers() {
        return producers.get() > 0;
    }

    boolean hasReads() {
        return !reads.isEmpty();
    }

    /** Whether there is a decoder: another engine on the same device may have the one for zstd. */
    boolean decodes(NvcompFormat format) {
        return sourceAlignments.containsKey(format);
    }

    /** {@return what addresses must be multiples of that a format is decoded from} */
    long sourceAlignment(NvcompFormat format) {
        return sourceAlignments.get(format);
    }

    /** {@return the most of that, of any format} */
    long sourceAlignmentMax() {
        return sourceAlignmentMax;
    }

    /** Whether so much is under way that the device may be asked to decode. */
    boolean isLoaded() {
        return isLoaded(0);
    }

    /** The same with so many chunks more; a large one is as much as several. */
    private boolean isLoaded(long moreChunks) {
        return Math.max(load.get() + moreChunks, loadBytes.get() / DeviceOptions.LOAD_CHUNK_BYTES)
                >= options.loadMin();
    }

    /**
     * Whether the device is to decode a chunk: it has decoded all that is under way before the
     * workers would have.
     *
     * @param streamBytes of each of its streams, decoded
     * @param streams which nvCOMP decodes one beside the other
     */
    boolean isDevices(NvcompFormat format, long streamBytes, long streams) {
        return options.loadMin() == 0
                || costs.prefersDevice(
                        format,
                        streamBytes,
                        streams,
                        Math.max(1, loadBytes.get() / (streamBytes * streams)));
    }

    /**
     * Whether the device is to decode a chunk though the workers would be the first with all: it
     * decodes some while they decode the rest, if that takes them long enough.
     *
     * @param chunks of the read, which are to be worth it alone: others may be unlike them
     */
    boolean isPartWelcome(NvcompFormat format, long chunkBytes, long chunks) {
        long rest = Math.min(chunks, untouched.get());
        return costs.isHelpWelcome(format, chunkBytes)
                && costs.isPartWelcome(format, chunkBytes, chunks)
                && costs.hostNanos(format, chunkBytes, rest)
                        > costs.batchNanos(format, chunkBytes, chunkBytes);
    }

    /** Whether a worker is to decode a chunk that {@link #isDevices}: both decode then. */
    boolean isHelpDue(NvcompFormat format, long chunkBytes) {
        return options.loadMin() > 0
                && costs.isHelpWelcome(format, chunkBytes)
                && ahead.isHelpDue(
                        format,
                        chunkBytes,
                        Math.max(1, untouched.get() * devices.getAsInt()), // Each has its own.
                        System.nanoTime());
    }

    /** What the device is still to decode. */
    ChunksAhead ahead() {
        return ahead;
    }

    /** What decoding takes here. */
    DecodeCosts costs() {
        return costs;
    }

    /**
     * {@return a slot for a small read, or null if it goes with the others: the device has enough
     * to decode, or there are too few slots} The workers wait for slots; what only workers give
     * back must never be all of them.
     *
     * @param bytes of the result
     * @param chunks about how many it has
     */
    PinnedRing.Slot trySmallSlot(long bytes, long chunks) {
        boolean isSmall = bytes <= Math.min(SmallRead.BYTES_MAX, options.slotBytes());
        if (!isSmall || isLoaded(chunks - 1)) {
            return null;
        }
        if (smallReads.incrementAndGet() <= options.slots() / SMALL_SHARE) {
            Optional<PinnedRing.Slot> slot = ring.tryTake();
            if (slot.isPresent()) {
                return slot.get();
            }
        }
        smallReads.decrementAndGet();
        return null;
    }

    /** Ends what {@link #trySmallSlot} began. */
    void giveSmallBack(PinnedRing.Slot slot) {
        slot.close();
        smallReads.decrementAndGet();
    }

    /** Whether the host decodes something that is copied as soon as it is there. */
    boolean hasSmallReads() {
        return smallReads.get() > 0;
    }

    Lane lane() {
        return laneOfThread.get();
    }

    Lane newLane() {
        Lane lane = new Lane(this);
        lanes.add(lane);
        return lane;
    }

    /** Gives the lane up; what it holds is sent. */
    void removeLane(Lane lane) {
        lanes.remove(lane);
        SlotFill open = lane.take();
        if (open != null) {
            sealed(open);
        }
        lane.close();
    }

    /** Waits for a free slot: the device gives each back after its copy. */
    SlotFill takeSlot() {
        PinnedRing.Slot slot = ring.take();
        return new SlotFill(
                slot,
                BatchLoad.ofSlot(options),
                descriptors.get(slot.index()),
                devices.getAsInt(),
                ahead);
    }

    PinnedRing ring() {
        return ring;
    }

    void sealed(SlotFill fill) {
        sealed.add(fill);
        pump.wakeForSlot();
    }

    SlotFill nextSealed() {
        return sealed.poll();
    }

    /** Takes what the workers have begun so long ago at least; false if there is nothing. */
    boolean steal(long nanos) {
        boolean found = false;
        long now = System.nanoTime();
        for (Lane lane : lanes) {
            SlotFill fill = lane.steal(now, nanos);
            if (fill != null) {
                sealed.add(fill);
                found = true;
            }
        }
        return found;
    }

    /** Runs something on the device's thread, soon. */
    void post(Consumer<DevicePump> command) {
        commands.add(command);
        pump.wake();
    }

    boolean runCommands(DevicePump on) {
        boolean moved = false;
        for (var command = commands.poll(); command != null; command = commands.poll()) {
            command.accept(on);
            moved = true;
        }
        return moved;
    }

    /**
     * Has the device's thread go on until {@link #letGo}.
     *
     * @throws ClosedException if it may be gone
     */
    void hold() {
        holds.incrementAndGet();
        if (closing) { // Asked after it was counted: the thread may be gone otherwise.
            letGo();
            throw ClosedException.ofEngine();
        }
    }

    void letGo() {
        holds.decrementAndGet();
        pump.wake();
    }

    /** {@return memory for a result; it holds the device's thread until {@link #free}} */
    CompletableFuture<Allocation> allocate(long bytes) {
        try {
            hold();
        } catch (ClosedException e) {
            return CompletableFuture.failedFuture(e);
        }
        CompletableFuture<Allocation> result = new CompletableFuture<>();
        post(on -> {
            try {
                result.complete(on.allocate(bytes));
            } catch (IOException | RuntimeException | Error e) {
                holds.decrementAndGet();
                result.completeExceptionally(e);
            }
        });
        return result;
    }

    void free(Allocation allocation) {
        post(_ -> {
            allocation.close();
            holds.decrementAndGet();
        });
    }

    ForgottenResults forgotten() {
        return forgotten;
    }

    void lost(DeviceLostException cause) {
        lost = cause;
        reads.forEach(read -> read.fail(cause));
    }

    /** Whether nothing is decoded any more. */
    boolean hasEnded() {
        return closing && reads.isEmpty();
    }

    /** Whether nobody needs the device's memory any more either. */
    boolean mayEnd() {
        return hasEnded() && holds.get() == 0 && commands.isEmpty();
    }

    void workEnded() {
        ended.complete(null);
    }

    /** The workers are gone, and no read is begun any more. Waits for the device's thread. */
    @Override
    public void close() {
        lanes.forEach(this::removeLane);
        direct().ifPresent(DirectReads::close);
        closing = true;
        pump.wake();
        ended.join(); // The last open result ends the thread.
        forgotten.close();
        assert ahead.byteSize() == 0 : ahead.byteSize() + " bytes are still to be decoded";
        assert untouched.get() == 0 : untouched.get() + " chunks are still to come";
    }
}
