package io.zarrengine.bench.compare;

import java.io.IOException;

/** The error that a worker answered to a command. The worker goes on. */
final class WorkerException extends IOException {
    private static final long serialVersionUID = 1;

    private final String answer;

    WorkerException(String message, String answer) {
        super(message + ": " + answer);
        this.answer = answer;
    }

    /** {@return the worker's message} */
    String answer() {
        return answer;
    }
}
