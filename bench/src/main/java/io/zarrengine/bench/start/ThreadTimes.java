package io.zarrengine.bench.start;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * CPU seconds of this process by kind of thread, from {@code /proc/self/task}. Threads that ended
 * are not in it.
 */
record ThreadTimes(double main, double workers, double c1, double c2) {
    private static final Path TASKS = Path.of("/proc/self/task");

    /** {@return the times of the threads that run now} */
    static ThreadTimes now() throws IOException {
        ThreadTimes all = new ThreadTimes(0, 0, 0, 0);
        List<Path> tasks;
        try (Stream<Path> listed = Files.list(TASKS)) {
            tasks = listed.toList();
        }
        for (Path task : tasks) {
            all = all.plus(task);
        }
        return all;
    }

    private static double seconds(Path task) throws IOException {
        return Long.parseLong(Files.readString(task.resolve("schedstat")).split(" ")[0]) / 1e9;
    }

    private ThreadTimes plus(Path task) throws IOException {
        try {
            return plus(Files.readString(task.resolve("comm")), seconds(task));
        } catch (NoSuchFileException _) { // The thread ended.
            return this;
        }
    }

    private ThreadTimes plus(String name, double seconds) {
        if (name.startsWith("C1 ")) {
            return new ThreadTimes(main, workers, c1 + seconds, c2);
        }
        if (name.startsWith("C2 ")) {
            return new ThreadTimes(main, workers, c1, c2 + seconds);
        }
        if (name.startsWith("zarr")) {
            return new ThreadTimes(main, workers + seconds, c1, c2);
        }
        return new ThreadTimes(main + seconds, workers, c1, c2);
    }

    List<Double> seconds() {
        return List.of(main, workers, c1, c2);
    }
}
