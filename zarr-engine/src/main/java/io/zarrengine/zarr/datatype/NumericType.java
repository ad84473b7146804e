package io.zarrengine.zarr.datatype;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * Booleans, integers, floating-point and complex numbers.
 *
 * <p>Types smaller than a byte take one byte in memory, as zarr-python and TensorStore store them.
 *
 * @see <a href="https://zarr-specs.readthedocs.io/en/latest/v3/data-types/index.html">Zarr v3 core
 *     data types</a>
 * @see <a href="https://github.com/zarr-developers/zarr-extensions/tree/main/data-types">
 *     zarr-extensions, data types</a>
 */
public enum NumericType implements DataType {
    /** True or false, one byte. */
    BOOL("bool", Kind.BOOL, 8),
    /** Signed integer of 2 bits, one byte. */
    INT2("int2", Kind.SIGNED, 2),
    /** Signed integer of 4 bits, one byte. */
    INT4("int4", Kind.SIGNED, 4),
    /** Signed integer of 8 bits. */
    INT8("int8", Kind.SIGNED, 8),
    /** Signed integer of 16 bits. */
    INT16("int16", Kind.SIGNED, 16),
    /** Signed integer of 32 bits. */
    INT32("int32", Kind.SIGNED, 32),
    /** Signed integer of 64 bits. */
    INT64("int64", Kind.SIGNED, 64),
    /** Unsigned integer of 2 bits, one byte. */
    UINT2("uint2", Kind.UNSIGNED, 2),
    /** Unsigned integer of 4 bits, one byte. */
    UINT4("uint4", Kind.UNSIGNED, 4),
    /** Unsigned integer of 8 bits. */
    UINT8("uint8", Kind.UNSIGNED, 8),
    /** Unsigned integer of 16 bits. */
    UINT16("uint16", Kind.UNSIGNED, 16),
    /** Unsigned integer of 32 bits. */
    UINT32("uint32", Kind.UNSIGNED, 32),
    /** Unsigned integer of 64 bits. */
    UINT64("uint64", Kind.UNSIGNED, 64),
    /** 4-bit float: 2 bits of exponent, 1 of mantissa, one byte. */
    FLOAT4_E2M1FN("float4_e2m1fn", FloatFormat.FLOAT4_E2M1FN),
    /** 6-bit float: 2 bits of exponent, 3 of mantissa, one byte. */
    FLOAT6_E2M3FN("float6_e2m3fn", FloatFormat.FLOAT6_E2M3FN),
    /** 6-bit float: 3 bits of exponent, 2 of mantissa, one byte. */
    FLOAT6_E3M2FN("float6_e3m2fn", FloatFormat.FLOAT6_E3M2FN),
    /** 8-bit float: 3 bits of exponent, 4 of mantissa. */
    FLOAT8_E3M4("float8_e3m4", FloatFormat.FLOAT8_E3M4),
    /** 8-bit float: 4 bits of exponent, 3 of mantissa. */
    FLOAT8_E4M3("float8_e4m3", FloatFormat.FLOAT8_E4M3),
    /** 8-bit float: 4 bits of exponent, 3 of mantissa, bias 11, finite, one zero. */
    FLOAT8_E4M3B11FNUZ("float8_e4m3b11fnuz", FloatFormat.FLOAT8_E4M3B11FNUZ),
    /** 8-bit float: 4 bits of exponent, 3 of mantissa, finite. */
    FLOAT8_E4M3FN("float8_e4m3fn", FloatFormat.FLOAT8_E4M3FN),
    /** 8-bit float: 4 bits of exponent, 3 of mantissa, finite, one zero. */
    FLOAT8_E4M3FNUZ("float8_e4m3fnuz", FloatFormat.FLOAT8_E4M3FNUZ),
    /** 8-bit float: 5 bits of exponent, 2 of mantissa. */
    FLOAT8_E5M2("float8_e5m2", FloatFormat.FLOAT8_E5M2),
    /** 8-bit float: 5 bits of exponent, 2 of mantissa, finite, one zero. */
    FLOAT8_E5M2FNUZ("float8_e5m2fnuz", FloatFormat.FLOAT8_E5M2FNUZ),
    /** 8-bit scale: 8 bits of exponent, powers of two. */
    FLOAT8_E8M0FNU("float8_e8m0fnu", FloatFormat.FLOAT8_E8M0FNU),
    /** 16-bit float: 8 bits of exponent, 7 of mantissa. */
    BFLOAT16("bfloat16", FloatFormat.BFLOAT16),
    /** IEEE 754 binary16. */
    FLOAT16("float16", FloatFormat.FLOAT16),
    /** IEEE 754 binary32. */
    FLOAT32("float32", Kind.FLOAT, 32),
    /** IEEE 754 binary64. */
    FLOAT64("float64", Kind.FLOAT, 64),
    /** Two float32: real, then imaginary part. */
    COMPLEX64("complex64", FLOAT32),
    /** Two float64: real, then imaginary part. */
    COMPLEX128("complex128", FLOAT64),
    /** Two bfloat16: real, then imaginary part. */
    COMPLEX_BFLOAT16("complex_bfloat16", BFLOAT16),
    /** Two float4_e2m1fn: real, then imaginary part. */
    COMPLEX_FLOAT4_E2M1FN("complex_float4_e2m1fn", FLOAT4_E2M1FN),
    /** Two float6_e2m3fn: real, then imaginary part. */
    COMPLEX_FLOAT6_E2M3FN("complex_float6_e2m3fn", FLOAT6_E2M3FN),
    /** Two float6_e3m2fn: real, then imaginary part. */
    COMPLEX_FLOAT6_E3M2FN("complex_float6_e3m2fn", FLOAT6_E3M2FN),
    /** Two float8_e3m4: real, then imaginary part. */
    COMPLEX_FLOAT8_E3M4("complex_float8_e3m4", FLOAT8_E3M4),
    /** Two float8_e4m3: real, then imaginary part. */
    COMPLEX_FLOAT8_E4M3("complex_float8_e4m3", FLOAT8_E4M3),
    /** Two float8_e4m3b11fnuz: real, then imaginary part. */
    COMPLEX_FLOAT8_E4M3B11FNUZ("complex_float8_e4m3b11fnuz", FLOAT8_E4M3B11FNUZ),
    /** Two float8_e4m3fn: real, then imaginary part. */
    COMPLEX_FLOAT8_E4M3FN("complex_float8_e4m3fn", FLOAT8_E4M3FN),
    /** Two float8_e4m3fnuz: real, then imaginary part. */
    COMPLEX_FLOAT8_E4M3FNUZ("complex_float8_e4m3fnuz", FLOAT8_E4M3FNUZ),
    /** Two float8_e5m2: real, then imaginary part. */
    COMPLEX_FLOAT8_E5M2("complex_float8_e5m2", FLOAT8_E5M2),
    /** Two float8_e5m2fnuz: real, then imaginary part. */
    COMPLEX_FLOAT8_E5M2FNUZ("complex_float8_e5m2fnuz", FLOAT8_E5M2FNUZ),
    /** Two float8_e8m0fnu: real, then imaginary part. */
    COMPLEX_FLOAT8_E8M0FNU("complex_float8_e8m0fnu", FLOAT8_E8M0FNU),
    /** Two float16: real, then imaginary part. */
    COMPLEX_FLOAT16("complex_float16", FLOAT16),
    /** Two float32: real, then imaginary part. */
    COMPLEX_FLOAT32("complex_float32", FLOAT32),
    /** Two float64: real, then imaginary part. */
    COMPLEX_FLOAT64("complex_float64", FLOAT64);

