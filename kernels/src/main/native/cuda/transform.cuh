/*
 * Computes transforms of samples: what io.zarrengine.zarr.transform.Kernel computes on the CPU, with the same roundings.
 * Each thread computes elements of the result one by one, in float64.
 */

constexpr int transformRankMax = 6;
constexpr int levelsMax = 3;
constexpr int stepsMax = 24;
constexpr int tablesMax = 1024;

/* Indexes of arrays in registers must be known to the compiler; g++, for the simulated runtime, does not know the word. */
#ifdef __CUDACC__
#define UNROLL _Pragma("unroll")
#else
#define UNROLL
#endif

/* The numbers of types beyond those of Type. A type of one byte may have a table of its 256 numbers. */
enum MoreTypes : uint8_t { float16 = 10, bfloat16 = 11, boolean = 12, tabled = 13 };

enum Code : uint8_t { missing, scaled, normalized, clipped, log1pOf, isMissing };

/* Computes a number from another one. */
struct Step {
    uint8_t code;
    uint8_t axis;    /* normalized: the dimension of the channels */
    uint16_t unused;
    uint32_t count;  /* normalized: number of channels; 1: the numbers below hold for all */
    uint64_t table;  /* normalized: index of the first mean in the tables; the deviations follow the means */
    double first;
    double second;
};

/*
 * A view, and what is computed of each number that it shows. The first level shows the source: strides count its
 * elements. Each further one shows means of boxes: strides count the elements of the level before.
 */
struct Level {
    int64_t starts[transformRankMax];
    int64_t strides[transformRankMax];
    uint32_t factors[transformRankMax]; /* lengths of a box */
    uint32_t rowsOfBox;                 /* product of all but the last */
    uint32_t columnsOfBox;
    double elementsOfBox;
    uint32_t stepsBegin;
    uint32_t stepsEnd;
};

/* A kernel's parameter. TransformParameters in Java has the same layout. */
struct Transform {
    uint8_t levels;
    uint8_t rank;
    uint8_t sourceType;
    uint8_t resultType;
    uint8_t wraps;            /* integers beyond the range lose their upper bits; otherwise they are clamped */
    uint8_t isWhole;          /* integers become integers, not by way of float64 */
    uint16_t unused;
    uint64_t elements;        /* of a result */
    uint64_t sourceElements;  /* from a sample to the next */
    uint64_t targetElements;  /* from a result to the next */
    uint64_t shape[transformRankMax];
    Level level[levelsMax];
    Step steps[stepsMax];
    double tables[tablesMax]; /* tabled: the numbers of all bytes come first */
};
static_assert(sizeof(Step) == 32 && sizeof(Level) == 144 && offsetof(Transform, level) == 80
        && sizeof(Transform) == 80 + levelsMax * 144 + stepsMax * 32 + tablesMax * 8, "TransformParameters");

/* A position; dimensions beyond the rank are 0. */
struct Position {
    int64_t at[transformRankMax];
};

/* Source: IEEE 754 binary16. */
__device__ double ofHalf(uint32_t bits) {
    uint32_t exponent = bits >> 10 & 0x1f;
    uint32_t mantissa = bits & 0x3ff;
    uint32_t sign = (bits & 0x8000) << 16;
    if (exponent == 0) {
        double small = mantissa * (1.0 / (1 << 24));
        return sign == 0 ? small : -small;
    }
    uint32_t wide = exponent == 0x1f ? 0x7f800000u | mantissa << 13 : (exponent + 112) << 23 | mantissa << 13;
    return asFloat(sign | wide);
}

/* Rounds to the nearest binary16, ties to even. */
__device__ uint16_t halfOf(float value) {
    uint32_t bits = static_cast<uint32_t>(bitsOf(value));
    uint32_t sign = bits >> 16 & 0x8000;
    uint32_t magnitude = bits & 0x7fffffffu;
    if (magnitude > 0x7f800000u) {
        return static_cast<uint16_t>(sign | 0x7e00);
    }
    if (magnitude < 0x38800000u) { /* below 2^-14: the unit is 2^-24 */
        return static_cast<uint16_t>(sign | static_cast<uint32_t>(rintf(asFloat(magnitude) * (1 << 24))));
    }
    uint32_t rebiased = magnitude - 0x38000000u;
    uint32_t rounded = (rebiased + 0xfff + (rebiased >> 13 & 1)) >> 13;
    return static_cast<uint16_t>(sign | (rounded < 0x7c00 ? rounded : 0x7c00));
}

