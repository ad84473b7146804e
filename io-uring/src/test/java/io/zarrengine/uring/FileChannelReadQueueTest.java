package io.zarrengine.uring;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.uring.ReadBackend.Method;
import java.util.Optional;

final class FileChannelReadQueueTest implements ReadQueueContract {
    @Override
    public ReadBackend backend() {
        Optional<String> cause = ReadBackend.unavailabilityCause(Method.FILE_CHANNEL);
        assumeTrue(cause.isEmpty(), () -> cause.orElseThrow());
        return ReadBackend.of(Method.FILE_CHANNEL);
    }
}
