package io.zarrengine.bench.gpu;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The time for which a drive was busy, as the kernel counts it. A reader that leaves the drive idle
 * at times could be faster. If it leaves no idle time, fewer and larger reads could still be
 * faster.
 *
 * <p>Source: io_ticks of Documentation/block/stat.rst.
 */
final class DriveLoad {
    private static final int BUSY_MILLIS = 9; // index of that field

    private final Path counters;

    private DriveLoad(Path counters) {
        this.counters = counters;
    }

    /** {@return the load of the drive or partition that holds a file} */
    static DriveLoad of(Path file) throws IOException {
        long device = (Long) Files.getAttribute(file, "unix:dev");
        long major = (device >>> 8) & 0xFFF; // makedev(3)
        long minor = (device & 0xFF) | ((device >>> 12) & 0xFFF00);
        return new DriveLoad(Path.of("/sys/dev/block/%d:%d/stat".formatted(major, minor)));
    }

    /** {@return the busy time so far, in ms; NaN where the file system is not on a drive} */
    double busyMillis() throws IOException {
        return Files.isReadable(counters)
                ? Double.parseDouble(Files.readString(counters).strip().split("\\s+")[BUSY_MILLIS])
                : Double.NaN;
    }
}
