package io.zarrengine.bench.compare;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * A contender with options, open under a name in its worker.
 *
 * @param contender the contender
 * @param worker its process
 * @param name its name in the worker
 * @param options options of the contender
 */
record Way(Contender contender, WorkerProcess worker, String name, List<String> options) {
    /** Options that describe the array, not the way of reading. */
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

    /** {@return a label of its options} */
    String label() {
        return String.join(
                " ", options.stream().filter(option -> !option.matches(OF_THE_ARRAY)).toList());
    }
}
