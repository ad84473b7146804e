package io.zarrengine.uring;

/** Parts of one file that are wanted together, in order. */
public interface FileParts {
    /** {@return how many there are, {@code > 0}} */
    int count();

    /**
     * {@return where a part begins in the file, in bytes}
     *
     * @param part which
     */
    long offset(int part);

    /**
     * {@return how long a part is, in bytes; {@code > 0}}
     *
     * @param part which
     */
    long bytes(int part);

    /** {@return how long all parts are together, in bytes} */
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
     * @param begin where it begins in the file, in bytes
     * @param length how long it is, in bytes; {@code > 0}
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
