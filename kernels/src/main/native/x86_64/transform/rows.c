/*
 * Computes rows of numbers in float64, and rounds each once. Each step of a program handles a group of 32 numbers, which
 * stay in registers from the source to the target. Groups that are not whole, and elements that are not adjacent, go
 * through the stack. The results are those of Java (PointwiseSteps, Casts), bit by bit. AVX2 and F16C.
 */
#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/* The limits are those of MachineCodeTransform. */
enum { GROUP = 32, LINE_BYTES = 64, DIMENSIONS_MAX = 16, OPERATIONS_MAX = 16 };

/* Numbered as in MachineCodeTransform. */
enum { INT8, UINT8, INT16, UINT16, INT32, UINT32, FLOAT16, BFLOAT16, FLOAT32, FLOAT64 };
enum { MISSING, SCALE, DIVIDE, MULTIPLY, CLIP, IS_MISSING };

typedef struct {
    int64_t code;
    int64_t rowsOfChannel; /* consecutive rows with the same numbers */
    int64_t channels;      /* after which the numbers repeat */
    int64_t isAlongRow;    /* each element of a row has its own numbers; both tables have GROUP more of them */
    const double *first;
    const double *second;
} Operation;

typedef struct {
    int64_t type;
    int64_t result;
    int64_t dimensions;
    int64_t operations;
    const int64_t *lengths;
    const int64_t *strides; /* in elements of the source */
    const Operation *operation;
} Program;

typedef int16_t __attribute__((aligned(1), may_alias)) Bytes2;
typedef int32_t __attribute__((aligned(1), may_alias)) Bytes4;
typedef int64_t __attribute__((aligned(1), may_alias)) Bytes8;

/* Eight registers are one group. */
#define EACH(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7)
#define PAIRS(DO) DO(0, x0, x1) DO(1, x2, x3) DO(2, x4, x5) DO(3, x6, x7)

#define INLINE static inline __attribute__((always_inline))

INLINE __m128i bytes4(const char *from) {
    return _mm_cvtsi32_si128(*(const Bytes4 *) from);
}

INLINE __m128i bytes8(const char *from) {
    return _mm_loadl_epi64((const __m128i *) from);
}

INLINE __m128i bytes16(const char *from) {
    return _mm_loadu_si128((const __m128i *) from);
}

INLINE __m256d ofUint32(__m128i bits) {
    __m128i less = _mm_xor_si128(bits, _mm_set1_epi32(INT32_MIN)); /* by 2^31 */
    return _mm256_add_pd(_mm256_cvtepi32_pd(less), _mm256_set1_pd(0x1p31));
}

INLINE __m256d ofBfloat16(__m128i bits) {
    return _mm256_cvtps_pd(_mm_castsi128_ps(_mm_slli_epi32(_mm_cvtepu16_epi32(bits), 16)));
}

INLINE __m256 joined(__m256d low, __m256d high) {
    return _mm256_set_m128(_mm256_cvtpd_ps(high), _mm256_cvtpd_ps(low));
}

/* Adds half of the last place, less one unit if that place is even, and cuts. NaN stays NaN. */
INLINE __m256i bfloat16Of(__m256 x) {
    __m256i bits = _mm256_castps_si256(x);
    __m256i odd = _mm256_and_si256(_mm256_srli_epi32(bits, 16), _mm256_set1_epi32(1));
    __m256i rounded = _mm256_add_epi32(_mm256_add_epi32(bits, _mm256_set1_epi32(0x7fff)), odd);
    __m256i quiet = _mm256_or_si256(bits, _mm256_set1_epi32(0x400000));
    __m256i isNan = _mm256_castps_si256(_mm256_cmp_ps(x, x, _CMP_UNORD_Q));
    return _mm256_srli_epi32(_mm256_blendv_epi8(rounded, quiet, isNan), 16);
}

INLINE __m128i packed(__m256i x) {
    return _mm_packus_epi32(_mm256_castsi256_si128(x), _mm256_extracti128_si256(x, 1));
}

INLINE int64_t byteSize(int64_t type) {
    return type <= UINT8 ? 1 : type <= UINT16 ? 2 : type <= UINT32 ? 4 : type <= BFLOAT16 ? 2 : type == FLOAT32 ? 4 : 8;
}

INLINE void copyBytes(char *to, const char *from, int64_t bytes) {
    for (int64_t i = 0; i < bytes; i++) {
        to[i] = from[i];
    }
}

/* Copies elements at a distance, which is negative or more than an element, or only some of a group. */
static void gather(char *to, const char *from, int64_t distance, int64_t bytes, int64_t count) {
    for (int64_t i = 0; i < count; i++, to += bytes, from += distance) {
        switch (bytes) {
            case 1: *to = *from; break;
            case 2: *(Bytes2 *) to = *(const Bytes2 *) from; break;
            case 4: *(Bytes4 *) to = *(const Bytes4 *) from; break;
            default: *(Bytes8 *) to = *(const Bytes8 *) from;
        }
    }
}

