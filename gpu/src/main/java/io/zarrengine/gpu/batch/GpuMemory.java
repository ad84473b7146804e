package io.zarrengine.gpu.batch;

import io.zarrengine.bindings.FailSafeLogger;
import io.zarrengine.bindings.NativeMemory;
import io.zarrengine.cuda.ChunkKernels;
import io.zarrengine.cuda.CopyBatch;
import io.zarrengine.cuda.CudaDevice;
import io.zarrengine.cuda.CudaEvent;
import io.zarrengine.cuda.CudaException;
import io.zarrengine.cuda.CudaStream;
import io.zarrengine.cuda.DeviceBudgetException;
import io.zarrengine.cuda.DeviceMemoryPool;
import io.zarrengine.cuda.DeviceMemoryPool.Allocation;
import io.zarrengine.cuda.DeviceSlice;
import io.zarrengine.cuda.PieceBatch;
import io.zarrengine.cuda.PinnedMemory;
import io.zarrengine.cuda.PinnedSlots;
import io.zarrengine.gpu.chunk.Alignment;
import io.zarrengine.gpu.file.DirectSlots;
import io.zarrengine.gpu.file.FileAccess;
import io.zarrengine.gpu.file.FileRegistry;
import io.zarrengine.gpu.file.LandingMemory;
import io.zarrengine.gpu.slot.SlotFill;
import io.zarrengine.gpu.tuning.DeviceOptions;
import io.zarrengine.nvcomp.BatchDecoder;
import io.zarrengine.nvcomp.NvcompFormat;
import io.zarrengine.nvcomp.NvcompLibrary;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The resources of a device's work, opened once: streams, memory, decoders, kernels.
 *
 * <p>Owner: the pump. Threads: the device's; {@link #slots} and {@link #landing} any.
 */
public final class GpuMemory implements AutoCloseable {
    private static final FailSafeLogger LOGGER = new FailSafeLogger("io.zarrengine.zarr");

    /** One batch is decoded, one waits after it, one is filled. */
    private static final int BATCHES = 3;

    /** The divisor for the part of the budget that direct reads use. */
    private static final int DIRECT_SHARE = 8;

    /** The number of copies in one call: typically all copies of a slot. */
    private static final int FILE_COPIES = 128;

    /**
     * Bytes for each pinned slot. A worker has two, and reads into one of these while the other is
     * copied.
     */
    private static final long LANDING_BYTES = 1 << 20;

    private static final List<NvcompFormat> FORMATS =
            List.of(
                    NvcompFormat.ZSTD,
                    NvcompFormat.LZ4,
                    NvcompFormat.SNAPPY,
                    NvcompFormat.GZIP,
                    NvcompFormat.DEFLATE);

    private final Deque<AutoCloseable> owned = new ArrayDeque<>(); // last opened first
    private final Deque<AutoCloseable> working = new ArrayDeque<>(); // not needed by open results
    public final DeviceOptions options;
    final CudaStream copies;
    final CudaStream work; // decoders, kernels, allocations and frees
    final CudaStream back; // copies to the host
    final CudaStream frees; // frees of memory that streams of callers use
    final ChunkKernels kernels;
    final DeviceMemoryPool pool;
    public final PinnedSlots slots;
    public final LandingMemory landing;
    public final FileRegistry files;
    final CopyBatch fileCopies;
    public final DirectSlots directSlots; // null: direct reads are off
    final CudaEvent awaited;
    final List<CudaEvent> slotEvents = new ArrayList<>();
    public final List<SlotFill.Descriptors> slotDescriptors = new ArrayList<>();
    final Map<NvcompFormat, BatchDecoder> decoders = new EnumMap<>(NvcompFormat.class);
    final DeviceSlice scratch;
    final List<DeviceBatch> batches = new ArrayList<>();
    final MemorySegment rescuePinned; // one slot

    public GpuMemory(CudaDevice device, DeviceOptions wanted, FileAccess access)
            throws IOException {
        try {
            copies = own(CudaStream.open(device));
            work = own(CudaStream.open(device));
            back = own(CudaStream.open(device));
            frees = own(CudaStream.open(device));
            fileCopies = own(new CopyBatch(device, FILE_COPIES));
            files =
                    ownWorking(
                            new FileRegistry(
                                    device,
                                    access.mapping(),
                                    FileRegistry.Patience.of(access.mapping()),
                                    access.pinned()));
            openDecoders();
            long budget = wanted.budgetBytes() == 0 ? device.freeBytes() / 2 : wanted.budgetBytes();
            directSlots =
                    wanted.directBytesMax() == 0 ? null : openDirectSlots(device, wanted, budget);
            budget -= directSlots == null ? 0 : directSlots.bytes();
            options = fitting(directSlots == null ? wanted.readingDirectly(0) : wanted, budget);
            pool = own(DeviceMemoryPool.open(device, budget));
            awaited = own(CudaEvent.open(device));
            slots = own(PinnedSlots.open(device, options.slots(), options.slotBytes()));
            landing = ownWorking(new LandingMemory(device, options.slots() * LANDING_BYTES));
            for (int i = 0; i < options.slots(); i++) {
                slotEvents.add(own(CudaEvent.open(device)));
            }
            describeSlots();
            kernels = ownWorking(ChunkKernels.open(device));
            scratch = allocate(Math.max(1, scratchBytes(options)));
            long pinnedBytes = DeviceBatch.pinnedBytes(options, decoders.size());
            PinnedMemory pinned =
                    ownWorking(
                            PinnedMemory.open(device, BATCHES * pinnedBytes + options.slotBytes()));
            for (int i = 0; i < BATCHES; i++) {
                MemorySegment arrays = pinned.segment().asSlice(i * pinnedBytes, pinnedBytes);
                DeviceSlice memory = allocate(DeviceBatch.deviceBytes(options, decoders.size()));
                BatchTimes times = ownWorking(new BatchTimes(device));
                batches.add(
                        ownWorking(
                                new DeviceBatch(
                                        device,
                                        options,
                                        decoders.keySet(),
                                        memory,
                                        arrays,
                                        times)));
            }
            rescuePinned = pinned.segment().asSlice(BATCHES * pinnedBytes, options.slotBytes());
            work.synchronize(); // other streams use memory of this one
        } catch (DeviceBudgetException e) {
            close();
            throw new IOException(
                    "the device budget (ZarrEngineBuilder.deviceBudgetBytes) is too small to"
                            + " begin: "
                            + e.getMessage(),
                    e);
        } catch (Throwable t) { // Allowed: rolls back a constructor
            close();
            throw t;
        }
    }

