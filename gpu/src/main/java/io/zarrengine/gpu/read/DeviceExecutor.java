package io.zarrengine.gpu.read;

import io.zarrengine.cuda.CudaDevice;
import io.zarrengine.cuda.DeviceBudgetException;
import io.zarrengine.cuda.DeviceMemoryPool.Allocation;
import io.zarrengine.cuda.DeviceSlice;
import io.zarrengine.cuda.PinnedSlots;
import io.zarrengine.gpu.batch.DevicePump;
import io.zarrengine.gpu.batch.DeviceWork;
import io.zarrengine.gpu.batch.GpuMemory;
import io.zarrengine.gpu.batch.ThreadWaker;
import io.zarrengine.gpu.file.DirectFiles;
import io.zarrengine.gpu.file.FileAccess;
import io.zarrengine.gpu.slot.WorkerSlotPool;
import io.zarrengine.gpu.tuning.ChunksAhead;
import io.zarrengine.gpu.tuning.CostDecoderRule;
import io.zarrengine.gpu.tuning.DecodeCosts;
import io.zarrengine.gpu.tuning.DecoderRule;
import io.zarrengine.gpu.tuning.DeviceOptions;
import io.zarrengine.gpu.tuning.FixedDecoderRule;
import io.zarrengine.gpu.tuning.Workload;
import io.zarrengine.zarr.device.DeviceCounters;
import io.zarrengine.zarr.device.DeviceSetup;
import io.zarrengine.zarr.errors.BudgetExceededException;
import io.zarrengine.zarr.errors.ClosedException;
import io.zarrengine.zarr.errors.DeviceLostException;
import io.zarrengine.zarr.errors.OutOfMemoryException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntSupplier;

/**
 * An open device.
 *
 * <p>Owner: the engine's devices. Threads: any. Its thread ends when it is closed, no read is left,
 * and the results that lie in its memory are closed.
 */
public final class DeviceExecutor implements AutoCloseable {
    private final CudaDevice device;
    private final PinnedSlots pinnedSlots;
    private final DeviceWork work;
    private final ReadParts parts;
    private final SmallSlots smallSlots;
    private final ChunksAhead ahead;
    private final DevicePump pump;
    private final ForgottenResults forgotten = new ForgottenResults();

    private DeviceExecutor(
            DeviceOptions wanted,
            CudaDevice device,
            DeviceSetup host,
            IntSupplier devices,
            FileAccess files)
            throws IOException {
        this.device = device;
        GpuMemory memory = device.thread().call(() -> new GpuMemory(device, wanted, files));
        DeviceOptions options = memory.options;
        DeviceCounters counters = new DeviceCounters();
        ThreadWaker waker = new ThreadWaker();
        Workload workload = new Workload(waker::wake);
        DecodeCosts costs = new DecodeCosts(host.workerCount(), options);
        ahead = new ChunksAhead(costs);
        pinnedSlots = memory.slots;
        work = new DeviceWork(waker);
        DecoderRule rule =
                options.loadMin() == 0
                        ? new FixedDecoderRule()
                        : new CostDecoderRule(options.loadMin(), workload, costs, ahead, devices);
        WorkerSlotPool slots =
                new WorkerSlotPool(
                        pinnedSlots,
                        memory.slotDescriptors,
                        options,
                        devices,
                        ahead,
                        waker::wakeForSlot);
        parts =
                new ReadParts(
                        options,
                        workload,
                        new DecodableFormats(memory.sourceAlignments()),
                        rule,
                        slots,
                        memory.landing,
                        new RegisteredReads(memory.files, fileChunkBytesMax(options, host)),
                        directReads(memory, files, counters),
                        counters);
        smallSlots = new SmallSlots(pinnedSlots, options, rule);
        pump =
                new DevicePump(
                        device,
                        memory,
                        new DevicePump.Input(work, slots, workload, smallSlots::areInUse),
                        costs,
                        ahead,
                        counters,
                        host.verifiesChecksums());
    }

    private static Optional<DirectReads> directReads(
            GpuMemory memory, FileAccess files, DeviceCounters counters) {
        return Optional.ofNullable(memory.directSlots)
                .map(slots ->
                        new DirectReads(
                                new DirectFiles(files.versions()),
                                slots,
                                memory.options.directBytesMax(),
                                counters));
    }

    /**
     * Returns the largest chunk of a registered file for which a batch has room, and which the host
     * could decode instead.
     */
    private static long fileChunkBytesMax(DeviceOptions options, DeviceSetup host) {
        long ofHost = Math.max(options.slotBytes(), host.largeBytesMax() / 2);
        return Math.min(options.batchBytes(), ofHost);
    }

