package io.zarrengine.zarr;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.bindings.NativeAccess;
import io.zarrengine.bindings.machinecode.MachineCodeRowCopy;
import io.zarrengine.zarr.datatype.DataType;
import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.datatype.NumericType.Kind;
import io.zarrengine.zarr.datatype.StructType;
import io.zarrengine.zarr.datatype.TemporalType;
import io.zarrengine.zarr.tensor.DlpackLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.math.BigInteger;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Single elements of every type, and the views of the memory that other programs get. */
final class HostTensorTest {
    private static final long[] SHAPE = {3, 1, 7};

    private static HostTensor tensor(DataType type, long... shape) {
        long bytes = type.byteSize();
        for (long length : shape) {
            bytes *= length;
        }
        return new HostTensor(type, shape, HostTensor.allocate(type, shape, bytes));
    }

    /** All bits are random, including those that types of less than a byte do not have. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#seeds")
    void everyElementIsTheNumberThatItsBitsMean(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (NumericType type : NumericType.values()) {
            try (HostTensor tensor = tensor(type, SHAPE)) {
                for (long at = 0; at < tensor.byteSize(); at++) {
                    tensor.segment().set(JAVA_BYTE, at, (byte) random.nextInt());
                }
                assertHoldsNumbers(type, tensor);
            }
        }
    }

    /** Otherwise 16 cores that read to one tensor would contend at every native call. */
    @Test
    void nativeCallsDoNotCountUsersOfAResult() {
        assumeTrue(NativeAccess.denial().isEmpty(), "needs native access");
        try (HostTensor tensor = tensor(NumericType.INT32, SHAPE)) {
            assertFalse(MachineCodeRowCopy.isCounted(tensor.target()));
            assertEquals(tensor.segment().address(), tensor.target().address());
            assertEquals(tensor.byteSize(), tensor.target().byteSize());
        }
    }

    private static void assertHoldsNumbers(NumericType type, HostTensor tensor) {
        long index = 0;
        for (long y = 0; y < SHAPE[0]; y++) {
            for (long x = 0; x < SHAPE[2]; x++) {
                long at = index++ * type.byteSize();
                MemorySegment element = tensor.segment().asSlice(at, type.byteSize());
                assertIs(type, element.toArray(JAVA_BYTE), tensor, y, 0, x);
            }
        }
    }

    private static void assertIs(
            NumericType type, byte[] element, HostTensor tensor, long... position) {
        switch (type.kind()) {
            case BOOL -> {
                assertEquals(element[0] == 0 ? 0 : 1, tensor.getLong(position));
                assertEquals(element[0] == 0 ? 0.0 : 1.0, tensor.getDouble(position));
            }
            case SIGNED, UNSIGNED -> {
                BigInteger number = number(element, type.bits(), type.kind() == Kind.SIGNED);
                assertEquals(number.longValue(), tensor.getLong(position));
                assertEquals(number.doubleValue(), tensor.getDouble(position));
            }
            case FLOAT -> {
                BigInteger bits = number(element, Byte.SIZE * element.length, false);
                assertEquals(type.toDouble(bits.longValue()), tensor.getDouble(position));
                assertThrows(UnsupportedOperationException.class, () -> tensor.getLong(position));
            }
            case COMPLEX -> {
                assertThrows(UnsupportedOperationException.class, () -> tensor.getDouble(position));
                assertThrows(UnsupportedOperationException.class, () -> tensor.getLong(position));
            }
        }
    }

    /** Computes the number bit by bit. */
    private static BigInteger number(byte[] littleEndian, int bits, boolean isSigned) {
        BigInteger number = BigInteger.ZERO;
        for (int bit = 0; bit < bits; bit++) {
            if ((littleEndian[bit / 8] >> bit % 8 & 1) != 0) {
                BigInteger weight = BigInteger.ONE.shiftLeft(bit);
                boolean isNegative = isSigned && bit == bits - 1;
                number = isNegative ? number.subtract(weight) : number.add(weight);
            }
        }
        return number;
    }

    @Test
    void returnsTimesAsCounts() {
        TemporalType type = new TemporalType(TemporalType.Kind.DATETIME, "s", 1);
        try (HostTensor tensor = tensor(type, 2)) {
            tensor.segment().setAtIndex(JAVA_LONG, 1, Long.MIN_VALUE + 5);
            assertEquals(Long.MIN_VALUE + 5, tensor.getLong(1));
            assertThrows(UnsupportedOperationException.class, () -> tensor.getDouble(1));
        }
    }

