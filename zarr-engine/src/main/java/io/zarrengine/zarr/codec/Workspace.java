package io.zarrengine.zarr.codec;

import io.zarrengine.bindings.NativeMemory;
import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.filter.BlockArrays;
import io.zarrengine.zarr.memory.MemoryAccount;
import io.zarrengine.zarr.memory.MemoryBudget;
import io.zarrengine.zarr.memory.MemoryShortException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.Objects;
import java.util.stream.IntStream;

/**
 * The memory and contexts with which one thread encodes and decodes: contexts of libraries, created
 * on first use, and buffers between codecs. Memory beyond the thread's own share is reserved, and
 * freed at the {@link #end} of the work that needed it.
 *
 * <p>Owner: the thread that created it.
 */
public final class Workspace implements AutoCloseable {
    private static final int BUFFERS = 6; // two in turns between codecs, one for blosc, then:
    private static final int RESULT_BUFFER = 3;
    private static final int FILTER_BUFFERS = 4; // the first of two, used in turns

    /** Buffers grow in steps of this size. */
    private static final long BUFFER_STEP_BYTES = 64 << 10;

    private static final long UNLIMITED = 1L << 62;

    private final IdentityHashMap<CodecContext.Factory<?>, CodecContext> contexts =
            new IdentityHashMap<>();
    private final NativeMemory[] buffers = new NativeMemory[BUFFERS];
    private final boolean verifiesChecksums;
    private final MemoryAccount account;
    private final BlockArrays blockArrays = new BlockArrays();
    private int handedOut; // a bit for each buffer used by the current work

    /**
     * Memory that counts as used until this is closed.
     *
     * @param segment the memory; null segment if it is not native
     * @param release frees it
     */
    public record Loan(MemorySegment segment, Runnable release) implements AutoCloseable {
        @Override
        public void close() {
            release.run();
        }
    }

    /** Creates an empty workspace without a limit; checksums are verified. */
    public Workspace() {
        this(true);
    }

    /**
     * Creates an empty workspace without a limit.
     *
     * @param verifiesChecksums whether checksum codecs compare their checksums, or only strip them
     */
    public Workspace(boolean verifiesChecksums) {
        this(verifiesChecksums, new MemoryAccount(UNLIMITED, new MemoryBudget(0, () -> {})));
    }

    /**
     * Creates an empty workspace for the calling thread.
     *
     * @param verifiesChecksums whether checksum codecs compare their checksums, or only strip them
     * @param account of this workspace alone
     */
    public Workspace(boolean verifiesChecksums, MemoryAccount account) {
        this.verifiesChecksums = verifiesChecksums;
        this.account = account;
    }

    /** {@return whether checksums of chunks are compared} */
    public boolean verifiesChecksums() {
        return verifiesChecksums;
    }

    /**
     * {@return this workspace's context of a kind, created on first use}
     *
     * @param <T> the type of the context
     * @param factory creates it
     * @throws CodecException if this machine has no such decoder or encoder
     */
    @SuppressWarnings("unchecked") // A factory's context is of its type.
    public <T extends CodecContext> T context(CodecContext.Factory<T> factory)
            throws CodecException {
        T context = (T) contexts.get(factory);
        if (context == null) {
            context = factory.create(verifiesChecksums);
            contexts.put(factory, context);
        }
        return context;
    }

    /**
     * Begins the work on chunks. If memory was reserved for them, frees the buffers of earlier
     * work, which would count against it.
     *
     * @param grantedBytes already reserved for this workspace
     * @param elsewhereBytes also reserved, for memory outside this workspace
     */
    public void begin(long grantedBytes, long elsewhereBytes) {
        if (grantedBytes > 0) {
            freeAll();
        }
        account.begin(grantedBytes, elsewhereBytes);
        handedOut = 0;
    }

    /** Ends the work: frees buffers beyond the thread's own share, the largest first. */
    public void end() {
        for (int i = 0; i < BUFFERS && account.exceedsOwn(); i++) {
            free(largest());
        }
        account.end();
        handedOut = 0; // All may be freed before the next work begins.
    }

    private int largest() {
        int largest = 0;
        for (int i = 1; i < BUFFERS; i++) {
            if (bytesOf(i) > bytesOf(largest)) {
                largest = i;
            }
        }
        return largest;
    }

