package io.zarrengine.uring.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The limit of this process's file descriptors: its soft RLIMIT_NOFILE, see getrlimit(2). */
public final class Descriptors {
    private static final Path LIMITS = Path.of("/proc/self/limits"); // proc_pid_limits(5)
    private static final String NAME = "Max open files";
    private static final String NO_LIMIT = "unlimited";
    private static final int USUAL = 1024;

    private static final int MAX = max(limits());

    private Descriptors() {}

    /**
     * {@return a quarter of the limit: one quarter is for files that are kept, one for files that
     * readers hold, and half for the rest of the program} The limit is 1,024 where the system does
     * not report it.
     */
    public static int quarter() {
        return MAX / 4;
    }

    private static List<String> limits() {
        try {
            return Files.readAllLines(LIMITS);
        } catch (IOException e) {
            return List.of(); // Not Linux, or hidden.
        }
    }

    /** Parses the lines of proc_pid_limits(5). */
    static int max(List<String> limits) {
        for (String line : limits) {
            if (line.startsWith(NAME)) {
                String soft = line.substring(NAME.length()).strip().split(" +", 2)[0];
                return NO_LIMIT.equals(soft)
                        ? Integer.MAX_VALUE
                        : (int) Math.min(Integer.MAX_VALUE, Long.parseUnsignedLong(soft));
            }
        }
        return USUAL;
    }
}
