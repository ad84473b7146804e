package io.zarrengine.uring;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.zarrengine.bindings.ErrnoException;
import io.zarrengine.bindings.LibC;
import io.zarrengine.bindings.LibCMemory;
import io.zarrengine.bindings.MappedRegion;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * All of a file, mapped for a device that copies what the page cache holds of it. It does not need
 * the file to stay open.
 *
 * <p>Owner: who opened it. Threads: any.
 */
public final class MappedFile implements AutoCloseable {
    private static final int PAGE_BYTES = LibCMemory.getpagesize();

    private final FileVersion version;
    private final MappedRegion region;

    private MappedFile(FileVersion version, MappedRegion region) {
        this.version = version;
        this.region = region;
    }

    /**
     * {@return a file, mapped; empty if the kernel refuses, or would not say what of it is in
     * memory: of files around the page cache, and of those that are neither ours nor writable}
     *
     * @param file an open file
     */
    public static Optional<MappedFile> tryOpen(FileHandle file) {
        if (!(file instanceof DescriptorFile opened) || !opened.mayBeMapped()) {
            return Optional.empty();
        }
        try {
            MappedRegion region = MappedRegion.ofFile(opened.descriptor(), file.byteSize());
            return Optional.of(new MappedFile(file.version(), region));
        } catch (ErrnoException e) {
            return Optional.empty();
        }
    }

    /** {@return the file; see {@link MappedRegion#ofFile} for what may be done with it} */
    public MemorySegment segment() {
        return region.segment();
    }

    /**
     * {@return whether all of a part of the file is in memory}
     *
     * @param offset where the part begins, in bytes, at a multiple of a page
     * @param bytes how long it is; {@code > 0}
     */
    public boolean isInMemory(long offset, long bytes) {
        MemorySegment part = segment().asSlice(offset, bytes);
        long pages = Math.ceilDiv(bytes, PAGE_BYTES);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment residency = arena.allocate(pages);
            if (LibCMemory.mincore(LibC.newCallState(arena), part, residency) < 0) {
                return false;
            }
            for (long page = 0; page < pages; page++) {
                if ((residency.get(JAVA_BYTE, page) & 1) == 0) {
                    return false;
                }
            }
            return true;
        }
    }

    /**
     * {@return whether a file that is open has neither been written to nor cut since it was opened,
     * and is the one that was mapped} It asks by a native call: if the thread accessed the mapping
     * where there is nothing of the file, the JVM says so now at the latest.
     *
     * @param file an open file, which stays open meanwhile
     * @throws InternalError if an access to the mapping failed
     */
    public boolean isStill(FileHandle file) {
        return version.equals(file.version())
                && file instanceof DescriptorFile opened
                && opened.isUnchanged();
    }

    @Override
    public void close() {
        region.close();
    }
}
