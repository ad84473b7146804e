package io.zarrengine.uring;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.uring.ReadBackend.Method;
import org.junit.jupiter.api.BeforeEach;

/** A test class that is skipped where io_uring is missing. */
interface NeedsIoUring {
    @BeforeEach
    default void needsIoUring() {
        ReadBackend.unavailabilityCause(Method.IO_URING)
                .ifPresent(cause -> assumeTrue(false, cause));
    }
}
