package io.zarrengine.bindings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

@NeedsNativeAccess
final class MemoryMapTest {
    @Test
    void isZeroedThenWritableThenGone() throws Exception {
        MemorySegment lent;
        try (Arena arena = Arena.ofConfined()) {
            lent = MemoryMap.anonymous(8192, arena).asSlice(4096);
            assertEquals(0, lent.get(ValueLayout.JAVA_BYTE, 0));
            lent.set(ValueLayout.JAVA_BYTE, 4095, (byte) 7);
        }
        assertThrows(IllegalStateException.class, () -> lent.get(ValueLayout.JAVA_BYTE, 0));
    }

    /**
     * The mapping is longer than requested, to fit huge pages; the extra bytes must not be
     * accessible.
     */
    @Test
    void endsWhereItWasAskedToEnd() throws Exception {
        long bytes = (4 << 20) + 5;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment segment = MemoryMap.anonymous(bytes, arena);
            assertEquals(bytes, segment.byteSize());
            segment.set(ValueLayout.JAVA_BYTE, bytes - 1, (byte) 7);
            assertThrows(
                    IndexOutOfBoundsException.class,
                    () -> segment.get(ValueLayout.JAVA_BYTE, bytes));
        }
    }

    @Test
    void reportsTheErrnoOfARefusedMapping() {
        ErrnoException e =
                assertThrows(
                        ErrnoException.class, () -> MemoryMap.anonymous(0, Arena.ofConfined()));
        assertEquals(Errno.EINVAL, e.errno());
        assertEquals("mmap(0 bytes): EINVAL (errno 22)", e.getMessage());
    }

    @Test
    void namesTheDescriptorOfARefusedMapping() {
        ErrnoException e =
                assertThrows(
                        ErrnoException.class,
                        () -> MemoryMap.ofDescriptor(-1, 0, 4096, Arena.ofConfined()));
        assertEquals("mmap(descriptor -1 at 0, 4096 bytes): EBADF (errno 9)", e.getMessage());
    }
}