/* `numbers` has the first and the second number of each operation for this row, or their tables for its elements. */
static void group(
        const Program *program, const double *const *numbers, int64_t at, const char *from, char *to, int isFar) {
    __m256d x0, x1, x2, x3, x4, x5, x6, x7;
#define LOAD(i, bytes, number) x##i = number(from + (i) * (bytes));
#define OF_INT8(p) _mm256_cvtepi32_pd(_mm_cvtepi8_epi32(bytes4(p)))
#define OF_UINT8(p) _mm256_cvtepi32_pd(_mm_cvtepu8_epi32(bytes4(p)))
#define OF_INT16(p) _mm256_cvtepi32_pd(_mm_cvtepi16_epi32(bytes8(p)))
#define OF_UINT16(p) _mm256_cvtepi32_pd(_mm_cvtepu16_epi32(bytes8(p)))
#define OF_INT32(p) _mm256_cvtepi32_pd(bytes16(p))
#define OF_UINT32(p) ofUint32(bytes16(p))
#define OF_FLOAT16(p) _mm256_cvtps_pd(_mm_cvtph_ps(bytes8(p)))
#define OF_BFLOAT16(p) ofBfloat16(bytes8(p))
#define OF_FLOAT32(p) _mm256_cvtps_pd(_mm_loadu_ps((const float *) (p)))
#define OF_FLOAT64(p) _mm256_loadu_pd((const double *) (p))
#define L1(i) LOAD(i, 4, OF_INT8)
#define L2(i) LOAD(i, 4, OF_UINT8)
#define L3(i) LOAD(i, 8, OF_INT16)
#define L4(i) LOAD(i, 8, OF_UINT16)
#define L5(i) LOAD(i, 16, OF_INT32)
#define L6(i) LOAD(i, 16, OF_UINT32)
#define L7(i) LOAD(i, 8, OF_FLOAT16)
#define L8(i) LOAD(i, 8, OF_BFLOAT16)
#define L9(i) LOAD(i, 16, OF_FLOAT32)
#define L10(i) LOAD(i, 32, OF_FLOAT64)
    switch (program->type) {
        case INT8: EACH(L1) break;
        case UINT8: EACH(L2) break;
        case INT16: EACH(L3) break;
        case UINT16: EACH(L4) break;
        case INT32: EACH(L5) break;
        case UINT32: EACH(L6) break;
        case FLOAT16: EACH(L7) break;
        case BFLOAT16: EACH(L8) break;
        case FLOAT32: EACH(L9) break;
        default: EACH(L10)
    }
    for (int64_t k = 0; k < program->operations; k++) {
        const double *first = numbers[2 * k], *second = numbers[2 * k + 1];
        if (program->operation[k].isAlongRow) { /* always DIVIDE */
#define DIVIDE_EACH(i)                                                                                                 \
    x##i = _mm256_div_pd(                                                                                              \
            _mm256_sub_pd(x##i, _mm256_loadu_pd(first + at + 4 * (i))), _mm256_loadu_pd(second + at + 4 * (i)));
            EACH(DIVIDE_EACH)
            continue;
        }
        __m256d a = _mm256_broadcast_sd(first), b = _mm256_broadcast_sd(second);
        switch (program->operation[k].code) {
            case MISSING: {
                __m256d nan = _mm256_castsi256_pd(_mm256_set1_epi64x(0x7ff8000000000000));
#define DO_MISSING(i) x##i = _mm256_blendv_pd(x##i, nan, _mm256_cmp_pd(x##i, a, _CMP_EQ_OQ));
                EACH(DO_MISSING)
                break;
            }
            case SCALE:
#define DO_SCALE(i) x##i = _mm256_add_pd(_mm256_mul_pd(x##i, a), b);
                EACH(DO_SCALE)
                break;
            case DIVIDE:
#define DO_DIVIDE(i) x##i = _mm256_div_pd(_mm256_sub_pd(x##i, a), b);
                EACH(DO_DIVIDE)
                break;
            case MULTIPLY:
#define DO_MULTIPLY(i) x##i = _mm256_mul_pd(_mm256_sub_pd(x##i, a), b);
                EACH(DO_MULTIPLY)
                break;
            case CLIP: {
                /* max and min return the second operand if one is NaN, or if both are 0: then adding a 0 of the sign that
                 * Java's would have corrects it, and otherwise it changes nothing. */
                __m256d isZero = _mm256_castsi256_pd(
                        _mm256_cmpeq_epi64(_mm256_castpd_si256(a), _mm256_setzero_si256()));
                __m256d zero = _mm256_andnot_pd(isZero, _mm256_set1_pd(-0.0));
#define DO_CLIP(i) x##i = _mm256_min_pd(b, _mm256_add_pd(_mm256_max_pd(a, x##i), zero));
                EACH(DO_CLIP)
                break;
            }
            default: {
                __m256d one = _mm256_set1_pd(1);
#define DO_IS_MISSING(i) x##i = _mm256_and_pd(_mm256_cmp_pd(x##i, x##i, _CMP_UNORD_Q), one);
                EACH(DO_IS_MISSING)
            }
        }
    }
#define PUT(i, low, high)                                                                                              \
    if (isFar) {                                                                                                       \
        _mm256_stream_ps((float *) to + 8 * (i), joined(low, high));                                                   \
    } else {                                                                                                           \
        _mm256_storeu_ps((float *) to + 8 * (i), joined(low, high));                                                   \
    }
#define PUT_SHORTS(i, shorts)                                                                                          \
    if (isFar) {                                                                                                       \
        _mm_stream_si128((__m128i *) to + (i), shorts);                                                                \
    } else {                                                                                                           \
        _mm_storeu_si128((__m128i *) to + (i), shorts);                                                                \
    }
#define PUT_HALF(i, low, high) PUT_SHORTS(i, _mm256_cvtps_ph(joined(low, high), _MM_FROUND_TO_NEAREST_INT))
#define PUT_BRAIN(i, low, high) PUT_SHORTS(i, packed(bfloat16Of(joined(low, high))))
#define PUT_DOUBLE(i)                                                                                                  \
    if (isFar) {                                                                                                       \
        _mm256_stream_pd((double *) to + 4 * (i), x##i);                                                               \
    } else {                                                                                                           \
        _mm256_storeu_pd((double *) to + 4 * (i), x##i);                                                               \
    }
    switch (program->result) {
        case FLOAT32: PAIRS(PUT) break;
        case FLOAT16: PAIRS(PUT_HALF) break;
        case BFLOAT16: PAIRS(PUT_BRAIN) break;
        default: EACH(PUT_DOUBLE)
    }
}

static void transformRow(
        const Program *program, const double *const *numbers, const char *from, char *to, int isFar) {
    char in[GROUP * sizeof(double)] __attribute__((aligned(32)));
    char out[GROUP * sizeof(double)] __attribute__((aligned(32)));
    int64_t last = program->dimensions - 1, length = program->lengths[last];
    int64_t bytes = byteSize(program->type), resultBytes = byteSize(program->result);
    int64_t distance = program->strides[last] * bytes, count;
    for (size_t i = 0; i < sizeof in; i += 32) {
        _mm256_store_pd((double *) (in + i), _mm256_setzero_pd());
    }
    for (int64_t at = 0; at < length; at += count, from += count * distance, to += count * resultBytes) {
        int64_t room = isFar ? (-(intptr_t) to & (LINE_BYTES - 1)) / resultBytes : 0; /* before a line */
        count = room > 0 ? room : GROUP;
        count = count < length - at ? count : length - at;
        int isWhole = count == GROUP;
        const char *source = from;
        if (!isWhole || distance != bytes) {
            gather(in, from, distance, bytes, count);
            source = in;
        }
        group(program, numbers, at, source, isWhole ? to : out, isFar && isWhole && room == 0);
        if (!isWhole) {
            copyBytes(to, out, count * resultBytes);
        }
    }
}

/* From row `begin` on, to before row `end`. The source is that of position 0, the target that of row 0. */
void transformRows(
        int64_t begin, const char *source, int64_t end, const Program *program, int64_t isFar, char *target) {
    const double *numbers[2 * OPERATIONS_MAX];
    int64_t position[DIMENSIONS_MAX];
    int64_t bytes = byteSize(program->type), resultBytes = byteSize(program->result);
    int64_t last = program->dimensions - 1, rest = begin;
    int64_t isAligned = (intptr_t) target % resultBytes == 0;
    for (int64_t d = last - 1; d >= 0; d--) {
        position[d] = rest % program->lengths[d];
        rest /= program->lengths[d];
    }
    char *to = target + begin * program->lengths[last] * resultBytes;
    for (int64_t row = begin; row < end; row++, to += program->lengths[last] * resultBytes) {
        const char *from = source;
        for (int64_t d = 0; d < last; d++) {
            from += position[d] * program->strides[d] * bytes;
        }
        for (int64_t k = 0; k < program->operations; k++) {
            const Operation *one = program->operation + k;
            int64_t channel = one->channels == 1 ? 0 : row / one->rowsOfChannel % one->channels;
            numbers[2 * k] = one->first + channel;
            numbers[2 * k + 1] = one->second + channel;
        }
        transformRow(program, numbers, from, to, isFar && isAligned);
        for (int64_t d = last - 1; d >= 0 && ++position[d] == program->lengths[d]; d--) {
            position[d] = 0;
        }
    }
    _mm_sfence(); /* before other threads learn of the rows */
}