    /** The meaning of a type's bits. */
    public enum Kind {
        /** True or false. */
        BOOL,
        /** Two's complement. */
        SIGNED,
        /** Natural numbers. */
        UNSIGNED,
        /** Floating point. */
        FLOAT,
        /** Two floating-point numbers. */
        COMPLEX
    }

    private final String typeName;
    private final Kind kind;
    private final int bits;
    private final FloatFormat format; // of a float of at most 16 bits
    private final NumericType part; // of a complex type

    NumericType(String typeName, Kind kind, int bits) {
        this(typeName, kind, bits, null, null);
    }

    NumericType(String typeName, FloatFormat format) {
        this(typeName, Kind.FLOAT, format.bits(), format, null);
    }

    NumericType(String typeName, NumericType part) {
        this(typeName, Kind.COMPLEX, 2 * Byte.SIZE * part.byteSize(), null, part);
    }

    NumericType(String typeName, Kind kind, int bits, FloatFormat format, NumericType part) {
        this.typeName = typeName;
        this.kind = kind;
        this.bits = bits;
        this.format = format;
        this.part = part;
    }

    /**
     * {@return the type with a name in metadata}
     *
     * @param name e.g. {@code "float32"}
     */
    public static Optional<NumericType> named(String name) {
        for (NumericType type : values()) {
            if (type.typeName.equals(name)) {
                return Optional.of(type);
            }
        }
        return Optional.empty();
    }

