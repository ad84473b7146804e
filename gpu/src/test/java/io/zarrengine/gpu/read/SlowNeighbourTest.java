package io.zarrengine.gpu.read;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.bindings.NativeMemory;
import io.zarrengine.cuda.DeviceMemoryPool.Allocation;
import io.zarrengine.cuda.DeviceSlice;
import io.zarrengine.gpu.file.FileAccess;
import io.zarrengine.gpu.slot.WorkerSlot;
import io.zarrengine.gpu.tuning.DeviceOptions;
import io.zarrengine.uring.MappingRule;
import io.zarrengine.zarr.DeviceEngines;
import io.zarrengine.zarr.device.DeviceSetup;
import io.zarrengine.zarr.memory.MemoryBudget;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A small read in parallel with a read that brings a slot now and then, so that there is always
 * progress. The rest of the small read lies in a slot that is not filled any more, in a worker's
 * slot, or in a batch that waits for the other read.
 */
@Tag("gpu")
final class SlowNeighbourTest {
    private static final int SLOT_BYTES = 256 << 10;
    private static final int SMALL_READS = 20;
    private static final int SLOTS_OF_NEIGHBOUR = 2000; // during the small reads
    private static final long PAUSE_NANOS = 500_000;

    @BeforeAll
    static void needDevice() {
        DeviceEngines.needDevice();
    }

    static DeviceExecutor open() throws IOException {
        var host = new DeviceSetup(null, 4, 0, true, true, 0, null, null, 0, false);
        var files = new FileAccess(null, new MappingRule(Long.MAX_VALUE, true), noMemory());
        var options =
                new DeviceOptions(
                        256L << 20, 16, SLOT_BYTES, 8448, 64L << 20, 0, 0, 0, true, false);
        return DeviceExecutor.open(0, options, host, () -> 1, files);
    }

    private static MemoryBudget noMemory() {
        return new MemoryBudget(0, () -> {});
    }

    @Test
    void aSmallReadEndsBeforeASlowOne() throws IOException {
        try (NativeMemory bytes = NativeMemory.allocate(SLOT_BYTES);
                DeviceExecutor executor = open()) {
            Allocation target = executor.allocate(2 * SLOT_BYTES).join();
            DeviceRead slow = begun(executor, target.slice().slice(0, SLOT_BYTES));
            WorkerSlot slowSlot = executor.parts().slots().newSlot();
            WorkerSlot slot = executor.parts().slots().newSlot();
            MemorySegment large = bytes.segment().asSlice(0, SLOT_BYTES - 4096);
            try {
                int slots = 0;
                for (int i = 0; i < SMALL_READS; i++) {
                    DeviceRead small = begun(executor, target.slice().slice(SLOT_BYTES, 1000));
                    small.putBytes(slot, bytes.segment().asSlice(0, 1000), 0);
                    handedOver(executor, small);
                    while (!small.ended().isDone() && slots < SLOTS_OF_NEIGHBOUR) {
                        slow.putBytes(slowSlot, large, 0);
                        slots++;
                        LockSupport.parkNanos(PAUSE_NANOS);
                    }
                    assertTrue(small.ended().isDone(), "read " + i + " waits for the slow one");
                }
            } finally {
                handedOver(executor, slow);
                slow.ended().join();
                var _ = executor.free(target, List.of());
            }
        }
    }

    private static DeviceRead begun(DeviceExecutor executor, DeviceSlice target) {
        DeviceRead read = executor.newRead(target, 1_000_000, 1);
        executor.parts().workload().producerBegins();
        return read;
    }

    private static void handedOver(DeviceExecutor executor, DeviceRead read) {
        executor.parts().workload().producerEnds();
        read.handedOver(null);
    }
}
