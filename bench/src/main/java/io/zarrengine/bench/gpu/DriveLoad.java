package io.zarrengine.bench.gpu;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * How long a drive has had something to do, as the kernel counts it: a reader that leaves it pauses
 * could be faster. Of one that leaves it none this does not say whether other reads, fewer and
 * larger ones, would bring more.
 *
 * <p>Source: io_ticks of Documentation/block/stat.rst.
 */
final class DriveLoad {
    private static final int BUSY_MILLIS = 9; // the number of that field, from 0

    private final Path counters;

    private DriveLoad(Path counters) {
        this.counters = counters;
    }

    /** {@return the load of the drive, or its partition, on which a file lies} */
    static DriveLoad of(Path file) throws IOException {
        long device = (Long) Files.getAttribute(file, "unix:dev");
        long major = (device >>> 8) & 0xFFF; // makedev(3)
        long minor = (device & 0xFF) | ((device >>> 12) & 0xFFF00);
        return new DriveLoad(Path.of("/sys/dev/block/%d:%d/stat".formatted(major, minor)));
    }

    /** {@return what it has come to, in ms; NaN where the file system is not on a drive} */
    double busyMillis() throws IOException {
        return Files.isReadable(counters)
                ? Double.parseDouble(Files.readString(counters).strip().split("\\s+")[BUSY_MILLIS])
                : Double.NaN;
    }
}
