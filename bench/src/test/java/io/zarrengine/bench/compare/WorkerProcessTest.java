package io.zarrengine.bench.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class WorkerProcessTest {
    private static WorkerProcess startAnswering(String answer) throws IOException {
        return WorkerProcess.start(List.of("sh", "-c", "read line; printf '" + answer + "'"));
    }

    /** A profiler's start message appeared where an answer was expected, and was taken for one. */
    @Test
    void passesOverLinesThatAreNoAnswers() throws IOException {
        try (WorkerProcess worker = startAnswering("Profiling started\\nok\\tworker 1\\n")) {
            assertEquals("worker 1", worker.version());
        }
    }

    @Test
    void saysWhatAWorkerCannotDo() throws IOException {
        try (WorkerProcess worker = startAnswering("error\\tno library\\n")) {
            var failure = assertThrows(WorkerException.class, worker::version);
            assertTrue(failure.answer().contains("no library"), failure::answer);
        }
    }

    @Test
    void saysThatAWorkerEnded() throws IOException {
        try (WorkerProcess worker = startAnswering("")) {
            var failure = assertThrows(IOException.class, worker::version);
            assertTrue(failure.getMessage().contains("ended"), failure::getMessage);
        }
    }
}
