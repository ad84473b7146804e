package io.zarrengine.bench.compare;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * A contender with options, which its worker has under a name.
 *
 * @param contender who
 * @param worker its process
 * @param name in the worker
 * @param options as the contender has them
 */
record Way(Contender contender, WorkerProcess worker, String name, List<String> options) {
    /** Options that say what is read, not how. */
    private static final String OF_THE_ARRAY = "(shape|chunk|inner|item|codec|mode)=.*";

    Way {
        options = List.copyOf(options);
    }

    void open(Path array, Path crops) throws IOException {
        worker.open(name, array, crops, options);
    }

    void close() throws IOException {
        worker.close(name);
    }

    /** {@return how it reads} */
    String label() {
        return String.join(
                " ", options.stream().filter(option -> !option.matches(OF_THE_ARRAY)).toList());
    }
}
