package io.zarrengine.uring;

import io.zarrengine.bindings.FileStatus;
import io.zarrengine.bindings.LibC;
import io.zarrengine.bindings.LibCMemory;
import io.zarrengine.bindings.machinecode.MachineCodeRowCopy;
import io.zarrengine.uring.plan.FileParts;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Lets a thread copy bytes of a file directly from the page cache. A read copies them to our
 * memory, page by page, and the thread copies them again. With a mapping, that second copy is the
 * only one.
 *
 * <p>Only pages that are in memory already are copied. Touching other pages would wait for the
 * device, one page after the other.
 *
 * <p>Owner: its arena's. Threads: one at a time.
 *
 * @see <a href="https://man7.org/linux/man-pages/man2/mincore.2.html">mincore(2)</a>
 */
public final class MappedReader {
    private static final ValueLayout.OfLong EIGHT_PAGES =
            ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final long LOWEST_BITS = 0x0101_0101_0101_0101L;

    private final MappingRule rule;
    private final MemorySegment callState;
    private final FileStatus.Size size;
    private final MemorySegment residency; // a byte for each page

    /**
     * Creates a reader. {@code rule} says which files are mapped; {@code arena} owns its memory.
     */
    MappedReader(MappingRule rule, Arena arena) {
        this.rule = rule;
        this.size = new FileStatus.Size(arena);
        this.callState = LibC.newCallState(arena);
        this.residency = arena.allocate(FileMapping.WINDOW_PAGES, Long.BYTES);
    }

    /** Copies bytes from a part. */
    @FunctionalInterface
    public interface PartCopier {
        /**
         * Copies by plain accesses in Java, or by {@link MachineCodeRowCopy} where its {@linkplain
         * MachineCodeRowCopy#exposure exposure} allows it. No other native code and no vectors may
         * read the bytes, because the JVM would die in them if the file is truncated meanwhile. The
         * copier must not base decisions on bytes before it has copied them (see {@link
         * io.zarrengine.bindings.MemoryMap#ofFile}).
         *
         * @param part index of the part
         * @param bytes exactly the bytes of the part; read-only
         */
        void copy(int part, MemorySegment bytes);
    }

    /**
     * {@return whether a file has been mapped, because it was read often enough}
     *
     * @param file an open file
     */
    public boolean isMapped(FileHandle file) {
        return file instanceof DescriptorFile descriptorFile && descriptorFile.isMapped();
    }

    /**
     * Copies parts of a file one after the other, if all of them are in memory.
     *
     * @param file an open file of this reader's backend; it must stay open during the call
     * @param parts the parts to copy
     * @param copier receives each of them
     * @return whether the parts were copied; if not, the copier was not called, or the bytes it
     *     wrote are undefined
     */
    public boolean copyNow(FileHandle file, FileParts parts, PartCopier copier) {
        if (file.byteSize() < rule.fileBytesMin()
                || !(file instanceof DescriptorFile descriptorFile)) {
            return false;
        }
        FileMapping mapping = descriptorFile.mapping(parts.byteSum(), rule);
        if (mapping == null || !areInMemory(mapping, parts, file.byteSize())) {
            return false;
        }
        try {
            return copyAndCheck(descriptorFile, mapping.segment(), parts, copier) >= end(parts);
        } catch (InternalError e) { // An ordinary read will report the cause.
            descriptorFile.distrustMapping();
            return false;
        }
    }

    private static long end(FileParts parts) {
        long end = 0;
        for (int i = 0; i < parts.count(); i++) {
            end = Math.max(end, parts.offset(i) + parts.bytes(i));
        }
        return end;
    }

    /**
     * Returns the size of the file after the copy, because the page in which a file ends is filled
     * up with zeros. The error of a failed access is thrown by this call at the latest, also if the
     * copier throws.
     */
    private long copyAndCheck(
            DescriptorFile file, MemorySegment mapped, FileParts parts, PartCopier copier) {
        long byteSize;
        try {
            for (int i = 0; i < parts.count(); i++) {
                copier.copy(i, mapped.asSlice(parts.offset(i), parts.bytes(i)));
            }
        } finally {
            byteSize = size.of(file.descriptor());
        }
        return byteSize;
    }

    private boolean areInMemory(FileMapping mapping, FileParts parts, long byteSize) {
        int now = FileMapping.millis();
        for (int i = 0; i < parts.count(); i++) {
            long from = parts.offset(i);
            long bytes = parts.bytes(i);
            if (bytes > byteSize - from || !isInMemory(mapping, from, from + bytes, now)) {
                return false;
            }
        }
        return true;
    }

    private boolean isInMemory(FileMapping mapping, long from, long to, int now) {
        int last = FileMapping.window(to - 1);
        for (int window = FileMapping.window(from); window <= last; window++) {
            long wanted = FileMapping.pages(window, from, to);
            if (!mapping.wereSeen(window, wanted, now)) {
                long there = pagesInMemory(mapping.window(window));
                mapping.see(window, there, now);
                if ((there & wanted) != wanted) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Asks for the pages of a window; returns a bit for each page that is in memory. */
    private long pagesInMemory(MemorySegment window) {
        residency.fill((byte) 0);
        if (LibCMemory.mincore(callState, window, residency) < 0) {
            return 0;
        }
        long there = 0;
        for (int page = 0; page < FileMapping.WINDOW_PAGES; page += Long.BYTES) {
            long eight = residency.get(EIGHT_PAGES, page);
            there |= Long.compress(eight, LOWEST_BITS) << page;
        }
        return there;
    }
}
