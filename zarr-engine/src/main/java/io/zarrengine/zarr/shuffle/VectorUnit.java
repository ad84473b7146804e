package io.zarrengine.zarr.shuffle;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Decides whether kernels use the Vector API, and the width of their vectors. Decides once, and
 * without naming a class of the API, because its module is incubating and optional.
 */
public final class VectorUnit {
    public static final String MODULE = "jdk.incubator.vector";

    /** True if the module is there. */
    public static final boolean IS_THERE = ModuleLayer.boot().findModule(MODULE).isPresent();

    private static final Path PROCESSOR = Path.of("/proc/cpuinfo");

    private VectorUnit() {}

    /**
     * {@return whether one instruction selects bytes from two vectors of 512 bits} Without it,
     * selecting from such wide vectors is slower than a scalar loop. Then 128 bits are the widest
     * vectors that every CPU can select from. Linux reports this, Java does not.
     */
    static boolean picksBytesOfWideVectors() {
        try {
            return Files.readString(PROCESSOR).contains(" avx512vbmi ");
        } catch (IOException e) {
            return false;
        }
    }
}
