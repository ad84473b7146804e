package io.zarrengine.python;

import io.zarrengine.bindings.NativeHandle;
import io.zarrengine.zarr.DeviceTensor;
import io.zarrengine.zarr.HostTensor;
import io.zarrengine.zarr.Selection;
import io.zarrengine.zarr.Target;
import io.zarrengine.zarr.VariableLengthTensor;
import io.zarrengine.zarr.ZarrArray;
import io.zarrengine.zarr.ZarrEngine;
import io.zarrengine.zarr.ZarrEngineBuilder;
import io.zarrengine.zarr.diskcache.DiskCacheOptions;
import io.zarrengine.zarr.loader.Batch;
import io.zarrengine.zarr.loader.LoaderState;
import io.zarrengine.zarr.loader.OrderReport;
import io.zarrengine.zarr.transform.Transform;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.LongStream;

/**
 * The calls that Python makes, on the one engine of its process. Arrays, groups, results and reads
 * under way are handles. A result is {@code {handle, address, device, lengths of its shape...}};
 * {@link #free} ends it; the device is {@link #HOST} or a GPU's number, and the handle is 0 if the
 * memory is the caller's. A selection is a {@link CodedSelection}. Threads: any.
 */
public final class EntryPoints {
    /** The device of results in host memory. */
    public static final int HOST = -1;

    /** Stands for no stream; 0 is one. */
    public static final long NO_STREAM = -1;

    /** A read of at least this many bytes takes long enough that one presses Ctrl-C. */
    private static final long PATIENT_BYTES = 16 << 20;

    private static final long BUDGET_MIN = 1 << 30;
    private static final long BUDGET_OF_A_WORKER = 64 << 20;

    /** Told when Python stops waiting. */
    private static final long STOP = 0;

    private static final OpenNodes NODES = new OpenNodes();
    private static final Handles<AutoCloseable> RESULTS = new Handles<>();
    private static final Handles<CompletableFuture<?>> READS = new Handles<>();
    private static final Handles<LoaderSession> LOADERS = new Handles<>();
    private static final EndedReads COMPLETIONS = new EndedReads();

    private static ZarrEngine engine;

    private EntryPoints() {}

    /**
     * Opens the engine; 0 stands for the default of an option. Returns the number of its workers.
     *
     * @param processes the processes of one program on this machine, which share its cores
     * @param diskCache as {@link DiskCacheOptions#parse} takes it; empty for none
     */
    public static synchronized int start(
            long budgetBytes,
            int workers,
            int processes,
            long chunkCacheBytes,
            long deviceBudgetBytes,
            String diskCache) {
        int workersOpened = workers > 0 ? workers : workersOf(processes);
        ZarrEngineBuilder builder =
                ZarrEngine.builder()
                        .workers(workersOpened)
                        .budgetBytes(budgetBytes > 0 ? budgetBytes : budgetOf(workersOpened))
                        .chunkCacheBytes(chunkCacheBytes);
        if (deviceBudgetBytes > 0) {
            builder.deviceBudgetBytes(deviceBudgetBytes);
        }
        if (!diskCache.isEmpty()) {
            DiskCacheOptions onDisk = DiskCacheOptions.parse(diskCache);
            builder.diskCache(onDisk.folder(), onDisk.bytesMax()).diskCacheMaxAge(onDisk.maxAge());
        }
        engine = builder.open();
        return workersOpened;
    }

    /**
     * Returns a worker for each core; with several processes three quarters of a process's share,
     * because each also needs cores for its own threads.
     */
    private static int workersOf(int processes) {
        int cores = Runtime.getRuntime().availableProcessors();
        return processes <= 1 ? cores : Math.max(1, cores * 3 / (4 * processes));
    }

    /** Returns a budget in which each worker has room for several chunks of some MiB. */
    private static long budgetOf(int workers) {
        return Math.max(BUDGET_MIN, workers * BUDGET_OF_A_WORKER);
    }

    /** Closes the engine. Results stay valid until they are freed. */
    public static synchronized void stop() {
        COMPLETIONS.add(STOP);
        engine.close();
    }

