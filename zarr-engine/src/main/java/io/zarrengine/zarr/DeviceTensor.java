package io.zarrengine.zarr;

import io.zarrengine.bindings.LeakWatch;
import io.zarrengine.zarr.datatype.DataType;
import io.zarrengine.zarr.device.DeviceMemory;
import io.zarrengine.zarr.tensor.DlpackLayout;
import io.zarrengine.zarr.tensor.Strides;
import io.zarrengine.zarr.tensor.TensorLifetime;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The result of a read in the memory of a GPU. Its elements are in C order and the host's byte
 * order. They are complete: the caller need not wait for an event on any stream. (The engine knows
 * that every chunk was decoded well only after the device has finished, so it cannot hand out an
 * event earlier.)
 *
 * <p>Owner: the caller that received it; {@link #close} frees its memory, unless the memory is the
 * caller's. The tensor may be closed after the engine. Threads: any. Before closing it, the caller
 * must wait for all work that it has queued on the device with this memory, or name its streams
 * with {@link #recordStream}. The memory of a tensor that was never closed is freed when the engine
 * is closed and the tensor has been garbage collected, so keep a reference to the tensor while its
 * address is in use.
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

    DeviceMemory memory() {
        return memory;
    }

    /** {@return the address of the first element; valid until {@link #close}} */
    public long pointer() {
        return memory.pointer();
    }

    /**
     * {@return whether {@link #close} frees the memory because the engine has allocated it}
     * Otherwise the memory is the caller's, from {@link Target#into(long, long)}.
     */
    public boolean ownsMemory() {
        return memory.isOwn();
    }

    /**
     * Notes that a stream uses the memory. Closing the tensor then does not wait for the stream:
     * the memory is used again after the work that is queued in the stream at that time. If the
     * stream captures a graph then, the memory is kept until the capture has ended, and the stream
     * must stay valid until the engine is closed after that; what a graph captures does not count,
     * so keep the tensor open while the graph may run.
     *
     * @param stream a {@code cudaStream_t} of the tensor's device, valid until the tensor is
     *     closed; 0 or 1 for the legacy default stream
     * @throws IllegalArgumentException if it is the default stream of the calling thread, 2
     */
    public void recordStream(long stream) {
        memory.recordStream(Target.checkedStream(stream));
    }

    /**
     * {@return completes when the tensor is closed and the work is done that the recorded streams
     * had queued then, with the graphs that they captured} Then memory of the caller's may be
     * written again, {@link Target#after(CompletableFuture)}. It fails with a {@link
     * io.zarrengine.zarr.errors.ClosedException} if the engine is closed before, and with a {@link
     * io.zarrengine.zarr.errors.DeviceLostException} if the device fails.
     */
    public CompletableFuture<Void> whenUnused() {
        return memory.whenUnused().copy();
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
     * {@return why the elements are in host memory, or empty if they are on the device} A device
     * that fails during a read loses its memory; the read then continues to host memory.
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
     * {@return a copy in new host memory; the caller closes it}
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
     * Copies the elements to host memory, and waits for the copy.
     *
     * @param target at least {@link #byteSize} bytes
     * @throws IndexOutOfBoundsException if the target is too small
     * @throws IllegalStateException if the tensor is closed
     * @throws io.zarrengine.zarr.errors.ClosedException if the elements are in the caller's memory
     *     and the engine is closed, so that nothing can copy them
     * @throws io.zarrengine.zarr.errors.DeviceLostException if the device has failed since the read
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
     * @throws IllegalStateException if the tensor is already closed, or if a native call uses a
     *     view; in the second case the tensor stays open
     */
    @Override
    public void close() {
        lifetime.close();
    }

    /**
     * Closes the tensor unless it is already closed.
     *
     * @throws IllegalStateException if a native call uses a view, as {@link #close} does
     */
    public void closeIfOpen() {
        lifetime.closeIfOpen();
    }

    @Override
    public String toString() {
        return dataType.typeName() + Arrays.toString(shape) + " on cuda:" + device;
    }
}