    /** {@return the meaning of the bits} */
    public Kind kind() {
        return kind;
    }

    /** {@return the number of bits of a number; fewer than 8 for types smaller than a byte} */
    public int bits() {
        return bits;
    }

    /**
     * {@return the type of the real and of the imaginary part}
     *
     * @throws IllegalStateException if the type is not complex
     */
    public NumericType part() {
        if (part == null) {
            throw new IllegalStateException(typeName + " has no parts");
        }
        return part;
    }

    /**
     * {@return the largest finite number}
     *
     * @throws IllegalStateException if the type is not floating-point
     */
    public double largest() {
        if (kind != Kind.FLOAT) {
            throw new IllegalStateException(typeName + " is no floating-point type");
        }
        return switch (bits) {
            case 64 -> Double.MAX_VALUE;
            case 32 -> Float.MAX_VALUE;
            default -> format.largest();
        };
    }

    /**
     * {@return the element nearest to a number, ties to even, in the low bits}
     *
     * @param value the number
     * @throws IllegalArgumentException if the type has no such value: NaN, infinity, or a number
     *     beyond its range without an infinity
     * @throws IllegalStateException if the type is not floating-point
     */
    public long nearest(double value) {
        if (kind != Kind.FLOAT) {
            throw new IllegalStateException(typeName + " is no floating-point type");
        }
        return switch (bits) {
            case 64 -> Double.doubleToRawLongBits(value);
            case 32 -> Integer.toUnsignedLong(Float.floatToRawIntBits((float) value));
            default -> format.nearest(value);
        };
    }

    @Override
    public String typeName() {
        return typeName;
    }

    @Override
    public int byteSize() {
        return Math.max(1, bits / 8);
    }

    @Override
    public int byteOrderUnit() {
        return part == null ? byteSize() : part.byteSize();
    }

    /**
     * {@return an element as a number; the real part of a complex one}
     *
     * @param element the bits of the element, in the low bits
     */
    public double toDouble(long element) {
        return switch (kind) {
            case BOOL, SIGNED -> toLong(element);
            case UNSIGNED -> unsigned(toLong(element));
            case COMPLEX -> part.toDouble(element);
            case FLOAT ->
                    switch (bits) {
                        case 64 -> Double.longBitsToDouble(element);
                        case 32 -> Float.intBitsToFloat((int) element);
                        default -> format.toDouble((int) element);
                    };
        };
    }

    /** Converts a uint64. Numbers of smaller types are never negative here. */
    private static double unsigned(long value) {
        return value >= 0 ? value : ((value >>> 1) | (value & 1)) * 2.0; // Rounds once.
    }

    /**
     * {@return an element as a whole number: 0 or 1 for a boolean; for uint64, a value for the
     * unsigned methods of {@link Long}}
     *
     * @param element the bits of the element, in the low bits
     * @throws IllegalStateException if the type has numbers that are not whole
     */
    public long toLong(long element) {
        return switch (kind) {
            case SIGNED -> element << (Long.SIZE - bits) >> (Long.SIZE - bits);
            case BOOL -> (element & 0xff) == 0 ? 0 : 1; // NumPy takes any other byte as true.
            case UNSIGNED -> element << (Long.SIZE - bits) >>> (Long.SIZE - bits);
            case FLOAT, COMPLEX ->
                    throw new IllegalStateException(typeName + " is no type of whole numbers");
        };
    }

    @Override
    public byte[] fillValue(Object json) {
        if (kind == Kind.COMPLEX) {
            return complexFill(json);
        }
        long element =
                switch (kind) {
                    case BOOL -> boolFill(json);
                    case SIGNED, UNSIGNED -> integerFill(json);
                    case FLOAT, COMPLEX -> floatFill(json);
                };
        return littleEndian(element, byteSize());
    }

    private static byte[] littleEndian(long element, int bytes) {
        byte[] all =
                ByteBuffer.allocate(Long.BYTES)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putLong(element)
                        .array();
        return Arrays.copyOf(all, bytes);
    }

    private static long boolFill(Object json) {
        if (json instanceof Boolean value) {
            return value ? 1 : 0;
        }
        throw new IllegalArgumentException("expected true or false");
    }

