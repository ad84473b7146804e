package io.zarrengine.http;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;

/** The meaning of a response for the read. */
sealed interface Answer {
    /**
     * The body has the bytes.
     *
     * @param skipped bytes of the body before them
     * @param bytes how many are wanted; -1 if the server does not tell the length of the body,
     *     which is the whole object
     * @param objectBytes size of the object; -1 as before
     * @param version of the object
     */
    record Body(long skipped, long bytes, long objectBytes, Optional<String> version)
            implements Answer {}

    /** There is no such object. */
    record Missing() implements Answer {}

    /** The object has another version. */
    record Changed() implements Answer {}

    /** The bytes are elsewhere. */
    record Redirect(URI url) implements Answer {}

    /**
     * Another request may succeed.
     *
     * @param problem what happened
     * @param pause the pause that the server asks for
     */
    record Retry(String problem, Optional<Duration> pause) implements Answer {}

    /**
     * Only a request with other credentials may succeed.
     *
     * @param otherwise the answer if there are none
     */
    record Unauthorized(Refused otherwise) implements Answer {}

    /**
     * No request will succeed.
     *
     * @param problem what happened
     * @param advice what the caller may do, after a space; or empty
     */
    record Refused(String problem, String advice) implements Answer {
        Refused(String problem) {
            this(problem, "");
        }

        /** {@return the same, with what else the server says of the error, once} */
        Refused because(String more) {
            return problem.contains(more) ? this : new Refused(problem + more, advice);
        }

        String message() {
            return problem + advice;
        }
    }
}
