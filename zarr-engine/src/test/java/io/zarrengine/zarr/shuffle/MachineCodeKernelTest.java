package io.zarrengine.zarr.shuffle;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.bindings.machinecode.MachineCodeShuffle;
import io.zarrengine.zarr.place.ElementRows;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/** Machine code, which takes only native memory. */
final class MachineCodeKernelTest extends ShuffleKernelContract {
    @Override
    ShuffleKernel kernel() {
        assumeTrue(
                MachineCodeShuffle.denial().isEmpty(),
                () -> MachineCodeShuffle.denial().orElseThrow());
        return new MachineCodeKernel();
    }

    /** Heap memory has no address. */
    @Test
    void refusesHeapMemory() {
        ShuffleKernel kernel = kernel();
        MemorySegment heap = MemorySegment.ofArray(new byte[1 << 16]);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(1 << 16);
            assertFalse(kernel.handles(4, 1 << 16, heap));
            MemorySegment[] planes = {memory, heap};
            assertFalse(kernel.takes(planes, ElementRows.one(0, 1 << 15, memory, 0)));
            assertFalse(kernel.handlesBits(heap, memory));
            assertFalse(kernel.handlesBits(memory, heap));
        }
    }
}