    private long integerFill(Object json) {
        BigInteger value = wholeNumber(json);
        BigInteger min = kind == Kind.SIGNED ? power(bits - 1).negate() : BigInteger.ZERO;
        BigInteger max = power(kind == Kind.SIGNED ? bits - 1 : bits).subtract(BigInteger.ONE);
        if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
            throw new IllegalArgumentException("expected a number from " + min + " to " + max);
        }
        return value.longValue();
    }

    private static BigInteger power(int exponent) {
        return BigInteger.ONE.shiftLeft(exponent);
    }

    /**
     * Parses a whole number in any form that other readers accept. All of them take a number with a
     * point or an exponent as a double: the smallest int64 is often written -9.223372036854776e18.
     */
    private static BigInteger wholeNumber(Object json) {
        Object value = json instanceof String text ? NumberText.parse(text).orElse(null) : json;
        return switch (value) {
            case Long number -> BigInteger.valueOf(number);
            case BigInteger number -> number;
            case Boolean truth -> truth ? BigInteger.ONE : BigInteger.ZERO;
            case Number number when isWhole(number.doubleValue()) ->
                    new BigDecimal(number.doubleValue()).toBigIntegerExact();
            case null, default -> throw new IllegalArgumentException("expected a whole number");
        };
    }

    private static boolean isWhole(double value) {
        return Double.isFinite(value) && value == Math.rint(value);
    }

    private long floatFill(Object json) {
        if (json instanceof String text && text.startsWith("0x")) {
            return hexFill(text);
        }
        Number value = number(json);
        if (bits == 32) { // Rounds once, without a double between.
            return Integer.toUnsignedLong(Float.floatToRawIntBits(value.floatValue()));
        }
        return nearest(value.doubleValue());
    }

    /** Parses the bits themselves, for a NaN with a payload. */
    private long hexFill(String text) {
        int digits = Math.max(2, bits / 4);
        boolean valid = text.chars().skip(2).allMatch(HexFormat::isHexDigit);
        if (!valid || text.length() != 2 + digits) {
            throw new IllegalArgumentException("expected 0x and " + digits + " hex digits");
        }
        long element = HexFormat.fromHexDigitsToLong(text, 2, text.length());
        if (bits < Long.SIZE && element >>> bits != 0) { // The type is smaller than a byte.
            throw new IllegalArgumentException("expected " + bits + " bits");
        }
        return element;
    }

    private static Number number(Object json) {
        if (json instanceof Number value) {
            return value;
        }
        if (json instanceof Boolean value) {
            return value ? 1 : 0;
        }
        if (json instanceof String text && NumberText.parse(text).isPresent()) {
            return NumberText.parse(text).get();
        }
        throw new IllegalArgumentException(
                "expected a number, \"NaN\", \"Infinity\", \"-Infinity\" or hex bits");
    }

    private byte[] complexFill(Object json) {
        if (json instanceof List<?> parts && parts.size() == 2) {
            return ByteBuffer.allocate(byteSize())
                    .put(part.fillValue(parts.get(0)))
                    .put(part.fillValue(parts.get(1)))
                    .array();
        }
        throw new IllegalArgumentException("expected two numbers: real and imaginary part");
    }

    @Override
    public Object fillValueToJson(byte[] element) {
        ByteBuffer bytes = ByteBuffer.wrap(Arrays.copyOf(element, 16));
        bytes.order(ByteOrder.LITTLE_ENDIAN);
        if (kind == Kind.COMPLEX) {
            int half = part.byteSize();
            return List.of(
                    part.fillValueToJson(Arrays.copyOfRange(element, 0, half)),
                    part.fillValueToJson(Arrays.copyOfRange(element, half, 2 * half)));
        }
        long value = bytes.getLong();
        return switch (kind) {
            case BOOL -> value != 0;
            case SIGNED -> toLong(value);
            case UNSIGNED -> new BigInteger(Long.toUnsignedString(value));
            case FLOAT, COMPLEX -> floatToJson(value);
        };
    }

    private Object floatToJson(long value) {
        double number = toDouble(value);
        if (Double.isInfinite(number)) {
            return number > 0 ? "Infinity" : "-Infinity";
        }
        boolean usual = !Double.isNaN(number) || value == floatFill("NaN");
        if (!usual) {
            return "0x" + HexFormat.of().toHexDigits(value, Math.max(2, bits / 4));
        }
        return Double.isNaN(number) ? "NaN" : (Object) number;
    }
}
