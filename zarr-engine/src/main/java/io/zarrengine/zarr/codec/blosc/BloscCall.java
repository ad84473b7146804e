package io.zarrengine.zarr.codec.blosc;

import io.zarrengine.bindings.machinecode.MachineCodeBlosc;
import io.zarrengine.zarr.codec.BoxCall;
import io.zarrengine.zarr.place.BoxCalls;
import io.zarrengine.zarr.place.StridedBox;
import java.lang.foreign.MemorySegment;

/** {@link MachineCodeBlosc} as a context of a workspace. */
final class BloscCall implements BoxCall {
    static final boolean IS_THERE = MachineCodeBlosc.denial().isEmpty();
    static final Factory<BloscCall> FACTORY = _ -> new BloscCall();

    /** Decoding a larger chunk takes long beside the Java around it, and it has many blocks. */
    private static final long DECODED_BYTES_MAX = 1 << 20;

    private final MachineCodeBlosc code = new MachineCodeBlosc();

    @Override
    public boolean begin(MemorySegment encoded, long decodedBytes, int elementBytes, int boxes) {
        code.begin(decodedBytes, elementBytes);
        return boxes <= MachineCodeBlosc.BOXES_MAX
                && decodedBytes <= DECODED_BYTES_MAX
                && encoded.isNative()
                && !encoded.isMapped();
    }

    @Override
    public boolean add(StridedBox box, MemorySegment target) {
        if (box.rank() > MachineCodeBlosc.OUTER_MAX + 1 || !BoxCalls.suit(box)) {
            return false;
        }
        box.write(code.fields(), code.nextBox());
        code.add(target.byteSize(), BoxCalls.areFar(box, target));
        return true;
    }

    @Override
    public long place(MemorySegment encoded, MemorySegment buffer, MemorySegment target) {
        return code.place(encoded, buffer, target);
    }

    @Override
    public void close() {
        code.close();
    }
}