__device__ uint16_t bfloatOf(float value) {
    uint32_t bits = static_cast<uint32_t>(bitsOf(value));
    uint32_t rounded = bits + 0x7fff + (bits >> 16 & 1);
    return static_cast<uint16_t>((isNan(bits, float32) ? bits | 0x400000u : rounded) >> 16);
}

template <typename T>
__device__ T at(const uint8_t *source, int64_t index) {
    return reinterpret_cast<const T *>(source)[index];
}

__device__ double loadNumber(const Transform &transform, const uint8_t *source, int64_t index) {
    switch (transform.sourceType) {
        case int8: return at<int8_t>(source, index);
        case int16: return at<int16_t>(source, index);
        case int32: return at<int32_t>(source, index);
        case int64: return __ll2double_rn(at<int64_t>(source, index));
        case uint8: return source[index];
        case uint16: return at<uint16_t>(source, index);
        case uint32: return at<uint32_t>(source, index);
        case uint64: return __ull2double_rn(at<uint64_t>(source, index));
        case float32: return at<float>(source, index);
        case float64: return at<double>(source, index);
        case float16: return ofHalf(at<uint16_t>(source, index));
        case bfloat16: return asFloat(static_cast<uint32_t>(at<uint16_t>(source, index)) << 16);
        default: return transform.tables[source[index]];
    }
}

__device__ uint64_t loadInteger(int type, const uint8_t *source, int64_t index) {
    switch (type) {
        case int8: case uint8: return extended(source[index], type);
        case int16: case uint16: return extended(at<uint16_t>(source, index), type);
        case int32: case uint32: return extended(at<uint32_t>(source, index), type);
        default: return at<uint64_t>(source, index);
    }
}

__device__ int64_t along(const Position &position, int axis) {
    int64_t index = 0;
    UNROLL for (int d = 0; d < transformRankMax; d++) {
        index = d == axis ? position.at[d] : index;
    }
    return index;
}

/* Multiplications and additions are not fused, as on the host. */
__device__ double computed(const Transform &transform, const Step &step, double value, const Position &position) {
    switch (step.code) {
        case missing: return value == step.first ? asDouble(0x7ff8000000000000ull) : value;
        case scaled: return __dadd_rn(__dmul_rn(value, step.first), step.second);
        case normalized: {
            double mean = step.first;
            double deviation = step.second;
            if (step.count > 1) {
                const double *means = transform.tables + step.table;
                int64_t channel = along(position, step.axis);
                mean = means[channel];
                deviation = means[step.count + channel];
            }
            return __ddiv_rn(__dadd_rn(value, -mean), deviation);
        }
        case clipped: return value < step.first ? step.first : value > step.second ? step.second : value;
        case log1pOf: return log1p(value);
        default: return value == value ? 0 : 1;
    }
}

__device__ double computed(const Transform &transform, const Level &level, double value, const Position &position) {
    for (uint32_t i = level.stepsBegin; i < level.stepsEnd; i++) {
        value = computed(transform, transform.steps[i], value, position);
    }
    return value;
}

__device__ int64_t sourceIndex(const Transform &transform, const Position &position) {
    const Level &level = transform.level[0];
    int64_t index = 0;
    UNROLL for (int d = 0; d < transformRankMax; d++) {
        if (d < transform.rank) {
            index += level.starts[d] + position.at[d] * level.strides[d];
        }
    }
    return index;
}

/* Returns a number of a level. */
template <int level>
struct Numbered {
    /* Adds the rows of a box column by column, and then the columns, as the host does. */
    static __device__ double number(const Transform &transform, const uint8_t *source, const Position &position) {
        const Level &own = transform.level[level];
        int last = transform.rank - 1;
        double sum = 0;
        for (uint32_t column = 0; column < own.columnsOfBox; column++) {
            double part = 0;
            for (uint32_t row = 0; row < own.rowsOfBox; row++) {
                Position inner = {};
                uint32_t rest = row;
                for (int d = last; d >= 0; d--) {
                    uint32_t offset = column;
                    if (d < last) {
                        offset = rest % own.factors[d];
                        rest /= own.factors[d];
                    }
                    inner.at[d] = own.starts[d] + position.at[d] * own.strides[d] + offset;
                }
                part += Numbered<level - 1>::number(transform, source, inner);
            }
            sum = column == 0 ? part : sum + part;
        }
        return computed(transform, own, __ddiv_rn(sum, own.elementsOfBox), position);
    }
};