    /**
     * Opens a device.
     *
     * @param ordinal its number
     * @param options its memory options
     * @param host the parts of the engine
     * @param devices the number of open devices, with this one
     * @param files the rules by which the device accesses files by itself
     * @throws IOException if it cannot be used
     */
    public static DeviceExecutor open(
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
                                    executor.work.end();
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

    /** {@return counters of the device's work} */
    public DeviceCounters counters() {
        return parts.counters();
    }

    DeviceOptions options() {
        return parts.options();
    }

    DeviceWork work() {
        return work;
    }

    ReadParts parts() {
        return parts;
    }

    SmallSlots smallSlots() {
        return smallSlots;
    }

    PinnedSlots pinnedSlots() {
        return pinnedSlots;
    }

    ForgottenResults forgotten() {
        return forgotten;
    }

    /**
     * Begins a read; it ends by itself.
     *
     * @param chunks the approximate number of its chunks
     * @param chunkBytes decoded bytes of the largest chunk
     * @throws ClosedException if the device thread may have ended
     */
    DeviceRead newRead(DeviceSlice target, long chunks, long chunkBytes) {
        Workload workload = parts.workload();
        DeviceRead read = new DeviceRead(parts, target, chunks, chunkBytes, work::remove);
        workload.begin(chunks, chunkBytes);
        try {
            work.add(read);
        } catch (ClosedException e) {
            workload.batched(chunks);
            workload.begun(chunks);
            workload.end(chunks, chunkBytes);
            throw e;
        }
        return read;
    }

    /** {@return memory for a result; it keeps the device thread running until {@link #free}} */
    CompletableFuture<Allocation> allocate(long bytes) {
        try {
            work.hold();
        } catch (ClosedException e) {
            return CompletableFuture.failedFuture(e);
        }
        CompletableFuture<Allocation> result = new CompletableFuture<>();
        work.post(on -> {
            try {
                result.complete(on.allocate(bytes));
            } catch (IOException | RuntimeException | Error e) {
                work.letGo();
                result.completeExceptionally(e);
            }
        });
        return result;
    }

    /** {@return the exception that the caller gets for a failed allocation} */
    Throwable ofRefusal(Throwable refusal) {
        String name = "cuda:" + ordinal();
        return switch (refusal) {
            case DeviceBudgetException e when e.getCause() != null ->
                    OutOfMemoryException.ofResult(
                            "a result on " + name, e.requestedBytes(), e.getCause());
            case DeviceBudgetException e ->
                    BudgetExceededException.ofDevice(
                            "a result on " + name,
                            e.requestedBytes(),
                            e.availableBytes(),
                            e.budgetBytes());
            case IOException e -> new DeviceLostException(name, e);
            default -> refusal;
        };
    }

    /**
     * Frees memory after the work so far of streams of callers.
     *
     * @return completes when these streams are no longer needed
     */
    CompletableFuture<Void> free(Allocation allocation, Collection<Long> streams) {
        CompletableFuture<Void> freed = new CompletableFuture<>();
        work.post(on -> {
            try {
                on.free(allocation, streams);
            } finally { // the caller waits
                work.letGo();
                freed.complete(null);
            }
        });
        return freed;
    }

    /** {@return completes when a stream of a caller has done its work so far} */
    CompletableFuture<Void> passed(long stream) {
        try {
            work.hold();
        } catch (ClosedException e) {
            return CompletableFuture.failedFuture(e);
        }
        CompletableFuture<Void> passed = new CompletableFuture<>();
        work.post(on -> {
            try {
                on.awaitStream(stream, false, passed);
            } catch (RuntimeException | Error e) { // the caller waits; the device is not to blame
                passed.completeExceptionally(e);
            }
        });
        return passed.whenComplete((_, _) -> work.letGo());
    }

    /**
     * {@return completes when streams of a caller have done their work so far, and the graphs that
     * they capture}
     *
     * @param named completes when the streams are no longer needed, unless they capture
     */
    CompletableFuture<Void> passed(Collection<Long> streams, CompletableFuture<Void> named) {
        try {
            work.hold();
        } catch (ClosedException e) {
            named.complete(null);
            return CompletableFuture.failedFuture(e);
        }
        List<CompletableFuture<Void>> each = new ArrayList<>();
        streams.forEach(_ -> each.add(new CompletableFuture<>()));
        work.post(on -> {
            Iterator<CompletableFuture<Void>> next = each.iterator();
            try {
                streams.forEach(stream -> on.awaitStream(stream, true, next.next()));
            } catch (RuntimeException | Error e) { // the caller waits; the device is not to blame
                each.forEach(passed -> passed.completeExceptionally(e));
            } finally {
                named.complete(null);
            }
        });
        return CompletableFuture.allOf(each.toArray(CompletableFuture[]::new))
                .whenComplete((_, _) -> work.letGo());
    }

    /**
     * Closes the device and waits for its thread. The workers have ended, and no read begins any
     * more.
     */
    @Override
    public void close() {
        parts.slots().removeAll();
        parts.direct().ifPresent(DirectReads::close);
        work.close();
        forgotten.close();
        assert ahead.byteSize() == 0 : ahead.byteSize() + " bytes are still to be decoded";
        assert parts.workload().unbegun() == 0
                : parts.workload().unbegun() + " chunks are still to come";
    }
}
