package io.zarrengine.zarr.codec;

import io.zarrengine.bindings.NativeMemory;
import io.zarrengine.bindings.NativeMemoryError;
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
 * What one thread needs to encode and decode: the contexts of the libraries, made when first used,
 * and memory for what lies between two codecs. What it holds beyond the thread's own share is
 * reserved, and is freed at the {@link #end} of the work that needed it.
 *
 * <p>Owner: the thread that created it.
 */
public final class Workspace implements AutoCloseable {
    private static final int BUFFERS = 6; // two in turns between codecs, one inside blosc, then:
    private static final int RESULT_BUFFER = 3;
    private static final int FILTER_BUFFERS = 4; // the first of two in turns

    /** Buffers grow in steps of this. */
    private static final long BUFFER_STEP_BYTES = 64 << 10;

    private static final long UNLIMITED = 1L << 62;

    private final IdentityHashMap<CodecContext.Factory<?>, CodecContext> contexts =
            new IdentityHashMap<>();
    private final NativeMemory[] buffers = new NativeMemory[BUFFERS];
    private final boolean verifiesChecksums;
    private final MemoryAccount account;
    private final BlockArrays blockArrays = new BlockArrays();
    private int handedOut; // a bit for each buffer that the present work has asked for

    /**
     * Memory that is counted until this is closed.
     *
     * @param segment the memory; none if it is not native
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
     * @param verifiesChecksums whether checksum codecs compare, or only strip what they added
     */
    public Workspace(boolean verifiesChecksums) {
        this(verifiesChecksums, new MemoryAccount(UNLIMITED, new MemoryBudget(0, () -> {})));
    }

    /**
     * Creates an empty workspace for the calling thread.
     *
     * @param verifiesChecksums whether checksum codecs compare, or only strip what they added
     * @param account of what it holds, and of nothing else
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
     * {@return this workspace's context of a kind, made when it is first asked for}
     *
     * @param <T> the type of the context
     * @param factory makes it
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
     * Begins the work on chunks. Where memory was reserved for them, nothing of the work before is
     * kept: it would count.
     *
     * @param grantedBytes what is reserved for it already
     * @param elsewhereBytes what is reserved for it besides, for what is not held here
     */
    public void begin(long grantedBytes, long elsewhereBytes) {
        if (grantedBytes > 0) {
            freeAll();
        }
        account.begin(grantedBytes, elsewhereBytes);
        handedOut = 0;
    }

    /** Ends the work: what is beyond the thread's own share is freed, the largest buffer first. */
    public void end() {
        for (int i = 0; i < BUFFERS && account.exceedsOwn(); i++) {
            free(largest());
        }
        account.end();
        handedOut = 0; // All may be freed for what is needed between two works.
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
     * {@return native memory of this workspace, at least so large; its content is undefined}
     *
     * @param index which of the buffers; each call for the same index ends the use of the one
     *     before
     * @param bytes how much
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

    /** {@return the size of a buffer that is to hold so much} */
    static long bufferBytes(long bytes) {
        return Math.ceilDiv(bytes, BUFFER_STEP_BYTES) * BUFFER_STEP_BYTES;
    }

    private NativeMemory allocate(long bytes) {
        take(bytes);
        try {
            return NativeMemory.allocate(bytes);
        } catch (NativeMemoryError e) {
            account.giveBack(bytes);
            throw e;
        }
    }

    /** Counts memory; before more is reserved, what only other chunks needed is freed. */
    private void take(long bytes) {
        for (int i = 0; i < BUFFERS && !account.covers(bytes); i++) {
            if ((handedOut & 1 << i) == 0) {
                free(i);
            }
        }
        account.take(bytes);
    }

    /**
     * Lends memory that stays while buffers are used again.
     *
     * @param bytes how much
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
     * Counts memory of the heap.
     *
     * @param bytes how much is about to be used, roughly
     * @return to be closed when it is not used any more
     * @throws MemoryShortException if that is more than can be reserved now
     */
    public Loan countHeap(long bytes) {
        take(bytes);
        return new Loan(MemorySegment.NULL, () -> account.giveBack(bytes));
    }

    /**
     * Sets the buffers aside that were handed out: what lies there stays while others are used.
     *
     * @return to be closed when they are not used any more
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

    /** {@return what all buffers can take together when nobody else has any memory} */
    long bufferBytesMax() {
        return account.bytesLeft() + IntStream.range(0, BUFFERS).mapToLong(this::bytesOf).sum();
    }

    /**
     * {@return memory for a decoded chunk; its content is undefined, and ends with the next call}
     *
     * @param bytes how much
     */
    public MemorySegment result(long bytes) {
        return buffer(RESULT_BUFFER, bytes);
    }

    /** {@return memory for what a filter makes; index 0 and 1 in turns} */
    public MemorySegment filtered(int index, long bytes) {
        return buffer(FILTER_BUFFERS + index, bytes);
    }

    /** {@return the arrays of filters, which count as nothing: they have some KiB} */
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
