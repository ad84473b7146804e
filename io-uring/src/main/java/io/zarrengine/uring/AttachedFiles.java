package io.zarrengine.uring;

import java.util.Arrays;

/** The files attached to a queue, by number. Each file is retained while it is attached. */
final class AttachedFiles implements AutoCloseable {
    private final FileHandle[] files;
    private final int[] free; // a stack
    private int freeCount;

    AttachedFiles(int max) {
        files = new FileHandle[max];
        free = new int[max];
        Arrays.setAll(free, i -> max - 1 - i); // Number 0 is taken first.
        freeCount = max;
    }

    int max() {
        return files.length;
    }

    int add(FileHandle file) {
        if (freeCount == 0) {
            throw new IllegalStateException(max() + " files are attached");
        }
        file.retain();
        int number = free[--freeCount];
        files[number] = file;
        return number;
    }

    FileHandle get(int number) {
        FileHandle file = files[number];
        if (file == null) {
            throw new IllegalStateException("no file is attached as number " + number);
        }
        return file;
    }

    void remove(int number) {
        FileHandle file = get(number);
        files[number] = null;
        free[freeCount++] = number;
        file.release();
    }

    @Override
    public void close() {
        for (int number = 0; number < files.length; number++) {
            if (files[number] != null) {
                remove(number);
            }
        }
    }
}
