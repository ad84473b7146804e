package io.zarrengine.uring;

/** Whether somebody still holds a file, for tests that look for leaks. */
public final class OpenFileHandles {
    private OpenFileHandles() {}

    /**
     * {@return whether a file is open}
     *
     * @param file is as it was afterwards
     */
    public static boolean isOpen(FileHandle file) {
        if (!file.tryRetain()) {
            return false;
        }
        file.release();
        return true;
    }
}
