package io.zarrengine.bench.compare;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The first seconds of a process that reads the same crops again and again.
 *
 * @param way the contender's options
 * @param startSeconds from the start of the process until it answers
 * @param openSeconds to open the array, and to allocate targets
 * @param passes the reads of all crops, in order
 */
record NewProcess(
        String way, double startSeconds, double openSeconds, List<WorkerProcess.Run> passes) {
    NewProcess {
        passes = List.copyOf(passes);
    }

    /** Starts a process, and reads for some seconds; all crops at least once. */
    static NewProcess run(
            Contender contender,
            WorkerCommands programs,
            List<String> options,
            Path array,
            Path crops,
            double seconds)
            throws IOException {
        long begin = System.nanoTime();
        List<String> command = WorkerCommands.withoutVectors(contender.command(programs));
        try (WorkerProcess worker = WorkerProcess.start(command)) {
            worker.version();
            double start = secondsSince(begin);
            Way way = new Way(contender, worker, "first", options);
            way.open(array, crops);
            double open = secondsSince(begin) - start;
            List<WorkerProcess.Run> passes = new ArrayList<>();
            double read = 0;
            do {
                WorkerProcess.Run pass = worker.run(way.name(), 0, 0);
                passes.add(pass);
                read += pass.seconds();
            } while (read < seconds);
            return new NewProcess(way.label(), start, open, passes);
        }
    }

    private static double secondsSince(long begin) {
        return (System.nanoTime() - begin) / 1e9;
    }

    /** {@return the rate of the first pass, in GB/s} */
    double firstRate() {
        return passes.getFirst().gigabytesPerSecond();
    }

    /**
     * {@return the bytes of the first pass over the time since the process was started, in GB/s}
     */
    double rateFromStart() {
        WorkerProcess.Run first = passes.getFirst();
        return first.bytes() / (startSeconds + openSeconds + first.seconds()) / 1e9;
    }

    /** {@return the mean rate between two times after the first read began, in GB/s} */
    double rateBetween(double begin, double end) {
        double at = 0;
        double bytes = 0;
        double reading = 0;
        for (WorkerProcess.Run pass : passes) {
            double inside = Math.min(at + pass.seconds(), end) - Math.max(at, begin);
            if (inside > 0) {
                bytes += pass.bytes() * inside / pass.seconds();
                reading += inside;
            }
            at += pass.seconds();
        }
        return bytes / reading / 1e9;
    }

    /** {@return the time after the first read began at which each pass ended, in seconds} */
    List<Double> endTimes() {
        List<Double> times = new ArrayList<>();
        double at = 0;
        for (WorkerProcess.Run pass : passes) {
            at += pass.seconds();
            times.add(at);
        }
        return times;
    }
}