template <>
struct Numbered<0> {
    static __device__ double number(const Transform &transform, const uint8_t *source, const Position &position) {
        double value = loadNumber(transform, source, sourceIndex(transform, position));
        return computed(transform, transform.level[0], value, position);
    }
};

__device__ bool isUnsigned(int type) {
    return type >= uint8 && type <= uint64;
}

__device__ uint64_t greatestOf(int type) {
    int bits = 8 * bytesOfType(type);
    return ~0ull >> (64 - bits + (isUnsigned(type) ? 0 : 1));
}

/* Clamps an integer whose bits and sign are those of its type. */
__device__ uint64_t clampedInteger(uint64_t bits, int from, int to) {
    uint64_t greatest = greatestOf(to);
    if (from == uint64) {
        return bits > greatest ? greatest : bits;
    }
    int64_t value = static_cast<int64_t>(bits);
    int64_t least = isUnsigned(to) ? 0 : -static_cast<int64_t>(greatest) - 1;
    bool isAbove = to != uint64 && value > static_cast<int64_t>(greatest);
    return value < least ? static_cast<uint64_t>(least) : isAbove ? greatest : bits;
}

/* Rounds to an integer, ties to even; 0 if it is NaN. */
__device__ uint64_t wholeOf(double value, int type, bool wraps) {
    constexpr double limit = 9223372036854775808.0; /* 2^63 */
    double whole = rint(value);
    if (whole != whole) {
        return 0;
    }
    if (!wraps) {
        return type == uint64 ? (whole < 0 ? 0 : whole >= 2 * limit ? ~0ull : ofFloat(whole, uint64))
                              : clampedInteger(toInt64(whole), int64, type);
    }
    if (whole < limit && whole > -limit) {
        return toInt64(whole);
    }
    double rest = fmod(whole, 2 * limit); /* exact; NaN of an infinity */
    return rest != rest ? 0 : toInt64(rest >= limit ? rest - 2 * limit : rest < -limit ? rest + 2 * limit : rest);
}

__device__ void storeInteger(uint8_t *target, uint64_t index, int type, uint64_t bits) {
    int bytes = bytesOfType(type);
    store(target + index * bytes, bytes, bits, 0, 0);
}

__device__ void storeNumber(const Transform &transform, uint8_t *target, uint64_t index, double value) {
    switch (transform.resultType) {
        case float64: reinterpret_cast<double *>(target)[index] = value; break;
        case float32: reinterpret_cast<float *>(target)[index] = __double2float_rn(value); break;
        case float16: reinterpret_cast<uint16_t *>(target)[index] = halfOf(__double2float_rn(value)); break;
        case bfloat16: reinterpret_cast<uint16_t *>(target)[index] = bfloatOf(__double2float_rn(value)); break;
        case boolean: target[index] = value == 0 ? 0 : 1; break;
        default:
            storeInteger(target, index, transform.resultType, wholeOf(value, transform.resultType, transform.wraps));
    }
}

__device__ int bytesOfSource(int type) {
    return type == float16 || type == bfloat16 ? 2 : type == tabled ? 1 : bytesOfType(type);
}

template <int topLevel>
__device__ void transformUnit(const Transform &transform, const uint8_t *sources, uint8_t *target,
        uint64_t unit) {
    uint64_t sample = divide(unit, transform.elements);
    uint64_t element = unit - sample * transform.elements;
    Position position = {};
    uint64_t rest = element;
    UNROLL for (int d = transformRankMax - 1; d >= 0; d--) {
        if (d < transform.rank) {
            uint64_t outer = divide(rest, transform.shape[d]);
            position.at[d] = static_cast<int64_t>(rest - outer * transform.shape[d]);
            rest = outer;
        }
    }
    const uint8_t *source = sources + sample * transform.sourceElements * bytesOfSource(transform.sourceType);
    uint64_t index = sample * transform.targetElements + element;
    if (transform.isWhole) {
        uint64_t bits = loadInteger(transform.sourceType, source, sourceIndex(transform, position));
        storeInteger(target, index, transform.resultType,
                transform.wraps ? bits : clampedInteger(bits, transform.sourceType, transform.resultType));
    } else {
        storeNumber(transform, target, index, Numbered<topLevel>::number(transform, source, position));
    }
}

template <int topLevel>
__device__ void transformAll(const Transform &transform, const uint8_t *sources, uint8_t *target,
        uint64_t units) {
    uint64_t step = static_cast<uint64_t>(gridDim.x) * blockDim.x;
    for (uint64_t unit = static_cast<uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x; unit < units; unit += step) {
        transformUnit<topLevel>(transform, sources, target, unit);
    }
}
