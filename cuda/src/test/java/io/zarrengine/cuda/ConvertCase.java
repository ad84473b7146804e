package io.zarrengine.cuda;

import io.zarrengine.cuda.Conversion.NumberType;
import io.zarrengine.cuda.Conversion.Step;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** A random piece whose elements are numbers that are converted. */
final class ConvertCase implements KernelCase {
    /** Special values of 8-byte, 4-byte or integer numbers. */
    private static final long[] SPECIALS = {
        0,
        1,
        -1,
        Long.MIN_VALUE,
        Long.MAX_VALUE,
        0x8000_0000L,
        0x7fff_ffffL,
        Double.doubleToRawLongBits(0x1p63),
        Double.doubleToRawLongBits(-0x1p63),
        Double.doubleToRawLongBits(0x1p64),
        Double.doubleToRawLongBits(Float.MAX_VALUE * (1 + 0x1p-25)), // rounds to infinity
        Double.doubleToRawLongBits(Float.MIN_VALUE * 0.5),
        Double.doubleToRawLongBits(Double.POSITIVE_INFINITY),
        Double.doubleToRawLongBits(Double.NEGATIVE_INFINITY),
        0x7ff8_0000_2000_0001L, // NaN
        0xfff0_0000_4000_0000L, // signalling NaN
        Float.floatToRawIntBits(0x1p63f),
        Float.floatToRawIntBits(Float.POSITIVE_INFINITY),
        Float.floatToRawIntBits(-2.5f),
        0x7fc0_0001L,
        0xff80_0001L
    };

    private static final List<NumberType> TYPES = List.of(NumberType.values());
    private static final double[] DIVISORS = {1, -3, 0.01f, 0x1p-140, 1e30f, 10};
    private static final double[] ADDENDS = {0, -0.0, 273.15f, -1e30f, 1.5, Float.MIN_VALUE};
    private static final byte GUARD = (byte) 0xA5;

    final PlaceCase piece;
    private final Conversion conversion;
    private final byte[] encoded;
    private final byte[] targetBefore;

    ConvertCase(SplittableRandom random) {
        PlaceCase candidate = new PlaceCase(random);
        while (!hasNumbers(candidate)) {
            candidate = new PlaceCase(random);
        }
        piece = candidate;
        conversion = conversion(random, piece.element);
        int bytes = piece.element.bytes();
        for (int at = 0; at < piece.plain.length; at += bytes) {
            if (random.nextInt(3) == 0) {
                write(piece.plain, at, bytes, SPECIALS[random.nextInt(SPECIALS.length)]);
            }
        }
        encoded = piece.encode();
        targetBefore = new byte[piece.targetBefore.length / bytes * targetBytes()];
        Arrays.fill(targetBefore, GUARD);
    }

    private static boolean hasNumbers(PlaceCase piece) {
        int bytes = piece.element.bytes();
        int swapBytes = piece.element.swapBytes();
        return piece.kind != PlaceCase.Kind.FILL
                && (bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8)
                && (swapBytes == 0 || swapBytes == bytes)
                && piece.box.shape().length <= PieceBatch.CONVERTED_RANK_MAX;
    }

    private static Conversion conversion(SplittableRandom random, PieceBatch.Element element) {
        List<NumberType> stored =
                TYPES.stream().filter(type -> type.bytes() == element.bytes()).toList();
        NumberType first = stored.get(random.nextInt(stored.size()));
        NumberType type = first; // input type of the next step
        List<Step> steps = new ArrayList<>();
        int count = random.nextInt(Conversion.STEPS_MAX + 1);
        int scalings = 0;
        while (steps.size() < count) {
            if (type.isFloat() && scalings < Conversion.SCALINGS_MAX && random.nextBoolean()) {
                scalings++;
                steps.add(scale(random, type));
            } else {
                type = TYPES.get(random.nextInt(TYPES.size()));
                steps.add(new Step.Cast(type));
            }
        }
        return new Conversion(first, element.swapBytes(), steps);
    }

    /** Returns a scaling whose numbers have the type: most float64 numbers are no float32. */
    private static Step.Scale scale(SplittableRandom random, NumberType type) {
        double finer = type == NumberType.FLOAT64 ? 3 : 1;
        return new Step.Scale(
                DIVISORS[random.nextInt(DIVISORS.length)] / finer,
                ADDENDS[random.nextInt(ADDENDS.length)] / finer);
    }

    private int targetBytes() {
        return conversion.target().bytes();
    }

    @Override
    public byte[] encoded() {
        return encoded;
    }

    @Override
    public byte[] targetBefore() {
        return targetBefore;
    }

    @Override
    public int sourceMultiple() {
        return piece.sourceMultiple();
    }

    @Override
    public int targetMultiple() {
        return targetBytes();
    }

    @Override
    public void addTo(PieceBatch batch, DeviceSlice chunk, DeviceSlice target) {
        batch.addConverted(piece.source(chunk), target, piece.firstInTarget, piece.box, conversion);
    }

    @Override
    public byte[] targetAfter() {
        byte[] target = targetBefore.clone();
        int bytes = piece.element.bytes();
        piece.forEach((from, to) -> {
            long stored = number(piece.plain, Math.toIntExact(from * bytes), bytes);
            long bits = SlowConversion.converted(conversion, stored);
            write(target, Math.toIntExact(to * targetBytes()), targetBytes(), bits);
        });
        return target;
    }

    private long number(byte[] from, int at, int bytes) {
        long bits = 0;
        for (int i = 0; i < bytes; i++) {
            int place = conversion.swapBytes() == 0 ? i : bytes - 1 - i;
            bits |= Byte.toUnsignedLong(from[at + i]) << (Byte.SIZE * place);
        }
        return bits;
    }

    private static void write(byte[] to, int at, int bytes, long bits) {
        for (int i = 0; i < bytes; i++) {
            to[at + i] = (byte) (bits >>> (Byte.SIZE * i));
        }
    }

    @Override
    public String toString() {
        return conversion + " of " + piece;
    }
}