    /** Returns the engine's workers, its budget and its method of reading, in words. */
    public static synchronized String describe() {
        return engine.toString();
    }

    /**
     * Returns the description of the array or group at a path or a URL.
     *
     * @param storageOptions {@link StorageOptions} as JSON, {@code {}} for none
     */
    public static String open(String path, String storageOptions) {
        return NODES.open(engine(), path, StorageOptions.parse(storageOptions));
    }

    private static synchronized ZarrEngine engine() {
        return engine;
    }

    /**
     * Creates the array or group of a document {@code zarr.json} in a folder.
     *
     * @param isCleared whether chunks that are there are deleted
     */
    public static void create(String folder, String document, boolean isCleared) {
        NODES.create(engine(), Path.of(folder), document, isCleared);
    }

    /** Writes the elements of a chunk of the grid; all of them lie at an address. */
    public static void writeChunk(long array, long[] chunk, long address, long bytes) {
        NODES.writer(engine(), array).writeChunk(chunk, NativeHandle.ofForeign(address, bytes));
    }

    /** Changes the shape of an array, and returns its description with a new handle. */
    public static String resize(long array, long[] shape) {
        return NODES.resize(engine(), array, shape);
    }

    /** Replaces the attributes of an array or a group. */
    public static void setAttributes(long node, String json) {
        NODES.setAttributes(engine(), node, json);
    }

    /** Has the next read of a chunk of the grid see it as it is stored now. */
    public static void refreshChunk(long array, long[] chunk) {
        NODES.writer(engine(), array).refreshChunk(chunk);
    }

    /** Returns the description of the array or group below a group. */
    public static String openBelow(long group, String name) {
        return NODES.openBelow(group, name);
    }

    /** Returns the names of the nodes directly below a group, sorted. */
    public static String[] names(long group) {
        return NODES.group(group).names().toArray(String[]::new);
    }

    /**
     * Closes a node. Reads that are under way continue, unless it is the last one of a store that
     * was opened with options.
     */
    public static void close(long node) {
        NODES.close(node);
    }

    /**
     * Reads to host memory and waits. A large read of a patient caller is only begun, because the
     * caller wants to see its signals while it waits.
     *
     * @param place {@code {address, bytes, lengths of its shape...}} of the caller's memory, which
     *     must be those of the result; or empty for new memory
     * @return a result; {@code {0}} if the memory is the caller's; or {@code {-ticket}} of a read
     *     that is begun
     */
    public static long[] read(long array, long[] selection, long[] place, boolean isPatient) {
        ZarrArray source = array(array);
        CodedSelection coded = CodedSelection.of(selection);
        if (isPatient && (coded.isList() || coded.bytesOf(source) >= PATIENT_BYTES)) {
            return new long[] {-begin(source, coded, HOST, place, NO_STREAM)};
        }
        if (place.length == 0) {
            return result(
                    coded.isList() ? source.read(coded.selections()) : source.read(coded.only()));
        }
        coded.requireFit(source, place);
        MemorySegment target = NativeHandle.ofForeign(place[0], place[1]);
        if (coded.isList()) {
            source.read(coded.selections(), target);
        } else {
            source.read(coded.only(), target);
        }
        return new long[] {0};
    }

    /**
     * Begins a read.
     *
     * @param device {@link #HOST}, or the number of a GPU
     * @param place the caller's memory, as in {@link #read}, or empty
     * @param stream the caller's on a GPU, whose work so far comes first; or {@link #NO_STREAM}
     * @param isTold whether {@link #ended} tells when it ends
     * @return its ticket, for {@link #finish}
     */
    public static long begin(
            long array, long[] selection, int device, long[] place, long stream, boolean isTold) {
        return told(
                begin(array(array), CodedSelection.of(selection), device, place, stream), isTold);
    }

    private static long told(long ticket, boolean isTold) {
        if (isTold) {
            var _ = READS.get(ticket).whenComplete((result, failure) -> COMPLETIONS.add(ticket));
        }
        return ticket;
    }

