package io.zarrengine.zarr.objectstore;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** A read of an object to Java's heap, which a thread waits for. */
public final class AwaitedRead implements ObjectRead {
    private final String key;
    private final long offset;
    private final long length;
    private final long bytesMax;
    private final Optional<String> wanted;
    private final CompletableFuture<Optional<byte[]>> ended = new CompletableFuture<>();
    private volatile byte[] bytes = {};
    private volatile long objectBytes; // this and the next: set before it has ended
    private volatile Optional<String> found = Optional.empty();

    private AwaitedRead(
            String key, long offset, long length, long bytesMax, Optional<String> wanted) {
        this.key = key;
        this.offset = offset;
        this.length = length;
        this.bytesMax = bytesMax;
        this.wanted = wanted;
    }

    /**
     * {@return a read of all of an object; a store has to start it}
     *
     * @param key the name of the object
     * @param bytesMax the read fails if the object is larger; less than 2 GiB
     */
    public static AwaitedRead whole(String key, long bytesMax) {
        return new AwaitedRead(key, 0, WHOLE, bytesMax, Optional.empty());
    }

    /**
     * {@return a read of a range of an object; a store has to start it}
     *
     * @param key the name of the object
     * @param offset as {@link ObjectRead#offset}
     * @param length in bytes, {@code > 0}
     * @param version the version that the object must have; empty for any
     */
    public static AwaitedRead range(String key, long offset, int length, Optional<String> version) {
        return new AwaitedRead(key, offset, length, length, version);
    }

    /**
     * Waits for the end of the read.
     *
     * @return the bytes, or what there is of the range; empty if there is no such object
     * @throws ExecutionException if the read failed
     * @throws InterruptedException if this thread is interrupted; nobody wants the bytes then
     */
    public Optional<byte[]> get() throws ExecutionException, InterruptedException {
        try {
            return ended.get();
        } catch (InterruptedException e) {
            ended.cancel(false);
            throw e;
        }
    }

    /** {@return the size of the whole object; only after {@link #get} has returned bytes} */
    public long objectBytes() {
        return objectBytes;
    }

    /** {@return the version that was read, if the store knows it; only after {@link #get}} */
    public Optional<String> foundVersion() {
        return found;
    }

    @Override
    public String key() {
        return key;
    }

    @Override
    public long offset() {
        return offset;
    }

    @Override
    public long length() {
        return length;
    }

    @Override
    public Optional<String> version() {
        return wanted;
    }

    @Override
    public boolean isWanted() {
        return !ended.isDone();
    }

    @Override
    public MemorySegment target(long count) {
        if (count > bytesMax) {
            throw new IllegalArgumentException("has more than " + bytesMax + " bytes");
        }
        bytes = new byte[(int) count];
        return MemorySegment.ofArray(bytes);
    }

    @Override
    public void completed(long count, long ofObject, Optional<String> version) {
        if (wanted.isPresent() && version.isPresent() && !version.equals(wanted)) {
            failed(new ObjectChangedException(wanted.get(), version.get()));
            return;
        }
        objectBytes = ofObject;
        found = version;
        ended.complete(Optional.of(bytes));
    }

    @Override
    public void missing() {
        if (wanted.isPresent()) {
            failed(new ObjectChangedException(wanted.get(), "removed"));
        } else {
            ended.complete(Optional.empty());
        }
    }

    @Override
    public void failed(Throwable cause) {
        ended.completeExceptionally(cause);
    }
}
