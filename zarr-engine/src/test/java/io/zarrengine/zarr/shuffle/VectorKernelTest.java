package io.zarrengine.zarr.shuffle;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** The Vector API, for all of the work. */
class VectorKernelTest extends ShuffleKernelContract {
    @Override
    ShuffleKernel kernel() {
        assumeTrue(VectorUnit.IS_THERE, "the Vector API is not there");
        return new VectorKernel(this::warmup, new PlainKernel());
    }

    @Override
    int rowElementsMin() {
        return (int) VectorZip.VECTOR_BYTES;
    }

    VectorWarmup warmup() {
        VectorWarmup warmup = new VectorWarmup();
        while (!warmup.isOver()) {
            warmup.compare(1, 1, 2, 1);
        }
        return warmup;
    }
}
