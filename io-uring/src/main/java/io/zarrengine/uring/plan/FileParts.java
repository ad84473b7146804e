package io.zarrengine.uring.plan;

/** Parts of one file that are read together, in order. */
public interface FileParts {
    /** {@return the number of parts, {@code > 0}} */
    int count();

    /**
     * {@return the offset of a part in the file, in bytes}
     *
     * @param part index of the part
     */
    long offset(int part);

    /**
     * {@return the length of a part in bytes, {@code > 0}}
     *
     * @param part index of the part
     */
    long bytes(int part);

    /** {@return the total length of all parts, in bytes} */
    default long byteSum() {
        long sum = 0;
        for (int i = 0; i < count(); i++) {
            sum += bytes(i);
        }
        return sum;
    }

    /**
     * A single part.
     *
     * @param begin its offset in the file, in bytes
     * @param length its length in bytes, {@code > 0}
     */
    record One(long begin, long length) implements FileParts {
        @Override
        public int count() {
            return 1;
        }

        @Override
        public long offset(int part) {
            return begin;
        }

        @Override
        public long bytes(int part) {
            return length;
        }
    }
}