    @Test
    void readsAScalarWithoutAPosition() {
        try (HostTensor tensor = tensor(NumericType.INT32)) {
            tensor.segment().set(JAVA_INT, 0, -9);
            assertEquals(-9, tensor.getLong());
            assertArrayEquals(new long[0], tensor.strides());
            assertEquals(4, tensor.byteSize());
        }
    }

    @Test
    void refusesPositionsOutsideTheTensor() {
        HostTensor tensor = tensor(NumericType.INT16, SHAPE);
        for (long[] outside : List.of(new long[] {3, 0, 0}, new long[] {0, 0, -1})) {
            IndexOutOfBoundsException e =
                    assertThrows(IndexOutOfBoundsException.class, () -> tensor.getDouble(outside));
            assertTrue(e.getMessage().contains("[3, 1, 7]"), e::getMessage);
            assertThrows(IndexOutOfBoundsException.class, () -> tensor.getLong(outside));
        }
        assertThrows(IllegalArgumentException.class, () -> tensor.getLong(1, 0));
        assertThrows(IllegalArgumentException.class, () -> tensor.getDouble(1, 0, 0, 0));
        tensor.close();
        assertThrows(IllegalStateException.class, () -> tensor.getDouble(0, 0, 0));
        assertThrows(IllegalStateException.class, () -> tensor.getLong(0, 0, 0));
        assertThrows(IllegalStateException.class, tensor::toDlpack);
        assertThrows(IllegalStateException.class, tensor::close);
    }

    @Test
    void refusesToReadRecordsAsNumbers() {
        StructType type = new StructType(List.of(new StructType.Field("a", NumericType.INT8)));
        try (HostTensor tensor = tensor(type, 1)) {
            assertThrows(UnsupportedOperationException.class, () -> tensor.getLong(0));
            assertThrows(UnsupportedOperationException.class, () -> tensor.getDouble(0));
            assertThrows(UnsupportedOperationException.class, tensor::toDlpack);
        }
    }

    @Test
    void exportsToDlpack() {
        MemorySegment view;
        MemorySegment second;
        try (HostTensor tensor = tensor(NumericType.UINT16, 2, 3, 4)) {
            assertArrayEquals(new long[] {12, 4, 1}, tensor.strides());
            assertEquals(48, tensor.byteSize());
            view = tensor.toDlpack();
            assertEquals(tensor.segment().address(), view.get(JAVA_LONG, 0));
            assertEquals(1, view.get(JAVA_INT, 8)); // kDLCPU
            assertEquals(0, view.get(JAVA_INT, 12));
            assertEquals(3, view.get(JAVA_INT, 16));
            assertEquals(1, view.get(JAVA_BYTE, 20)); // kDLUInt
            assertEquals(16, view.get(JAVA_BYTE, 21));
            second = tensor.toDlpack();
            assertTrue(second.address() != view.address());
        }
        assertFalse(view.scope().isAlive());
        assertFalse(second.scope().isAlive());
    }

    /** A consumer would take pairs of bfloat16 for pairs of float16. */
    @Test
    void refusesDlpackForComplexNumbersOfOtherParts() {
        Set<NumericType> known =
                Set.of(
                        NumericType.COMPLEX64,
                        NumericType.COMPLEX128,
                        NumericType.COMPLEX_FLOAT16,
                        NumericType.COMPLEX_FLOAT32,
                        NumericType.COMPLEX_FLOAT64);
        for (NumericType type : NumericType.values()) {
            if (type.kind() == NumericType.Kind.COMPLEX) {
                try (HostTensor tensor = tensor(type, 1)) {
                    if (known.contains(type)) {
                        assertEquals(5, tensor.toDlpack().get(JAVA_BYTE, 20)); // kDLComplex
                    } else {
                        assertThrows(UnsupportedOperationException.class, tensor::toDlpack);
                    }
                }
            }
        }
    }

    @Test
    void pointsAViewToShapeAndStrides() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(256, 64);
            SegmentAllocator front = SegmentAllocator.slicingAllocator(memory);
            long[] shape = {2, 3, 4};
            MemorySegment view = DlpackLayout.write(front, 4096, -1, NumericType.INT8, shape);
            assertEquals(4096, view.get(JAVA_LONG, 0));
            assertArrayEquals(shape, longs(memory, view.get(JAVA_LONG, 24)));
            assertArrayEquals(new long[] {12, 4, 1}, longs(memory, view.get(JAVA_LONG, 32)));
        }
    }

    private static long[] longs(MemorySegment memory, long address) {
        return memory.asSlice(address - memory.address(), 3L * Long.BYTES).toArray(JAVA_LONG);
    }
}
