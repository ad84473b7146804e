package io.zarrengine.zarr.objectstore;

import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * One read, as a store gets it: a range of an object, or all of it. The store asks for {@link
 * #target memory} when it knows how many bytes come, writes them there, and then says so. After the
 * read has ended, the store must not write to that memory any more.
 *
 * <p>Threads: a store calls this on threads that serve other reads too, so no method may block.
 */
public interface ObjectRead {
    /** The length of a read of the whole object. */
    long WHOLE = Long.MAX_VALUE;

    /** {@return the name of the object} */
    String key();

    /**
     * {@return the offset of the range, in bytes; negative if it is the end of the object: the last
     * {@link #length} bytes of it}
     */
    long offset();

    /**
     * {@return the length of the range in bytes, {@code > 0}; or {@link #WHOLE}} The object may end
     * before the range does; then the read brings what there is.
     */
    long length();

    /**
     * {@return the version that the object must have; empty for any} If it has another one, the
     * read fails with an {@link ObjectChangedException}.
     */
    Optional<String> version();

    /** {@return false if nobody wants the bytes any more: the store may end the read at once} */
    boolean isWanted();

    /**
     * {@return the memory to write to, of exactly this size} A store that repeats a read may ask
     * again.
     *
     * @param bytes how many bytes come, {@code >= 0}
     * @throws IllegalArgumentException if these are more than were wanted
     * @throws IllegalStateException if the read has ended
     */
    MemorySegment target(long bytes);

    /**
     * Ends the read.
     *
     * @param bytes how many bytes were written to the {@link #target}
     * @param objectBytes the size of the whole object, in bytes
     * @param version identifies the version of the object, for example its ETag; empty if the store
     *     knows none. Of one that begins with {@code W/}, as weak ETags do, nothing is kept on disk
     */
    void completed(long bytes, long objectBytes, Optional<String> version);

    /** Ends the read: there is no such object. */
    void missing();

    /**
     * Ends the read with an error.
     *
     * @param cause its message says what was tried, and how often, without secrets
     */
    void failed(Throwable cause);
}
