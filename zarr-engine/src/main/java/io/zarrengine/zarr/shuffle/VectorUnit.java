package io.zarrengine.zarr.shuffle;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Whether kernels use the Vector API, and how wide. Decided once, and without naming a class of the
 * API: its module is incubating and optional.
 */
public final class VectorUnit {
    public static final String MODULE = "jdk.incubator.vector";

    /** Whether the module is there. */
    public static final boolean IS_THERE = ModuleLayer.boot().findModule(MODULE).isPresent();

    private static final Path PROCESSOR = Path.of("/proc/cpuinfo");

    private VectorUnit() {}

    /**
     * {@return whether one instruction picks bytes out of two vectors of 512 bits} Without it,
     * picking from so wide vectors is slower than a scalar loop: 128 bits are then the widest that
     * every processor can pick from. Java does not say, Linux does.
     */
    static boolean picksBytesOfWideVectors() {
        try {
            return Files.readString(PROCESSOR).contains(" avx512vbmi ");
        } catch (IOException e) {
            return false;
        }
    }
}
