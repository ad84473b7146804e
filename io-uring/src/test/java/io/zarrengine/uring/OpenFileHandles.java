package io.zarrengine.uring;

/** Checks whether a file is still open, for tests that look for leaks. */
public final class OpenFileHandles {
    private OpenFileHandles() {}

    /**
     * {@return whether a file is open}
     *
     * @param file a file; its state does not change
     */
    public static boolean isOpen(FileHandle file) {
        if (!file.tryRetain()) {
            return false;
        }
        file.release();
        return true;
    }
}
