package io.zarrengine.bench.gpu;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Opened resources, closed in reverse order. Owner: one thread. */
final class CloseStack implements AutoCloseable {
    private final List<AutoCloseable> all = new ArrayList<>();

    /** {@return the added resource} */
    <T extends AutoCloseable> T add(T opened) {
        all.add(opened);
        return opened;
    }

    @Override
    public void close() throws IOException {
        for (AutoCloseable opened : all.reversed()) {
            try {
                opened.close();
            } catch (IOException | RuntimeException e) {
                throw e;
            } catch (Exception e) { // No resource here throws another exception.
                throw new AssertionError(e);
            }
        }
    }
}
