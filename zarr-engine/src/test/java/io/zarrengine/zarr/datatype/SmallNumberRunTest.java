package io.zarrengine.zarr.datatype;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The upper bits of small numbers: eight bytes together equal each byte alone, for every byte of
 * every type.
 */
final class SmallNumberRunTest {
    @ParameterizedTest
    @EnumSource
    void extendsEveryByteByItsSign(NumericType type) {
        boolean isSmall = type.kind() != NumericType.Kind.COMPLEX && type.bits() < Byte.SIZE;
        List<SmallNumberRun> runs = SmallNumberRun.of(type);
        boolean isOfSmall =
                type.kind() == NumericType.Kind.COMPLEX && type.part().bits() < Byte.SIZE;
        assertEquals(isSmall || isOfSmall ? 1 : 0, runs.size());
        if (!isSmall) {
            return;
        }
        for (int stored = 0; stored < 256; stored++) {
            int bits = stored & (1 << type.bits()) - 1;
            int expected = type.kind() == NumericType.Kind.SIGNED ? (int) type.toLong(bits) : bits;
            byte[] element = {(byte) stored};
            SmallNumberRun.extend(runs, element);
            assertEquals((byte) expected, element[0], type + " " + stored);
            long ones = 0x0101_0101_0101_0101L;
            long others = (stored * ones) ^ 0x00ff_00ff_00ff_00ffL; // neighbours with other signs
            long extended = runs.getFirst().extended(others);
            for (int i = 0; i < Long.BYTES; i++) {
                byte[] one = {(byte) (others >> (i * Byte.SIZE))};
                SmallNumberRun.extend(runs, one);
                assertEquals(one[0], (byte) (extended >> (i * Byte.SIZE)), type + " " + stored);
            }
        }
    }

    @Test
    void extendsFieldsOfStructs() {
        StructType inner =
                new StructType(
                        List.of(
                                new StructType.Field("a", NumericType.UINT8),
                                new StructType.Field("b", NumericType.INT4)));
        StructType outer =
                new StructType(
                        List.of(
                                new StructType.Field("c", NumericType.INT16),
                                new StructType.Field("d", inner, List.of(2), Optional.empty()),
                                new StructType.Field("e", NumericType.COMPLEX_FLOAT4_E2M1FN)));
        assertEquals(
                List.of(
                        new SmallNumberRun(3, 1, NumericType.INT4),
                        new SmallNumberRun(5, 1, NumericType.INT4),
                        new SmallNumberRun(6, 2, NumericType.FLOAT4_E2M1FN)),
                SmallNumberRun.of(outer));
        byte[] element = {-1, -1, -1, 0x0d, -1, 0x7e, -1, 0x13};
        SmallNumberRun.extend(SmallNumberRun.of(outer), element);
        assertArrayEquals(new byte[] {-1, -1, -1, -3, -1, -2, 15, 3}, element);
    }
}