    private static long begin(
            ZarrArray source, CodedSelection coded, int device, long[] place, long stream) {
        if (place.length > 0) {
            coded.requireFit(source, place);
        }
        if (device != HOST) {
            Target memory = Target.cuda(device);
            Target target = place.length == 0 ? memory : memory.into(place[0], place[1]);
            return READS.add(
                    toDevice(source, coded, stream == NO_STREAM ? target : target.after(stream)));
        }
        return READS.add(
                place.length == 0
                        ? toHost(source, coded)
                        : toHost(source, coded, NativeHandle.ofForeign(place[0], place[1])));
    }

    private static CompletableFuture<HostTensor> toHost(ZarrArray source, CodedSelection coded) {
        return coded.isList()
                ? source.readAsync(coded.selections())
                : source.readAsync(coded.only());
    }

    private static CompletableFuture<Void> toHost(
            ZarrArray source, CodedSelection coded, MemorySegment target) {
        return coded.isList()
                ? source.readAsync(coded.selections(), target)
                : source.readAsync(coded.only(), target);
    }

    private static CompletableFuture<DeviceTensor> toDevice(
            ZarrArray source, CodedSelection coded, Target target) {
        return coded.isList()
                ? source.readAsync(coded.selections(), target)
                : source.readAsync(coded.only(), target);
    }

