package io.zarrengine.zarr.shuffle;

/** The Vector API while its loops may not be compiled: plain Java does most of the work. */
final class ColdVectorKernelTest extends VectorKernelTest {
    @Override
    VectorWarmup warmup() {
        return new VectorWarmup();
    }
}
