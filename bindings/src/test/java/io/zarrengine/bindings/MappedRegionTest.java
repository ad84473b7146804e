package io.zarrengine.bindings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

@NeedsNativeAccess
final class MappedRegionTest {
    @Test
    void isZeroedThenWritableThenGone() throws Exception {
        MemorySegment lent;
        try (MappedRegion region = MappedRegion.anonymous(8192)) {
            lent = region.segment().asSlice(4096);
            assertEquals(0, lent.get(ValueLayout.JAVA_BYTE, 0));
            lent.set(ValueLayout.JAVA_BYTE, 4095, (byte) 7);
        }
        assertThrows(IllegalStateException.class, () -> lent.get(ValueLayout.JAVA_BYTE, 0));
    }

    /** More is mapped than asked for, so that huge pages fit; nobody may use that. */
    @Test
    void endsWhereItWasAskedToEnd() throws Exception {
        long bytes = (4 << 20) + 5;
        try (MappedRegion region = MappedRegion.anonymous(bytes)) {
            MemorySegment segment = region.segment();
            assertEquals(bytes, segment.byteSize());
            segment.set(ValueLayout.JAVA_BYTE, bytes - 1, (byte) 7);
            assertThrows(
                    IndexOutOfBoundsException.class,
                    () -> segment.get(ValueLayout.JAVA_BYTE, bytes));
        }
    }

    @Test
    void reportsTheErrnoOfARefusedMapping() {
        ErrnoException e = assertThrows(ErrnoException.class, () -> MappedRegion.anonymous(0));
        assertEquals(Errno.EINVAL, e.errno());
        assertEquals("mmap(0 bytes): EINVAL (errno 22)", e.getMessage());
    }

    @Test
    void namesTheDescriptorOfARefusedMapping() {
        ErrnoException e =
                assertThrows(ErrnoException.class, () -> MappedRegion.ofDescriptor(-1, 0, 4096));
        assertEquals("mmap(descriptor -1 at 0, 4096 bytes): EBADF (errno 9)", e.getMessage());
    }

    @Test
    void closingTwiceIsABug() throws Exception {
        MappedRegion region = MappedRegion.anonymous(4096);
        region.close();
        assertThrows(IllegalStateException.class, region::close);
    }
}
