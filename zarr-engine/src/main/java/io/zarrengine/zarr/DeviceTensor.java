package io.zarrengine.zarr;

import io.zarrengine.bindings.LeakWatch;
import io.zarrengine.zarr.datatype.DataType;
import io.zarrengine.zarr.device.DeviceMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Optional;

/**
 * The result of a read in the memory of a GPU. Its elements lie in C order and the host's byte
 * order, and are there: whoever got the tensor need not wait for an event, on any stream. (Whether
 * every chunk was decoded well is known only when the device is done with it, so there is nothing
 * to hand out before that an event could stand for.)
 *
 * <p>Owner: who got it; {@link #close} frees its memory, if it is not the caller's. It may be
 * closed after the engine. Threads: any. Before it is closed, whatever the caller has queued on the
 * device with its memory must be done. If nobody closes it, its memory is freed when the engine is
 * closed and the tensor is garbage: who uses the address keeps the tensor.
 */
public final class DeviceTensor implements AutoCloseable {
    private final DeviceMemory memory;
    private final TensorLifetime lifetime;
    private final int device;
    private final DataType dataType;
    private final long[] shape;

    DeviceTensor(DeviceMemory memory, int device, DataType dataType, long[] shape) {
        this.memory = memory;
        this.lifetime = new TensorLifetime(memory.isOwn() ? watched(memory) : memory::close);
        this.device = device;
        this.dataType = dataType;
        this.shape = shape;
    }

    private Runnable watched(DeviceMemory own) {
        LeakWatch watch =
                LeakWatch.of(
                        this,
                        own::forget,
                        () -> "a result of " + own.byteSize() + " bytes on a GPU");
        return () -> {
            own.close();
            watch.end();
        };
    }

    /** {@return the address of the first element; valid until {@link #close}} */
    public long pointer() {
        return memory.pointer();
    }

    /**
     * {@return whether {@link #close} frees the memory: the engine has allocated it} Else it is the
     * caller's, from {@link Target#into(long, long)}.
     */
    public boolean ownsMemory() {
        return memory.isOwn();
    }

    /** {@return the size of all elements, in bytes} */
    public long byteSize() {
        return memory.byteSize();
    }

    /** {@return the number of the CUDA device, from 0} */
    public int device() {
        return device;
    }

    /**
     * {@return why the elements lie in memory of the host, or empty if they lie on the device} A
     * device that fails during a read loses its memory; the read goes on to the host's.
     */
    public Optional<String> hostReason() {
        return memory.hostReason();
    }

    /** {@return the length of each dimension, in elements} */
    public long[] shape() {
        return shape.clone();
    }

    /** {@return the distance from one element to the next along each dimension, in elements} */
    public long[] strides() {
        return Strides.of(shape);
    }

    /** {@return the type of the elements} */
    public DataType dataType() {
        return dataType;
    }

    /**
     * {@return a copy in new memory of the host; the caller closes it}
     *
     * @throws RuntimeException as {@link #copyTo} does
     */
    public HostTensor toHost() {
        HostTensor copy =
                new HostTensor(dataType, shape, HostTensor.allocate(dataType, shape, byteSize()));
        try {
            copyTo(copy.segment());
            return copy;
        } catch (RuntimeException | Error e) {
            copy.close();
            throw e;
        }
    }

    /**
     * Copies the elements to memory of the host, and waits.
     *
     * @param target at least {@link #byteSize} bytes
     * @throws IndexOutOfBoundsException if the target is too small
     * @throws IllegalStateException if the tensor is closed
     * @throws io.zarrengine.zarr.errors.ClosedException if the elements lie in memory of the
     *     caller's and the engine is closed: nobody is there any more to copy them
     * @throws io.zarrengine.zarr.errors.DeviceLostException if the device has failed since
     */
    public void copyTo(MemorySegment target) {
        memory.copyTo(target.asSlice(0, byteSize()));
    }

    /**
     * {@return the tensor as a {@code DLManagedTensor} without a deleter, for consumers in this
     * process: 64 bytes, valid until {@link #close}}
     *
     * @throws IllegalStateException if the tensor is closed
     * @throws UnsupportedOperationException if DLPack has no such type
     * @see <a href="https://dmlc.github.io/dlpack/latest/c_api.html">DLPack, C API</a>
     */
    public MemorySegment toDlpack() {
        Arena views = lifetime.views();
        boolean isOnHost = hostReason().isPresent();
        return DlpackLayout.write(views, pointer(), isOnHost ? -1 : device, dataType, shape);
    }

    /**
     * Frees the memory, and the views of it.
     *
     * @throws IllegalStateException if it was closed before, or a native call uses a view: then it
     *     is still open
     */
    @Override
    public void close() {
        lifetime.close();
    }

    /** Closes it, unless somebody has done so. */
    void closeIfOpen() {
        lifetime.closeIfOpen();
    }

    @Override
    public String toString() {
        return dataType.typeName() + Arrays.toString(shape) + " on cuda:" + device;
    }
}
