/*
 * Computes transforms of samples: what Kernel in io.zarrengine.zarr.transform computes on the CPU, with the same
 * roundings.
 * Each thread computes 1 or 4 consecutive elements of the result at a time, in float64.
 */

constexpr int transformRankMax = 6;
constexpr int levelsMax = 3;
constexpr int stepsMax = 24;
constexpr int tablesMax = 1024;
constexpr uint32_t columnsTogether = 1024; /* NumberBlocks.LENGTH in Java */

/* Only arrays whose indexes the compiler knows are in registers. g++, for the simulated runtime, lacks the word. */
#ifdef __CUDACC__
#define UNROLL _Pragma("unroll")
#else
#define UNROLL
#endif

/* The numbers of types beyond those of Type. A type of one byte may have a table of its 256 numbers. */
enum MoreTypes : uint8_t { float16 = 10, bfloat16 = 11, boolean = 12, tabled = 13 };

enum Code : uint8_t { missing, scaled, divided, multiplied, clipped, log1pOf, isMissing };

/* Computes a number from another one. */
struct Step {
    uint8_t code;
    uint8_t axis;    /* divided, multiplied: the dimension of the channels */
    uint16_t unused;
    uint32_t count;  /* likewise: number of channels; 1: the numbers below hold for all */
    uint64_t table;  /* likewise: index of the first channel's first number in the tables; the second ones follow */
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
    uint8_t together;         /* elements of a result that a thread computes at a time: 1, or 4 of the same row */
    uint8_t unused;
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

template <int count>
struct Values {
    double of[count];
};

template <int count, typename Function>
__device__ void each(const Function &code) {
    UNROLL for (int i = 0; i < count; i++) {
        code(i);
    }
}

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

/* One loop for each type, because to choose the type again for each number takes longer than to convert it. */
template <int count>
__device__ void numbersOf(const Transform &transform, const Numbers<count> &numbers, Values<count> &values) {
    const uint64_t *bits = numbers.bits;
    double *of = values.of;
    switch (transform.sourceType) {
        case int8: each<count>([&](int i) { of[i] = static_cast<int8_t>(bits[i]); }); break;
        case int16: each<count>([&](int i) { of[i] = static_cast<int16_t>(bits[i]); }); break;
        case int32: each<count>([&](int i) { of[i] = static_cast<int32_t>(bits[i]); }); break;
        case uint8:
        case uint16:
        case uint32: each<count>([&](int i) { of[i] = static_cast<uint32_t>(bits[i]); }); break;
        case int64: each<count>([&](int i) { of[i] = __ll2double_rn(static_cast<int64_t>(bits[i])); }); break;
        case uint64: each<count>([&](int i) { of[i] = __ull2double_rn(bits[i]); }); break;
        case float32: each<count>([&](int i) { of[i] = asFloat(bits[i]); }); break;
        case float64: each<count>([&](int i) { of[i] = asDouble(bits[i]); }); break;
        case float16: each<count>([&](int i) { of[i] = ofHalf(static_cast<uint32_t>(bits[i])); }); break;
        case bfloat16: each<count>([&](int i) { of[i] = asFloat(bits[i] << 16); }); break;
        default: each<count>([&](int i) { of[i] = transform.tables[bits[i]]; });
    }
}

__device__ int bytesOfSource(int type) {
    return type == float16 || type == bfloat16 ? 2 : type == tabled ? 1 : bytesOfType(type);
}

template <int count>
__device__ void loadNumbers(const Transform &transform, const uint8_t *source, int64_t index, int64_t stride,
        Numbers<count> &numbers) {
    int bytes = bytesOfSource(transform.sourceType);
    const uint8_t *first = source + index * bytes;
    uint64_t together = static_cast<uint64_t>(bytes) * count;
    bool isAligned = reinterpret_cast<uint64_t>(first) % (together < 16 ? together : 16) == 0;
    if (count > 1 && !(stride == 1 && isAligned)) {
        UNROLL for (int i = 0; i < count; i++) {
            Numbers<1> one;
            loadPlain(first + i * stride * bytes, bytes, one);
            numbers.bits[i] = one.bits[0];
        }
    } else {
        loadPlain(first, bytes, numbers);
    }
}

__device__ int64_t along(const Position &position, int axis) {
    int64_t index = 0;
    UNROLL for (int d = 0; d < transformRankMax; d++) {
        index = d == axis ? position.at[d] : index;
    }
    return index;
}

/* A step's two numbers for each of consecutive elements. */
template <int count>
struct StepNumbers {
    Values<count> first;
    Values<count> second;