    /** Waits until a read has ended, but not longer than asked. Returns whether it has ended. */
    public static boolean waitFor(long ticket, long millis) throws InterruptedException {
        try {
            READS.get(ticket).get(millis, TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException | CancellationException e) {
            return true; // finish says why
        }
    }

    /** Waits until a read has ended. Returns its result, or throws what ended it. */
    public static long[] finish(long ticket) {
        try {
            return switch (READS.get(ticket).join()) {
                case HostTensor tensor -> result(tensor);
                case DeviceTensor tensor -> result(tensor);
                case Batch<?> batch -> BatchTensor.numbers(batch, RESULTS);
                case null -> new long[] {0};
                case Object other -> throw new IllegalStateException("a result " + other);
            };
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw e;
        } finally {
            READS.remove(ticket);
        }
    }

    /** Asks a read to end early, if it is not finished. It still has to be finished. */
    public static void cancel(long ticket) {
        CompletableFuture<?> read = READS.find(ticket);
        if (read != null) {
            read.cancel(false);
        }
    }

    /** Waits for the end of reads. Returns their tickets; 0 among them means that no more come. */
    public static long[] ended() throws InterruptedException {
        return COMPLETIONS.take();
    }

    /**
     * Reads elements of variable length and waits.
     *
     * @return {@code {handle, address of the offsets, address of the bytes, lengths...}}
     */
    public static long[] readVariableLength(long array, long[] selection) {
        VariableLengthTensor tensor =
                array(array).readVariableLength(CodedSelection.of(selection).only());
        long[] shape = tensor.shape();
        long[] numbers = new long[3 + shape.length];
        numbers[0] = RESULTS.add(tensor);
        numbers[1] = tensor.offsets().address();
        numbers[2] = tensor.content().address();
        System.arraycopy(shape, 0, numbers, 3, shape.length);
        return numbers;
    }

    /** Returns the rank and the lengths of the result of each selection. */
    public static long[] shapes(long array, long[] selection) {
        ZarrArray source = array(array);
        return CodedSelection.of(selection).selections().stream()
                .map(source::shapeOf)
                .flatMapToLong(shape ->
                        LongStream.concat(LongStream.of(shape.length), LongStream.of(shape)))
                .toArray();
    }

    /** Begins to warm up an array. Returns the ticket, for {@link #finish}. */
    public static long warmUp(long array, long[] selections, double seconds) {
        Duration atMost = StorageOptions.duration(seconds);
        return READS.add(array(array).warmUp(CodedSelection.of(selections).selections(), atMost));
    }

    /**
     * Returns the number of chunks that an array has stored, and the size of its files in bytes.
     */
    public static long[] storedSize(long array) {
        var size = array(array).storedSize();
        return new long[] {size.files() - size.otherFiles(), size.bytes()};
    }

    /** Copies a result on a GPU to the caller's memory of the same size. */
    public static void copyToHost(long result, long address, long bytes) {
        onDevice(result).copyTo(NativeHandle.ofForeign(address, bytes));
    }

    /** Notes a stream that uses a result on a GPU, until it is freed. */
    public static void recordStream(long result, long stream) {
        onDevice(result).recordStream(stream);
    }

    private static DeviceTensor onDevice(long result) {
        return switch (RESULTS.get(result)) {
            case BatchTensor(DeviceTensor ofBatch, _) -> ofBatch;
            case AutoCloseable single -> (DeviceTensor) single;
        };
    }

    /** Frees a result. */
    public static void free(long result) throws Exception {
        AutoCloseable freed = RESULTS.remove(result);
        if (freed != null) {
            freed.close();
        }
    }

    /** Returns the numbers of open nodes, of results that are not freed, and of reads under way. */
    public static long[] inUse() {
        return new long[] {NODES.size(), RESULTS.size(), READS.size()};
    }

    private static ZarrArray array(long handle) {
        return NODES.array(handle);
    }

    /** Returns the transform that an array's attributes ask for, as JSON. */
    public static String cfTransform(long array) {
        return Transform.cf(array(array).metadata()).toJson();
    }

    /**
     * Opens a loader.
     *
     * @param json a {@link LoaderDescription}
     * @return its handle
     */
    public static long openLoader(String json) {
        return LOADERS.add(new LoaderDescription(json, EntryPoints::array).open());
    }

    /**
     * Gives a loader the next samples of an array, before they are read, and lets it forget those
     * before a number.
     *
     * @param samples a {@link CodedSelection}
     */
    public static void giveSamples(long loader, int array, long firstKept, long[] samples) {
        List<Selection> selections = CodedSelection.of(samples).selections();
        LOADERS.get(loader).give(array, firstKept, selections);
    }

    /** Returns a loader's {@link OrderReport} in its order. */
    public static double[] reportOrder(String json) {
        OrderReport report = new LoaderDescription(json, EntryPoints::array).report();
        return new double[] {
            report.chunks(), report.readsPerChunk(), report.chunksPerSample(), report.displacement()
        };
    }

    /**
     * Begins to take the next batch.
     *
     * @param isTold whether {@link #ended} tells when it is there
     * @return its ticket; {@link #finish} returns {@link BatchTensor#numbers}, or {@code {0}} after
     *     the last one
     */
    public static long beginBatch(long loader, boolean isTold) {
        return told(READS.add(LOADERS.get(loader).take()), isTold);
    }

    /** Returns a {@link BatchTensor#describe description} of the batch of a tensor. */
    public static String[] describeBatch(long tensor) {
        return ((BatchTensor) RESULTS.get(tensor)).describe();
    }

    /**
     * Passes over a batch that cannot be read. Returns the epoch and the sample of the next one.
     */
    public static long[] skipBatch(long loader) {
        LoaderState state = LOADERS.get(loader).skip();
        return new long[] {state.epoch(), state.sample()};
    }

    /** Closes a loader. Batches stay valid until they are freed. */
    public static void closeLoader(long loader) {
        LoaderSession closed = LOADERS.remove(loader);
        if (closed != null) {
            closed.close();
        }
    }

    private static long[] result(HostTensor tensor) {
        return numbers(RESULTS.add(tensor), tensor);
    }

    private static long[] result(DeviceTensor tensor) {
        return numbers(RESULTS.add(tensor), tensor);
    }

    static long[] numbers(long handle, HostTensor tensor) {
        return numbers(handle, tensor.segment().address(), HOST, tensor.shape());
    }

    static long[] numbers(long handle, DeviceTensor tensor) {
        int device = tensor.hostReason().isPresent() ? HOST : tensor.device();
        return numbers(handle, tensor.pointer(), device, tensor.shape());
    }

    private static long[] numbers(long handle, long address, int device, long... shape) {
        long[] numbers = new long[3 + shape.length];
        numbers[0] = handle;
        numbers[1] = address;
        numbers[2] = device;
        System.arraycopy(shape, 0, numbers, 3, shape.length);
        return numbers;
    }
}
