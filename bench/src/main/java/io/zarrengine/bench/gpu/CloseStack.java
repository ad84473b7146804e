package io.zarrengine.bench.gpu;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** What somebody opened, one after the other; the last one is closed first. Owner: one thread. */
final class CloseStack implements AutoCloseable {
    private final List<AutoCloseable> all = new ArrayList<>();

    /** {@return what was opened} */
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
            } catch (Exception e) { // Nothing here throws another.
                throw new AssertionError(e);
            }
        }
    }
}