    /** Returns null if there is no memory for the slots. */
    private DirectSlots openDirectSlots(CudaDevice device, DeviceOptions wanted, long budget)
            throws CudaException {
        DirectSlots slots = null;
        String problem = "a device budget of " + budget + " bytes is too small";
        try {
            slots = DirectSlots.open(device, wanted, budget / DIRECT_SHARE);
        } catch (CudaException e) {
            if (device.loss().isPresent()) {
                throw e;
            }
            problem = e.getMessage();
        }
        if (slots == null) {
            LOGGER.log(System.Logger.Level.WARNING, "no GPUDirect Storage: " + problem);
            return null;
        }
        return ownWorking(slots);
    }

    /**
     * Allocates host memory for the descriptors of each slot. They are copied to a batch's memory.
     */
    private void describeSlots() {
        long bytes = options.partsOfSlotMax() * PieceBatch.DESCRIPTOR_BYTES;
        MemorySegment all =
                ownWorking(NativeMemory.allocate(3L * options.slots() * bytes)).segment();
        for (int i = 0; i < options.slots(); i++) {
            slotDescriptors.add(
                    new SlotFill.Descriptors(
                            new PieceBatch(all.asSlice(3L * i * bytes, bytes)),
                            new PieceBatch(all.asSlice((3L * i + 1) * bytes, bytes)),
                            new PieceBatch(all.asSlice((3L * i + 2) * bytes, bytes))));
        }
    }

    private <T extends AutoCloseable> T own(T opened) {
        owned.push(opened);
        return opened;
    }

    private <T extends AutoCloseable> T ownWorking(T opened) {
        working.push(opened);
        return opened;
    }

    private void openDecoders() throws IOException {
        for (NvcompFormat format : FORMATS) {
            if (NvcompLibrary.canDecode(format)) {
                BatchDecoder decoder = ownWorking(BatchDecoder.open(format, work));
                long alignment = decoder.sourceAlignment();
                if (Long.bitCount(alignment) == 1 && alignment <= Alignment.BYTES) { // always
                    decoders.put(format, decoder);
                }
            }
        }
    }

    /** {@return the alignment of source addresses that each format's decoder requires, in bytes} */
    public Map<NvcompFormat, Long> sourceAlignments() {
        Map<NvcompFormat, Long> alignments = new EnumMap<>(NvcompFormat.class);
        decoders.forEach((format, decoder) -> alignments.put(format, decoder.sourceAlignment()));
        return alignments;
    }

    private DeviceSlice allocate(long bytes) throws IOException {
        Allocation allocation = ownWorking(pool.allocate(bytes, work));
        return allocation.slice();
    }

    /** Halves the batch size until the batches take at most half of the budget. */
    private DeviceOptions fitting(DeviceOptions wanted, long budget) throws IOException {
        DeviceOptions fitting = wanted;
        while (fitting.batchBytes() > fitting.slotBytes() && workingBytes(fitting) > budget / 2) {
            fitting =
                    new DeviceOptions(
                            budget,
                            fitting.slots(),
                            fitting.slotBytes(),
                            Math.max(fitting.batchChunks() / 2, 1),
                            Math.max(fitting.batchBytes() / 2, fitting.slotBytes()),
                            fitting.loadMin(),
                            fitting.partBytesMin(),
                            fitting.directBytesMax(),
                            fitting.decodesUnchecked(),
                            fitting.launchesAtOnce());
        }
        return fitting;
    }

    private long workingBytes(DeviceOptions candidate) throws IOException {
        return BATCHES * DeviceBatch.deviceBytes(candidate, decoders.size())
                + scratchBytes(candidate);
    }

    /**
     * Returns the largest scratch size that a batch of any format needs. The product of the number
     * and size of its chunks is bounded.
     */
    private long scratchBytes(DeviceOptions candidate) throws IOException {
        long most = 0;
        for (BatchDecoder decoder : decoders.values()) {
            for (long n = candidate.batchChunks(); n > 0; n /= 2) {
                long each = Math.min(candidate.batchBytes() / n, candidate.slotBytes());
                if (each > 0) {
                    most = Math.max(most, decoder.scratchBytes(n, each, n * each));
                }
            }
        }
        return most;
    }

    /** Waits for the device, and frees everything except what open results need. */
    void closeWorking() {
        close(working);
    }

    /** Frees everything. */
    @Override
    public void close() {
        close(working);
        close(owned);
    }

    private static void close(Deque<AutoCloseable> all) {
        while (!all.isEmpty()) {
            try {
                all.pop().close();
            } catch (RuntimeException e) {
                throw e;
            } catch (Exception e) { // no resource here throws a checked exception
                throw new AssertionError(e);
            }
        }
    }
}
