package io.zarrengine.bench.compare;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/** The workers. Each is started when it is first requested. Owner: the comparison. Threads: one. */
final class WorkerPool implements AutoCloseable {
    private final WorkerCommands programs;
    private final Map<List<String>, WorkerProcess> started = new HashMap<>();

    WorkerPool(WorkerCommands programs) {
        this.programs = programs;
    }

    /** {@return the worker of a contender; empty if it is not installed} */
    Optional<WorkerProcess> of(Contender contender) throws IOException {
        if (!contender.isInstalled(programs)) {
            return Optional.empty();
        }
        List<String> command = contender.command(programs);
        WorkerProcess worker = started.get(command);
        if (worker == null) {
            worker = WorkerProcess.start(command);
            started.put(command, worker);
        }
        return Optional.of(worker);
    }

    /** {@return the versions reported by the workers} */
    List<String> versions() throws IOException {
        TreeSet<String> versions = new TreeSet<>();
        for (WorkerProcess worker : started.values()) {
            versions.add(worker.version());
        }
        return List.copyOf(versions);
    }

    @Override
    public void close() throws IOException {
        for (WorkerProcess worker : started.values()) {
            worker.close();
        }
    }
}
