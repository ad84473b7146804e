package io.zarrengine.uring;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * Measures how much memory the page cache may take for this process: the memory that the machine
 * has available, but not more than the control group allows, because a container's cached files
 * count against its limit.
 *
 * @see <a href="https://docs.kernel.org/admin-guide/cgroup-v2.html">cgroup v2, memory.max</a>
 */
final class CacheMemory {
    private static final String AVAILABLE = "MemAvailable:";

    /** How long a measurement is used, because measuring takes 0.1 ms. */
    private static final long GOOD_FOR_NANOS = 1_000_000_000L;

    private record Look(long bytes, long nanos) {}

    private final Path root;
    private volatile Look last;

    /** Reads the files below {@code root}, which stands for {@code /}. */
    CacheMemory(Path root) {
        this.root = root;
    }

    /** {@return bytes, at most one second old; {@code Long.MAX_VALUE} if unknown} */
    long bytes() {
        Look known = last;
        long now = System.nanoTime();
        if (known == null || now - known.nanos > GOOD_FOR_NANOS) {
            known = new Look(look(), now);
            last = known;
        }
        return known.bytes;
    }

    private long look() {
        long available =
                lines("proc/meminfo")
                        .filter(line -> line.startsWith(AVAILABLE))
                        .map(line -> line.substring(AVAILABLE.length()).replace("kB", ""))
                        .mapToLong(kibibytes -> number(kibibytes) << 10)
                        .findFirst()
                        .orElse(Long.MAX_VALUE);
        long allowed =
                lines("proc/self/cgroup").mapToLong(this::allowed).min().orElse(Long.MAX_VALUE);
        return Math.min(available, allowed);
    }

    /**
     * Returns the limit in bytes for one line of /proc/self/cgroup: {@code 0::/path}, or {@code
     * 4:memory:/path}.
     */
    private long allowed(String line) {
        String[] words = line.split(":", 3);
        if (words.length < 3) {
            return Long.MAX_VALUE;
        }
        if (words[1].isEmpty()) {
            return smallest("sys/fs/cgroup", words[2], "memory.max");
        }
        return words[1].equals("memory")
                ? smallest("sys/fs/cgroup/memory", words[2], "memory.limit_in_bytes")
                : Long.MAX_VALUE;
    }

    /**
     * Returns the smallest limit of a group and the groups above it. Inside a container only the
     * topmost may be visible.
     */
    private long smallest(String mount, String group, String file) {
        long smallest = Long.MAX_VALUE;
        Path path = Path.of(mount + group);
        while (path != null && path.startsWith(mount)) {
            smallest = Math.min(smallest, number(lines(path + "/" + file).findFirst().orElse("")));
            path = path.getParent();
        }
        return smallest;
    }

    /** Returns no lines if the file cannot be read. */
    private Stream<String> lines(String file) {
        try {
            return Files.readAllLines(root.resolve(file)).stream();
        } catch (IOException e) {
            return Stream.empty();
        }
    }

    /** Returns {@code Long.MAX_VALUE} if the text is not a number, as for "max". */
    private static long number(String text) {
        try {
            return Long.parseLong(text.strip());
        } catch (NumberFormatException e) {
            return Long.MAX_VALUE;
        }
    }
}
