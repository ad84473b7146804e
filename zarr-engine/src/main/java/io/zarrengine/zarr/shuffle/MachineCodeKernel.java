package io.zarrengine.zarr.shuffle;

import io.zarrengine.bindings.machinecode.MachineCodeShuffle;
import io.zarrengine.zarr.place.ElementRows;
import java.lang.foreign.MemorySegment;

/** A kernel in machine code: {@link MachineCodeShuffle}, for native memory. */
final class MachineCodeKernel implements ShuffleKernel {
    /** Shortest row that it handles in whole steps, in elements. */
    private static final long ROW_ELEMENTS_MIN = 16;

    @Override
    public boolean handles(int elementBytes, long bytes, MemorySegment target) {
        return MachineCodeShuffle.handles(elementBytes)
                && ElementRows.mayBePutByACall(bytes, target);
    }

    @Override
    public boolean takes(MemorySegment[] planes, ElementRows rows) {
        for (MemorySegment plane : planes) {
            if (!plane.isNative()) {
                return false;
            }
        }
        return true;
    }

    @Override
    public long rowElementsMin(int elementBytes) {
        return ROW_ELEMENTS_MIN;
    }

    @Override
    public void unshuffle(MemorySegment[] planes, ElementRows rows) {
        MachineCodeShuffle.unshuffle(planes, rows.from(), rows.target(), rows.to(), rows.ofBytes());
    }

    @Override
    public boolean handlesBits(MemorySegment bits, MemorySegment planes) {
        return MachineCodeShuffle.denial().isEmpty() && bits.isNative() && planes.isNative();
    }

    @Override
    public void bitsToPlanes(
            MemorySegment bits, MemorySegment planes, int elementBytes, long rowBytes) {
        MachineCodeShuffle.bitsToPlanes(bits, planes, elementBytes, rowBytes);
    }
}
