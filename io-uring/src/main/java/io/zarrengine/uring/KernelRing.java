package io.zarrengine.uring;

import static io.zarrengine.bindings.liburing.Liburing.IORING_ENTER_GETEVENTS;
import static io.zarrengine.bindings.liburing.Liburing.IORING_OFF_SQES;
import static io.zarrengine.bindings.liburing.Liburing.IORING_OFF_SQ_RING;
import static io.zarrengine.bindings.liburing.Liburing.IORING_OP_READ;
import static io.zarrengine.bindings.liburing.Liburing.IORING_OP_READ_FIXED;
import static io.zarrengine.bindings.liburing.Liburing.IORING_SQ_CQ_OVERFLOW;

import io.zarrengine.bindings.Errno;
import io.zarrengine.bindings.ErrnoException;
import io.zarrengine.bindings.IoUring;
import io.zarrengine.bindings.IoVector;
import io.zarrengine.bindings.LibC;
import io.zarrengine.bindings.MemoryMap;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A ring in the kernel.
 *
 * <p>Owner: the thread that creates it. The ring's memory is confined to that thread, and the
 * kernel refuses other threads too (EEXIST). Threads: {@link #wake} any. The kernel takes at most
 * {@link #entries} reads plus the one entry reserved for the wake-up, so neither ring can overflow.
 *
 * @see <a href="https://man7.org/linux/man-pages/man2/io_uring_enter.2.html">io_uring_enter(2)</a>
 */
final class KernelRing implements Ring {
    private static final int IORING_OP_READV = 1; // linux/io_uring.h
    private static final int ENTRIES_KEPT = 1; // for the wake-up
    private static final int FILES_MIN = 64;
    private static final long USER_DATA_WAKE = -1;

    /** How long io_uring_enter may answer EAGAIN, EBUSY or ENOMEM before the ring fails. */
    private static final long REFUSAL_NANOS_MAX = TimeUnit.SECONDS.toNanos(1);

    /**
     * Most direct reads of one system call. The kernel starts none of them before the last one of a
     * call is prepared, which takes 1.5 us each, and the device is idle meanwhile.
     */
    private static final int DIRECT_BATCH = 16;

    private static final long REFUSAL_PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

    /** The system call. Tests replace it by a kernel that refuses, interrupts or takes less. */
    interface EnterCall {
        int enter(int descriptor, int submissions, int completionsMin, int flags);
    }

    private final Arena arena = Arena.ofConfined();
    private final EnterCall enterCall;
    private final RingSetup setup;
    private final int entries;
    private WakeUp wakeUp;
    private SubmissionQueue submissions;
    private CompletionQueue completions;
    private FixedFileTable files;
    private RegisteredBuffers buffers;
    private MemorySegment vectors; // PIECES_MAX of each slot; null until first used

    private final BitSet directFiles = new BitSet(); // their file numbers
    private boolean wakeUpIsArmed;
    private long enters;
    private long refusedSinceNanos; // 0: not refused

    /**
     * Creates a ring.
     *
     * @param capacity most reads in flight
     * @param registered native memory that most reads go to; registered as far as the kernel allows
     * @param steps see {@link RingSetup#LADDER}
     */
    KernelRing(int capacity, List<MemorySegment> registered, List<RingSetup.Step> steps)
            throws ErrnoException {
        this(capacity, registered, steps, KernelRing::enterKernel);
    }

    KernelRing(
            int capacity,
            List<MemorySegment> registered,
            List<RingSetup.Step> steps,
            EnterCall enterCall)
            throws ErrnoException {
        this.enterCall = enterCall;
        try {
            setup = RingSetup.create(capacity + ENTRIES_KEPT, steps, arena);
        } catch (Throwable t) { // Allowed: rolls back a constructor
            arena.close();
            throw t;
        }
        entries = setup.submissionEntries() - ENTRIES_KEPT;
        try {
            map();
            wakeUp = new WakeUp(arena);
            files = new FixedFileTable(setup.descriptor(), Math.max(entries, FILES_MIN), arena);
            buffers = new RegisteredBuffers(setup.descriptor());
            registered.forEach(buffers::add);
        } catch (Throwable t) { // Allowed: rolls back a constructor
            close();
            throw t;
        }
    }

    static int enterKernel(int descriptor, int submissions, int completionsMin, int flags) {
        return IoUring.enter(descriptor, submissions, completionsMin, flags);
    }

    private void map() throws ErrnoException {
        // IORING_FEAT_SINGLE_MMAP: one area for both
        long ringBytes = Math.max(SubmissionQueue.end(setup), CompletionQueue.end(setup));
        long entriesBytes = setup.submissionEntries() * SubmissionQueue.ENTRY_BYTES;
        MemorySegment rings = mapped(IORING_OFF_SQ_RING(), ringBytes);
        submissions = new SubmissionQueue(setup, rings, mapped(IORING_OFF_SQES(), entriesBytes));
        completions = new CompletionQueue(setup, rings);
    }

    private MemorySegment mapped(long offset, long bytes) throws ErrnoException {
        return MemoryMap.ofDescriptor(setup.descriptor(), offset, bytes, arena);
    }

    /** Returns the features that the kernel granted, for the report. */
    String description() {
        return setup.step().name()
                + "; files "
                + (files.areRegistered() ? "registered" : "not registered")
                + "; buffers "
                + (buffers.areRegistered() ? "registered" : "not registered");
    }

    @Override
    public int entries() {
        return entries;
    }

    @Override
    public int filesMax() {
        return files.max();
    }

    @Override
    public void setFile(int fileNumber, FileHandle file) {
        files.set(fileNumber, (DescriptorFile) file);
        directFiles.set(fileNumber, file != null && file.caching() == Caching.DIRECT);
    }

    @Override
    public void register(MemorySegment memory) {
        buffers.add(memory);
    }

    @Override
    public void prepareRead(
            int slot,
            int fileNumber,
            long fileOffset,
            MemorySegment memory,
            long memoryOffset,
            int bytes,
            int flags) {
        files.use(fileNumber);
        long address = memory.address() + memoryOffset;
        int buffer = buffers.indexOf(address, bytes);
        submissions.addRead(
                buffer >= 0 ? IORING_OP_READ_FIXED() : IORING_OP_READ(),
                files.submissionFlags(fileNumber),
                files.descriptor(fileNumber),
                fileOffset,
                address,
                bytes,
                slot);
        if (buffer > 0) {
            submissions.setBuffer(buffer);
        }
        if (flags != 0) {
            submissions.setReadFlags(flags);
        }
    }

    @Override
    public void prepareScattered(
            int slot,
            int fileNumber,
            long fileOffset,
            List<MemorySegment> pieces,
            long skippedBytes,
            int flags) {
        if (vectors == null) {
            vectors = arena.allocate(IoVector.LAYOUT, (long) entries * ReadQueue.PIECES_MAX);
        }
        long first = (long) slot * ReadQueue.PIECES_MAX;
        int count = 0;
        long skipped = skippedBytes;
        for (MemorySegment piece : pieces) {
            if (skipped >= piece.byteSize()) {
                skipped -= piece.byteSize();
            } else {
                IoVector.set(vectors, first + count++, piece.asSlice(skipped));
                skipped = 0;
            }
        }
        files.use(fileNumber);
        submissions.addRead(
                IORING_OP_READV,
                files.submissionFlags(fileNumber),
                files.descriptor(fileNumber),
                fileOffset,
                vectors.address() + first * IoVector.LAYOUT.byteSize(),
                count,
                slot);
        if (flags != 0) {
            submissions.setReadFlags(flags);
        }
    }

    @Override
    public void enter(boolean wait) throws ErrnoException {
        armWakeUp();
        submissions.publish();
        boolean asleep = wait && wakeUp.fallAsleep();
        try {
            submit(asleep ? 1 : 0);
        } finally {
            wakeUp.awake();
        }
    }

    private void submit(int completionsMin) throws ErrnoException {
        int flags = completionsMin > 0 || mustGetEvents() ? IORING_ENTER_GETEVENTS() : 0;
        int pending = submissions.pending();
        if (pending == 0 && (flags == 0 || completions.ready() > 0)) {
            return; // Nothing to submit, and completions are ready.
        }
        do {
            enters++;
            int given = directFiles.isEmpty() ? pending : Math.min(pending, DIRECT_BATCH);
            boolean last = given == pending;
            int taken =
                    enterCall.enter(
                            setup.descriptor(), given, last ? completionsMin : 0, last ? flags : 0);
            if (taken < 0) {
                refused(taken);
                return;
            }
            refusedSinceNanos = 0;
            submissions.taken(taken);
            pending = submissions.pending();
        } while (pending > 0); // A short submit, or not the last batch.
    }

    /** Returns whether completions are waiting in the kernel and need IORING_ENTER_GETEVENTS. */
    private boolean mustGetEvents() {
        return setup.defersTaskRun() || (submissions.flags() & IORING_SQ_CQ_OVERFLOW()) != 0;
    }

    /**
     * Handles a failed call. After a transient error the caller tries again; queued entries stay
     * queued.
     */
    private void refused(int result) throws ErrnoException {
        switch (-result) {
            case Errno.EINTR -> {}
            case Errno.EAGAIN, Errno.EBUSY, Errno.ENOMEM -> {
                long now = System.nanoTime() | 1; // 0 means: not refused.
                if (refusedSinceNanos == 0) {
                    refusedSinceNanos = now;
                } else if (now - refusedSinceNanos > REFUSAL_NANOS_MAX) {
                    throw new ErrnoException("io_uring_enter", "refused for a second", result);
                }
                LockSupport.parkNanos(REFUSAL_PAUSE_NANOS);
            }
            default -> {
                String subject = submissions.pending() + " entries";
                throw new ErrnoException("io_uring_enter", subject, result);
            }
        }
    }

    @Override
    public int reap(int[] slots, int[] results) {
        int ready = completions.ready();
        int taken = 0;
        int reads = 0;
        while (taken < ready && reads < slots.length) {
            long userData = completions.userData(taken);
            if (userData >= 0) {
                slots[reads] = (int) userData;
                results[reads++] = completions.result(taken);
            } else {
                assert userData == USER_DATA_WAKE : "foreign completion " + userData;
                wakeUpIsArmed = false;
            }
            taken++;
        }
        completions.advance(taken);
        return reads;
    }

    @Override
    public void wake() {
        wakeUp.wake();
    }

    @Override
    public long enters() {
        return enters;
    }

    private void armWakeUp() {
        if (!wakeUpIsArmed) {
            submissions.addRead(
                    IORING_OP_READ(),
                    0,
                    wakeUp.descriptor(),
                    0,
                    wakeUp.counter().address(),
                    Long.BYTES,
                    USER_DATA_WAKE);
            wakeUpIsArmed = true;
        }
    }

    /**
     * Frees the ring, also one whose constructor failed half-way. All reads must have been reaped.
     */
    @Override
    public void close() {
        if (wakeUpIsArmed) {
            disarmWakeUp();
        }
        LibC.close(setup.descriptor());
        if (wakeUp != null) {
            wakeUp.close();
        }
        arena.close();
    }

    /** Ends the kernel's read of the wake-up counter, and waits until it has ended. */
    private void disarmWakeUp() {
        wakeUp.ring();
        long deadline = System.nanoTime() + REFUSAL_NANOS_MAX;
        while (wakeUpIsArmed && System.nanoTime() < deadline) {
            submissions.publish();
            try {
                submit(1);
            } catch (ErrnoException e) {
                return; // The ring is broken; closing its descriptor cancels the remaining reads.
            }
            reap(new int[1], new int[1]);
        }
    }
}
