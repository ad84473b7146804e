package io.zarrengine.uring;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.uring.ReadBackend.Method;
import java.util.Optional;

final class IoUringReadQueueTest implements ReadQueueContract {
    @Override
    public ReadBackend backend() {
        Optional<String> cause = ReadBackend.unavailabilityCause(Method.IO_URING);
        assumeTrue(cause.isEmpty(), () -> cause.orElseThrow());
        return ReadBackend.of(Method.IO_URING);
    }
}
