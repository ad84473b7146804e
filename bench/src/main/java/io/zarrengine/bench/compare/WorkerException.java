package io.zarrengine.bench.compare;

import java.io.IOException;

/** A worker answered a command with an error, and goes on. */
final class WorkerException extends IOException {
    private static final long serialVersionUID = 1;

    private final String answer;

    WorkerException(String message, String answer) {
        super(message + ": " + answer);
        this.answer = answer;
    }

    /** {@return what it said} */
    String answer() {
        return answer;
    }
}
