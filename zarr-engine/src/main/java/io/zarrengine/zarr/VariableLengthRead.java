package io.zarrengine.zarr;

import io.zarrengine.bindings.NativeMemory;
import io.zarrengine.zarr.datatype.VariableLengthType;
import io.zarrengine.zarr.execute.Executor;
import io.zarrengine.zarr.place.VariableLengthContent;
import io.zarrengine.zarr.plan.ChunkPlan;
import io.zarrengine.zarr.selection.ResolvedSelection;
import io.zarrengine.zarr.task.HostReadFuture;
import io.zarrengine.zarr.task.ReadRequest;

/**
 * A read of elements of variable length, and the memory that gathers them.
 *
 * <p>Owner: the caller that started it; closed when the request has ended. Threads: one at a time.
 */
final class VariableLengthRead implements AutoCloseable {
    private final VariableLengthType type;
    private final long[] shape;
    private final NativeMemory descriptors;
    private final VariableLengthContent content;
    private final ReadRequest request;

    /** {@code budgetBytes} limits the bytes of the elements. */
    VariableLengthRead(
            ReadRequest.Source source,
            ChunkPlan plan,
            VariableLengthType type,
            ResolvedSelection resolved,
            long budgetBytes) {
        this.type = type;
        shape = resolved.resultShape();
        descriptors = HostTensor.allocate(type, shape, resolved.bytes(type.byteSize()));
        content = new VariableLengthContent(budgetBytes);
        try {
            request = ReadRequest.ofVariableLength(source, plan, descriptors.segment(), content);
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    ReadRequest request() {
        return request;
    }

    /** Returns the size of the descriptors. */
    long bytes() {
        return descriptors.segment().byteSize();
    }

    /** {@return the elements in order; the request must have ended well} */
    VariableLengthTensor tensor() {
        return VariableLengthTensor.of(type, shape, descriptors.segment(), content);
    }

    /** {@return the future of the elements; its completion closes this read} */
    HostReadFuture<VariableLengthTensor> submit(Executor executor) {
        try {
            executor.submit(request);
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
        return HostReadFuture.of(
                request,
                () -> {
                    try {
                        return tensor();
                    } finally {
                        close();
                    }
                },
                this::close);
    }

    @Override
    public void close() {
        descriptors.close();
        content.close();
    }
}
