package io.zarrengine.bench.compare;

import io.zarrengine.bindings.NativeHandle;
import io.zarrengine.bindings.NativeMemory;
import io.zarrengine.zarr.EngineMetrics;
import io.zarrengine.zarr.Selection;
import io.zarrengine.zarr.ZarrArray;
import io.zarrengine.zarr.ZarrEngine;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;

/**
 * Reads crops with the engine to memory that is there already, several at once. The targets are of
 * the global scope: native calls count users of those of a shared arena. Options: {@code
 * in_flight=N} reads at once, each of {@code list=N} crops, of one without it, at most all, unless
 * {@code repeat=1}; {@code workers=N}; {@code budget=BYTES}; {@code direct=1}, around the page
 * cache; {@code cache=BYTES} of decoded chunks.
 *
 * <p>Owner: the worker. Threads: one.
 */
final class EngineReader implements AutoCloseable {
    private static final String IN_FLIGHT = "8";

    private final ZarrEngine engine;
    private final ZarrArray array;
    private final List<Selection> crops;
    private final long[] cropBytes;
    private final NativeMemory memory; // As plain C's: on huge pages, if it is large enough.
    private final MemorySegment[] targets;
    private final int perRead;

    EngineReader(Path path, List<String> lines, Map<String, String> options) {
        engine = EngineOptions.open(options);
        array = engine.openArray(path);
        crops = lines.stream().map(Selection::of).toList();
        cropBytes = crops.stream().mapToLong(array::bytesOf).toArray();
        int list = Integer.parseInt(options.getOrDefault("list", "1"));
        perRead = options.containsKey("repeat") ? list : Math.min(list, crops.size());
        int inFlight = Integer.parseInt(options.getOrDefault("in_flight", IN_FLIGHT));
        long bytesMax = perRead * Arrays.stream(cropBytes).max().orElseThrow();
        targets = new MemorySegment[Math.min(inFlight, Math.ceilDiv(crops.size(), perRead))];
        long stride = (bytesMax + Long.BYTES - 1) & -Long.BYTES;
        memory = NativeMemory.allocate(stride * targets.length);
        memory.segment().fill((byte) 1);
        MemorySegment all = NativeHandle.withoutOwner(memory.segment()); // See close.
        Arrays.setAll(targets, i -> all.asSlice(i * stride, bytesMax));
    }

    int checksum(int cropsMax) {
        CRC32C checksum = new CRC32C();
        readAll(cropsMax == 0 ? crops.size() : cropsMax, elements -> update(checksum, elements));
        return (int) checksum.getValue();
    }

    /** A buffer has at most 2 GiB. */
    private static void update(CRC32C checksum, MemorySegment elements) {
        long step = 1 << 30;
        for (long at = 0; at < elements.byteSize(); at += step) {
            long bytes = Math.min(step, elements.byteSize() - at);
            checksum.update(elements.asSlice(at, bytes).asByteBuffer());
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

    /** {@return how long single reads took, sorted} */
    double[] latencyMicros(int count) {
        double[] micros = new double[count];
        for (int i = 0; i < count; i++) {
            long begin = System.nanoTime();
            array.read(crops.get(i % crops.size()), targets[0]);
            micros[i] = (System.nanoTime() - begin) / 1e3;
        }
        Arrays.sort(micros);
        return micros;
    }

    /**
     * From the first crop again after the last. Each target is lent to one read at a time; what was
     * read is visited in order.
     */
    private void readAll(int count, Consumer<MemorySegment> visitor) {
        CompletableFuture<?>[] reads = new CompletableFuture<?>[targets.length];
        int readCount = Math.ceilDiv(count, perRead);
        for (int i = 0; i < readCount + targets.length; i++) {
            int slot = i % targets.length;
            int ended = i - targets.length;
            if (ended >= 0 && ended < readCount) {
                reads[slot].join();
                int begin = ended * perRead;
                long bytes = bytes(begin, Math.min(begin + perRead, count));
                visitor.accept(targets[slot].asSlice(0, bytes));
            }
            if (i < readCount) {
                reads[slot] = start(i * perRead, Math.min((i + 1) * perRead, count), targets[slot]);
            }
        }
    }

    private CompletableFuture<?> start(int begin, int end, MemorySegment target) {
        if (perRead == 1) {
            return array.readAsync(crops.get(begin % crops.size()), target);
        }
        List<Selection> selections =
                IntStream.range(begin, end).mapToObj(i -> crops.get(i % crops.size())).toList();
        return array.readAsync(selections, target);
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
        engine.close(); // From here on nobody writes to the targets.
        memory.close();
    }
}
