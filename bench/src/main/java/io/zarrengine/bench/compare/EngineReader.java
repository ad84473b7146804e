package io.zarrengine.bench.compare;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import io.zarrengine.bindings.NativeHandle;
import io.zarrengine.bindings.NativeMemory;
import io.zarrengine.zarr.EngineMetrics;
import io.zarrengine.zarr.HostTensor;
import io.zarrengine.zarr.Selection;
import io.zarrengine.zarr.ZarrArray;
import io.zarrengine.zarr.ZarrEngine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Reads crops with the engine to memory that is allocated once, several at once. The targets are in
 * the global scope, because native calls count the users of a shared arena. Options: {@code
 * in_flight=N} reads at once, each of {@code list=N} crops, by default one, at most all unless
 * {@code repeat=1}; {@code workers=N}; {@code budget=BYTES}; {@code direct=1}, around the page
 * cache; {@code cache=BYTES} of decoded chunks; {@code allocate=1}: each read allocates memory, as
 * those of the peers do; {@code url=NAME}: from the server that the environment names so.
 *
 * <p>Owner: the worker. Threads: one.
 */
final class EngineReader implements AutoCloseable {
    private static final String IN_FLIGHT = "8";

    private final ZarrEngine engine;
    private final ZarrArray array;
    private final List<Selection> crops;
    private final long[] cropBytes;
    private final NativeMemory memory; // on huge pages if large enough, as in plain C
    private final MemorySegment[] targets; // each of 0 bytes if reads allocate
    private final boolean allocates;
    private final int perRead;

    EngineReader(Path path, List<String> lines, Map<String, String> options) {
        engine = WorkerOptions.open(options);
        array =
                options.containsKey("url")
                        ? engine.openArray(
                                URI.create(
                                        System.getenv(options.get("url"))
                                                + "/"
                                                + path.getFileName()))
                        : engine.openArray(path);
        crops = lines.stream().map(Selection::of).toList();
        cropBytes = crops.stream().mapToLong(array::bytesOf).toArray();
        int list = Integer.parseInt(options.getOrDefault("list", "1"));
        perRead = options.containsKey("repeat") ? list : Math.min(list, crops.size());
        int inFlight = Integer.parseInt(options.getOrDefault("in_flight", IN_FLIGHT));
        allocates = options.containsKey("allocate");
        long bytesMax = allocates ? 0 : perRead * Arrays.stream(cropBytes).max().orElseThrow();
        targets = new MemorySegment[Math.min(inFlight, Math.ceilDiv(crops.size(), perRead))];
        long stride = (bytesMax + Long.BYTES - 1) & -Long.BYTES;
        memory = NativeMemory.allocate(Math.max(stride * targets.length, 1));
        memory.segment().fill((byte) 1);
        MemorySegment all = NativeHandle.withoutOwner(memory.segment()); // close() frees it last.
        Arrays.setAll(targets, i -> all.asSlice(i * stride, bytesMax));
    }

    void write(int cropsMax, Path path) throws IOException {
        try (FileChannel file = FileChannel.open(path, CREATE, WRITE, TRUNCATE_EXISTING)) {
            readAll(
                    cropsMax == 0 ? crops.size() : cropsMax,
                    elements -> {
                        try {
                            write(file, elements);
                        } catch (IOException e) {
                            throw new UncheckedIOException(e);
                        }
                    });
        }
    }

    /** Writes in parts, because a buffer has at most 2 GiB. */
    private static void write(FileChannel file, MemorySegment elements) throws IOException {
        long step = 1 << 30;
        for (long at = 0; at < elements.byteSize(); at += step) {
            long bytes = Math.min(step, elements.byteSize() - at);
            ByteBuffer buffer = elements.asSlice(at, bytes).asByteBuffer();
            while (buffer.hasRemaining()) {
                file.write(buffer);
            }
        }
    }

    WorkerProcess.Run run(double secondsMin, int cropsMax) {
        int count = cropsMax == 0 ? crops.size() : cropsMax;
        long passBytes = bytes(0, count);
        Duration cpu = cpuTime();
        long begin = System.nanoTime();
        long bytes = 0;
        double seconds;
        do {
            readAll(count, elements -> {});
            bytes += passBytes;
            seconds = (System.nanoTime() - begin) / 1e9;
        } while (seconds < secondsMin);
        return new WorkerProcess.Run(bytes, seconds, cpuTime().minus(cpu).toNanos() / 1e9);
    }

    EngineCounters counters() {
        EngineMetrics before = engine.metrics();
        readAll(crops.size(), elements -> {});
        return EngineCounters.between(before, engine.metrics());
    }

    /** {@return the latencies of single reads, sorted} */
    double[] latencyMicros(int count) {
        double[] micros = new double[count];
        for (int i = 0; i < count; i++) {
            long begin = System.nanoTime();
            if (allocates) {
                array.read(crops.get(i % crops.size())).close();
            } else {
                array.read(crops.get(i % crops.size()), targets[0]);
            }
            micros[i] = (System.nanoTime() - begin) / 1e3;
        }
        Arrays.sort(micros);
        return micros;
    }

    /**
     * Reads crops, starting over after the last. Each target is lent to one read at a time; results
     * are visited in order.
     */
    private void readAll(int count, Consumer<MemorySegment> visitor) {
        CompletableFuture<?>[] reads = new CompletableFuture<?>[targets.length];
        int readCount = Math.ceilDiv(count, perRead);
        for (int i = 0; i < readCount + targets.length; i++) {
            int slot = i % targets.length;
            int ended = i - targets.length;
            if (ended >= 0 && ended < readCount) {
                int begin = ended * perRead;
                long bytes = bytes(begin, Math.min(begin + perRead, count));
                if (reads[slot].join() instanceof HostTensor tensor) {
                    visitor.accept(tensor.segment());
                    tensor.close();
                } else {
                    visitor.accept(targets[slot].asSlice(0, bytes));
                }
            }
            if (i < readCount) {
                reads[slot] = start(i * perRead, Math.min((i + 1) * perRead, count), targets[slot]);
            }
        }
    }

    private CompletableFuture<?> start(int begin, int end, MemorySegment target) {
        if (perRead == 1) {
            Selection crop = crops.get(begin % crops.size());
            return allocates ? array.readAsync(crop) : array.readAsync(crop, target);
        }
        List<Selection> selections =
                IntStream.range(begin, end).mapToObj(i -> crops.get(i % crops.size())).toList();
        return allocates ? array.readAsync(selections) : array.readAsync(selections, target);
    }

    private long bytes(int begin, int end) {
        return IntStream.range(begin, end).mapToLong(i -> cropBytes[i % cropBytes.length]).sum();
    }

    private static Duration cpuTime() {
        return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
    }

    @Override
    public void close() {
        array.close();
        engine.close(); // From here on no thread writes to the targets.
        memory.close();
    }
}
