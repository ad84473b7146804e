package io.zarrengine.zarr;

import io.zarrengine.zarr.datatype.DataType;

/** Makes the tensor that a read fills. */
@FunctionalInterface
public interface TensorAllocator {
    /**
     * {@return an open tensor with arbitrary content}
     *
     * @param dataType the type of the elements
     * @param shape the length of each dimension, in elements
     */
    HostTensor allocate(DataType dataType, long[] shape);
}