    private long bytesOf(int index) {
        return buffers[index] == null ? 0 : buffers[index].segment().byteSize();
    }

    /**
     * {@return native memory of this workspace of at least a size; its content is undefined}
     *
     * @param index number of the buffer; each call for an index ends the use of the buffer's
     *     previous content
     * @param bytes the size
     * @throws MemoryShortException if that is more than can be reserved now
     */
    public MemorySegment buffer(int index, long bytes) {
        handedOut |= 1 << index;
        if (buffers[index] == null || buffers[index].segment().byteSize() < bytes) {
            free(index);
            buffers[index] = allocate(bufferBytes(bytes));
        }
        return buffers[index].segment().asSlice(0, bytes);
    }

    /** {@return the size of a buffer that holds a number of bytes} */
    static long bufferBytes(long bytes) {
        return Math.ceilDiv(bytes, BUFFER_STEP_BYTES) * BUFFER_STEP_BYTES;
    }

    private NativeMemory allocate(long bytes) {
        take(bytes);
        try {
            return NativeMemory.allocate(bytes);
        } catch (OutOfMemoryError e) {
            account.giveBack(bytes);
            throw e;
        }
    }

    /** Counts memory. Before it reserves more, it frees buffers that only earlier chunks needed. */
    private void take(long bytes) {
        for (int i = 0; i < BUFFERS && !account.covers(bytes); i++) {
            if ((handedOut & 1 << i) == 0) {
                free(i);
            }
        }
        account.take(bytes);
    }

    /**
     * Lends memory that stays valid while buffers are used again.
     *
     * @param bytes the size
     * @return zeroed memory
     * @throws MemoryShortException if that is more than can be reserved now
     */
    public Loan lend(long bytes) {
        NativeMemory memory = allocate(bytes);
        return new Loan(memory.segment(), () -> release(memory));
    }

    private void release(NativeMemory memory) {
        account.giveBack(memory.segment().byteSize());
        memory.close();
    }

    /**
     * Counts heap memory.
     *
     * @param bytes approximate size of the coming use
     * @return a loan to close after the use
     * @throws MemoryShortException if that is more than can be reserved now
     */
    public Loan countHeap(long bytes) {
        take(bytes);
        return new Loan(MemorySegment.NULL, () -> account.giveBack(bytes));
    }

    /**
     * Sets the used buffers aside, so that their content stays while others are used.
     *
     * @return a loan to close after the use of the content
     */
    public Loan setAside() {
        NativeMemory[] aside = new NativeMemory[BUFFERS];
        for (int i = 0; i < BUFFERS; i++) {
            if ((handedOut & 1 << i) != 0) {
                aside[i] = buffers[i];
                buffers[i] = null;
            }
        }
        handedOut = 0;
        return new Loan(
                MemorySegment.NULL,
                () -> Arrays.stream(aside).filter(Objects::nonNull).forEach(this::release));
    }

    /** {@return the most that all buffers can take together when no other workspace has memory} */
    long bufferBytesMax() {
        return account.bytesLeft() + IntStream.range(0, BUFFERS).mapToLong(this::bytesOf).sum();
    }

    /**
     * {@return memory for a decoded chunk; its content is undefined, and ends with the next call}
     *
     * @param bytes the size
     */
    public MemorySegment result(long bytes) {
        return buffer(RESULT_BUFFER, bytes);
    }

    /** {@return memory for the output of a filter; indexes 0 and 1 are used in turns} */
    public MemorySegment filtered(int index, long bytes) {
        return buffer(FILTER_BUFFERS + index, bytes);
    }

    /** {@return the arrays of filters, which are not counted: they have some KiB} */
    public BlockArrays blockArrays() {
        return blockArrays;
    }

    private void freeAll() {
        for (int i = 0; i < BUFFERS; i++) {
            free(i);
        }
    }

    private void free(int index) {
        if (buffers[index] != null) {
            release(buffers[index]);
            buffers[index] = null;
        }
    }

    @Override
    public void close() {
        contexts.values().forEach(CodecContext::close);
        freeAll();
        account.end();
    }
}