    __device__ StepNumbers(const Transform &transform, const Step &step, const Position &position) {
        if (step.count > 1) {
            const double *table = transform.tables + step.table + along(position, step.axis);
            int next = step.axis == transform.rank - 1 ? 1 : 0;
            UNROLL for (int i = 0; i < count; i++) {
                first.of[i] = table[i * next];
                second.of[i] = table[step.count + i * next];
            }
        } else {
            UNROLL for (int i = 0; i < count; i++) {
                first.of[i] = step.first;
                second.of[i] = step.second;
            }
        }
    }
};

__device__ double clip(double value, double low, double high) {
    return value <= low ? low : value >= high ? high : value; /* of -0 and 0, the bound */
}

/* Multiplications and additions are not fused, as on the host. */
template <int count>
__device__ void compute(const Transform &transform, const Step &step, const Position &position, Values<count> &values) {
    StepNumbers<count> numbers(transform, step, position);
    const double *first = numbers.first.of;
    const double *second = numbers.second.of;
    double *of = values.of;
    constexpr uint64_t nan = 0x7ff8000000000000ull;
    switch (step.code) {
        case missing: each<count>([&](int i) { of[i] = of[i] == first[i] ? asDouble(nan) : of[i]; }); break;
        case scaled: each<count>([&](int i) { of[i] = __dadd_rn(__dmul_rn(of[i], first[i]), second[i]); }); break;
        case divided: each<count>([&](int i) { of[i] = __ddiv_rn(__dadd_rn(of[i], -first[i]), second[i]); }); break;
        case multiplied: each<count>([&](int i) { of[i] = __dmul_rn(__dadd_rn(of[i], -first[i]), second[i]); }); break;
        case clipped: each<count>([&](int i) { of[i] = clip(of[i], first[i], second[i]); }); break;
        case log1pOf: each<count>([&](int i) { of[i] = log1p(of[i]); }); break;
        default: each<count>([&](int i) { of[i] = of[i] == of[i] ? 0 : 1; });
    }
}

template <int count>
__device__ void computeSteps(const Transform &transform, const Level &level, const Position &position,
        Values<count> &values) {
    for (uint32_t i = level.stepsBegin; i < level.stepsEnd; i++) {
        compute(transform, transform.steps[i], position, values);
    }
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

__device__ int64_t lastStride(const Transform &transform) {
    int64_t stride = 0;
    UNROLL for (int d = 0; d < transformRankMax; d++) {
        stride = d == transform.rank - 1 ? transform.level[0].strides[d] : stride;
    }
    return stride;
}

/* Computes consecutive numbers of a level. */
template <int level>
struct Numbered {
    /* Adds the rows of a box column by column, and then each 1,024 columns, as the host does. */
    static __device__ void compute(const Transform &transform, const uint8_t *source, const Position &position,
            Values<1> &values) {
        const Level &own = transform.level[level];
        int last = transform.rank - 1;
        double total = 0;
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
                Values<1> one;
                Numbered<level - 1>::compute(transform, source, inner, one);
                part += one.of[0];
            }
            bool isFirst = column % columnsTogether == 0;
            total = isFirst ? total + sum : total;
            sum = isFirst ? part : sum + part;
        }
        values.of[0] = __ddiv_rn(total + sum, own.elementsOfBox);
        computeSteps(transform, own, position, values);
    }
};

template <>
struct Numbered<0> {
    template <int count>
    static __device__ void compute(const Transform &transform, const uint8_t *source, const Position &position,
            Values<count> &values) {
        Numbers<count> numbers;
        loadNumbers(transform, source, sourceIndex(transform, position), lastStride(transform), numbers);
        numbersOf(transform, numbers, values);
        computeSteps(transform, transform.level[0], position, values);
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

template <int count>
__device__ void resultsOf(const Transform &transform, const Values<count> &values, Numbers<count> &results) {
    const double *of = values.of;
    uint64_t *bits = results.bits;
    int type = transform.resultType;
    switch (type) {
        case float64: each<count>([&](int i) { bits[i] = bitsOf(of[i]); }); break;
        case float32: each<count>([&](int i) { bits[i] = bitsOf(__double2float_rn(of[i])); }); break;
        case float16: each<count>([&](int i) { bits[i] = halfOf(__double2float_rn(of[i])); }); break;
        case bfloat16: each<count>([&](int i) { bits[i] = bfloatOf(__double2float_rn(of[i])); }); break;
        case boolean: each<count>([&](int i) { bits[i] = of[i] == 0 ? 0 : 1; }); break;
        default: each<count>([&](int i) { bits[i] = wholeOf(of[i], type, transform.wraps); });
    }
}

__device__ int bytesOfResult(int type) {
    return type == float16 || type == bfloat16 ? 2 : type == boolean ? 1 : bytesOfType(type);
}

/* Finds the position of an element of a result. */
__device__ void locate(const Transform &transform, uint64_t element, Position &position) {
    uint64_t rest = element;
    UNROLL for (int d = transformRankMax - 1; d >= 0; d--) {
        position.at[d] = 0;
        if (d > 0 && d < transform.rank) {
            uint64_t outer = divide(rest, transform.shape[d]);
            position.at[d] = static_cast<int64_t>(rest - outer * transform.shape[d]);
            rest = outer;
        } else if (d == 0) {
            position.at[d] = static_cast<int64_t>(rest);
        }
    }
}

template <int topLevel, int count>
__device__ void transformUnit(const Transform &transform, const uint8_t *sources, uint8_t *target, uint64_t unit) {
    uint64_t sample = divide(unit * count, transform.elements);
    uint64_t element = unit * count - sample * transform.elements;
    Position position;
    locate(transform, element, position);
    const uint8_t *source = sources + sample * transform.sourceElements * bytesOfSource(transform.sourceType);
    Numbers<count> numbers;
    if (topLevel == 0 && transform.isWhole) {
        loadNumbers(transform, source, sourceIndex(transform, position), lastStride(transform), numbers);
        UNROLL for (int i = 0; i < count; i++) {
            uint64_t bits = extended(numbers.bits[i], transform.sourceType);
            numbers.bits[i] = transform.wraps ? bits : clampedInteger(bits, transform.sourceType, transform.resultType);
        }
    } else {
        Values<count> values;
        Numbered<topLevel>::compute(transform, source, position, values);
        resultsOf(transform, values, numbers);
    }
    int bytes = bytesOfResult(transform.resultType);
    storeNumbers(target + (sample * transform.targetElements + element) * bytes, bytes, numbers);
}

template <int topLevel, int count>
__device__ void transformAll(const Transform &transform, const uint8_t *sources, uint8_t *target, uint64_t units) {
    uint64_t step = static_cast<uint64_t>(gridDim.x) * blockDim.x;
    for (uint64_t unit = static_cast<uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x; unit < units; unit += step) {
        transformUnit<topLevel, count>(transform, sources, target, unit);
    }
}
