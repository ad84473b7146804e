package io.zarrengine.bindings.machinecode;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.bindings.ErrnoException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What the call checks before machine code runs, and that this accepts no memory outside: a stored
 * chunk of 100 bytes, between inaccessible pages. {@code BoxCallTest} compares results.
 */
final class MachineCodeBloscTest {
    private static final int BYTES = 100;
    private static final int HEADER_BYTES = 16;

    private Arena arena;
    private MachineCodeBlosc code;
    private MemorySegment buffer;
    private MemorySegment target;

    @BeforeEach
    void open() throws ErrnoException {
        assumeTrue(MachineCodeBlosc.denial().isEmpty());
        arena = Arena.ofConfined();
        code = new MachineCodeBlosc();
        buffer = new GuardedPages(BYTES, arena).back(BYTES);
        target = new GuardedPages(BYTES, arena).back(BYTES);
    }

    @AfterEach
    void close() {
        if (code != null) {
            code.close();
            arena.close();
        }
    }

    private static byte[] stored() {
        ByteBuffer chunk = ByteBuffer.allocate(HEADER_BYTES + BYTES).order(ByteOrder.LITTLE_ENDIAN);
        chunk.put(new byte[] {2, 1, 2, 1}).putInt(BYTES).putInt(BYTES).putInt(chunk.capacity());
        for (int i = 0; i < BYTES; i++) {
            chunk.put((byte) i);
        }
        return chunk.array();
    }

    private MemorySegment guarded(byte... bytes) throws ErrnoException {
        MemorySegment memory = new GuardedPages(bytes.length, arena).back(bytes.length);
        return memory.copyFrom(MemorySegment.ofArray(bytes));
    }

    private void add(long... box) {
        code.begin(BYTES, 1);
        System.arraycopy(box, 0, code.fields(), code.nextBox(), box.length);
        code.add(BYTES, false);
    }

    @Test
    void placesRows() throws ErrnoException {
        add(10, 99, 1, 2, 3, 20, -10, 2, 1, -50); // 3 by 2 single bytes, backwards
        assertEquals(42, code.place(guarded(stored()), buffer, target));
        byte[] expected = new byte[BYTES];
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 2; j++) {
                expected[99 - 10 * i - 50 * j] = (byte) (10 + 20 * i + j);
            }
        }
        assertArrayEquals(expected, target.toArray(JAVA_BYTE));
    }

    @Test
    void refusesRowsOutside() {
        assertThrows(IndexOutOfBoundsException.class, () -> add(-1, 0, 10, 0));
        assertThrows(IndexOutOfBoundsException.class, () -> add(0, -1, 10, 0));
        assertThrows(IndexOutOfBoundsException.class, () -> add(91, 0, 10, 0));
        assertThrows(IndexOutOfBoundsException.class, () -> add(0, 91, 10, 0));
        assertThrows(IndexOutOfBoundsException.class, () -> add(0, 0, 10, 1, 10, 11, 10));
        assertThrows(IndexOutOfBoundsException.class, () -> add(0, 0, 10, 1, 10, 10, 11));
        assertThrows(IndexOutOfBoundsException.class, () -> add(0, 10, 10, 1, 3, 10, -10));
        assertThrows(IndexOutOfBoundsException.class, () -> add(0, 0, -1, 0));
        assertThrows(IndexOutOfBoundsException.class, () -> add(0, 0, 1, 8));
        assertThrows(ArithmeticException.class, () -> add(0, 0, 1, 1, 3, 1, Long.MAX_VALUE));
        assertThrows(IllegalArgumentException.class, () -> add(0, 0, 1, 1, 3, 0, 1));
        assertThrows(IllegalArgumentException.class, () -> add(0, 0, 1, 1, 0, 1, 1));
    }

    @Test
    void refusesTooManyBoxes() {
        add(0, 0, 1, 0);
        for (int i = 1; i < MachineCodeBlosc.BOXES_MAX; i++) {
            Arrays.fill(code.fields(), code.nextBox(), code.nextBox() + 4, 0);
            code.add(BYTES, false);
        }
        assertThrows(IndexOutOfBoundsException.class, code::nextBox);
    }

    @Test
    void refusesMemoryThatDoesNotFit() throws ErrnoException {
        MemorySegment chunk = guarded(stored());
        code.begin(BYTES, 1);
        assertThrows(
                IllegalArgumentException.class, () -> code.place(chunk, buffer, target), "no box");
        add(0, 0, BYTES, 0);
        MemorySegment less = buffer.asSlice(1);
        assertThrows(
                IndexOutOfBoundsException.class, () -> code.place(chunk, less, target), "buffer");
        MemorySegment heap = MemorySegment.ofArray(new byte[BYTES]);
        assertThrows(IllegalArgumentException.class, () -> code.place(heap, buffer, target));
        assertThrows(IllegalArgumentException.class, () -> code.place(chunk, heap, target));
        assertThrows(
                IllegalArgumentException.class,
                () -> code.place(chunk, buffer, target.asReadOnly()));
    }

    /** A chunk that was cut, or says so, is not read beyond its end. */
    @Test
    void refusesCutChunks() throws ErrnoException {
        add(0, 0, BYTES, 0);
        byte[] chunk = stored();
        assertEquals(BYTES, code.place(guarded(chunk), buffer, target));
        for (int bytes = 0; bytes < chunk.length; bytes++) {
            byte[] cut = Arrays.copyOf(chunk, bytes);
            assertEquals(-1, code.place(guarded(cut), buffer, target), bytes + " bytes");
        }
    }
}
