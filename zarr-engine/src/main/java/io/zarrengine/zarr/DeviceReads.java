package io.zarrengine.zarr;

import io.zarrengine.uring.reading.ReadFuture;
import io.zarrengine.zarr.device.DeviceReading;
import io.zarrengine.zarr.execute.ReadRequest;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.plan.ChunkPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** An array's reads to memory of GPUs. Threads: any. */
final class DeviceReads {
    private final ZarrEngine engine;
    private final ZarrArray array;
    private final ArrayMetadata metadata;
    private final ReadRequest.Source source;

    DeviceReads(ZarrEngine engine, ZarrArray array, ReadRequest.Source source) {
        this.engine = engine;
        this.array = array;
        this.metadata = array.metadata();
        this.source = source;
    }

    ReadFuture<DeviceTensor> read(Selection selection, Target target) {
        ResolvedSelection resolved = resolve(selection);
        return read(plan(resolved), bytes(resolved), target, resolved.resultShape());
    }

    ReadFuture<DeviceTensor> read(List<Selection> selections, Target target) {
        SelectionBatch batch = new SelectionBatch(array, engine, selections);
        return read(batch.plan(), batch.bytes(), target, batch.resultShape());
    }

    /** Each target gets as many selections as any other, or one more. */
    ReadFuture<List<DeviceTensor>> read(List<Selection> selections, List<Target> targets) {
        int count = targets.size();
        if (count == 0 || count > selections.size()) {
            throw new IllegalArgumentException(
                    selections.size() + " selections for " + count + " targets");
        }
        List<ReadFuture<DeviceTensor>> reads = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                long begin = (long) i * selections.size() / count;
                long end = (i + 1L) * selections.size() / count;
                reads.add(read(selections.subList((int) begin, (int) end), targets.get(i)));
            }
        } catch (RuntimeException | Error e) {
            giveUp(reads);
            throw e;
        }
        return DeviceReadFutures.ofAll(reads);
    }

    private ReadFuture<DeviceTensor> read(ChunkPlan plan, long bytes, Target target, long[] shape) {
        target.check(bytes, metadata.dataType().byteSize());
        DeviceReading.Job job = new DeviceReading.Job(source, plan, bytes);
        DeviceReading reading =
                target.isNew()
                        ? engine.devices().read(target.device(), job)
                        : engine.devices().read(target.device(), job, target.pointer());
        return DeviceReadFutures.of(
                reading,
                memory -> new DeviceTensor(memory, target.device(), metadata.dataType(), shape));
    }

    /** Waits until nobody writes to their targets: the caller has no future to wait for. */
    private static void giveUp(List<ReadFuture<DeviceTensor>> reads) {
        reads.forEach(read -> read.cancel(true));
        for (ReadFuture<DeviceTensor> read : reads) {
            DeviceTensor tensor = read.exceptionally(failure -> null).join();
            if (tensor != null) {
                tensor.close();
            }
        }
    }

    Optional<String> hostReason(Selection selection) {
        ResolvedSelection resolved = resolve(selection);
        return engine.devices().hostReason(plan(resolved), bytes(resolved), source.pipelines());
    }

    private ResolvedSelection resolve(Selection selection) {
        return selection.resolve(metadata.shape(), metadata.chunkGrid());
    }

    private ChunkPlan plan(ResolvedSelection resolved) {
        return resolved.plan(metadata.dataType().byteSize(), metadata.chunkGrid());
    }

    private long bytes(ResolvedSelection resolved) {
        return resolved.bytes(metadata.dataType().byteSize());
    }
}
