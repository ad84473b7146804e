package io.zarrengine.zarr;

import io.zarrengine.uring.reading.ReadFuture;
import io.zarrengine.zarr.datatype.DataType;
import io.zarrengine.zarr.device.DeviceJob;
import io.zarrengine.zarr.device.DeviceReadFutures;
import io.zarrengine.zarr.device.DeviceReading;
import io.zarrengine.zarr.selection.SelectedElements;
import io.zarrengine.zarr.task.ReadRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads an array to the memory of GPUs. Threads: any. */
final class ArrayDeviceReader {
    private final EngineResources engine;
    private final ArraySelector array;
    private final ReadRequest.Source source;

    ArrayDeviceReader(EngineResources engine, ArraySelector array, ReadRequest.Source source) {
        this.engine = engine;
        this.array = array;
        this.source = source;
    }

    /**
     * Reads each selection to one of the targets. The selections are spread evenly: the targets get
     * equally many, or one more.
     */
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
                List<Selection> some = selections.subList((int) begin, (int) end);
                reads.add(read(array.resolveFixed(some), targets.get(i)));
            }
        } catch (RuntimeException | Error e) {
            giveUp(reads);
            throw e;
        }
        return DeviceReadFutures.ofAll(reads, DeviceTensor::close);
    }

    ReadFuture<DeviceTensor> read(SelectedElements elements, Target target) {
        DataType type = array.dataType();
        target.check(elements.bytes(), type.byteSize());
        var job = new DeviceJob(source, elements.plan(), elements.bytes());
        DeviceReading reading =
                target.isNew()
                        ? engine.devices().read(target.device(), job)
                        : engine.devices().read(target.device(), job, target.memory());
        long[] shape = elements.resultShape(); // a local: the lambda must not keep the selections
        return DeviceReadFutures.of(
                reading, memory -> new DeviceTensor(memory, target.device(), type, shape));
    }

    /**
     * Cancels the reads and waits until no worker writes to their targets. The caller has no future
     * to wait for.
     */
    private static void giveUp(List<ReadFuture<DeviceTensor>> reads) {
        reads.forEach(read -> read.cancel(true));
        for (ReadFuture<DeviceTensor> read : reads) {
            DeviceTensor tensor = read.exceptionally(failure -> null).join();
            if (tensor != null) {
                tensor.close();
            }
        }
    }

    Optional<String> hostReason(SelectedElements elements) {
        return engine.devices().hostReason(elements.plan(), elements.bytes(), source.pipelines());
    }
}
