/*
 * Makes planes of bytes from shuffled bits: the lowest bits of the elements' first bytes are in one row, the second
 * bits in another. A step zips 16 bytes of each of 8 rows to words, and transposes each word, a matrix of 8 x 8 bits:
 * by one instruction if the CPU can multiply such matrices (GFNI), otherwise as in Hacker's Delight, section 7-3.
 */
#include "shuffle.h"
#include <immintrin.h>

enum { BITS = 8 };

static inline __m128i swap(__m128i words, int distance, int64_t mask) {
    __m128i swapped = _mm_and_si128(_mm_xor_si128(words, _mm_srli_epi64(words, distance)), _mm_set1_epi64x(mask));
    return _mm_xor_si128(words, _mm_xor_si128(swapped, _mm_slli_epi64(swapped, distance)));
}

static inline __m128i transpose(__m128i words) {
    words = swap(words, 7, 0x00aa00aa00aa00aa);
    words = swap(words, 14, 0x0000cccc0000cccc);
    return swap(words, 28, 0x00000000f0f0f0f0);
}

static inline void step(const uint8_t *rows, int64_t rowBytes, uint8_t *to) {
    __m128i words[WORDS];
    zip(loadWide(rows), loadWide(rows + rowBytes), loadWide(rows + 2 * rowBytes), loadWide(rows + 3 * rowBytes),
        loadWide(rows + 4 * rowBytes), loadWide(rows + 5 * rowBytes), loadWide(rows + 6 * rowBytes),
        loadWide(rows + 7 * rowBytes), words);
#pragma GCC unroll 8
    for (int64_t k = 0; k < WORDS; k++) {
        storeWide(to + k * STEP, transpose(words[k]));
    }
}

/* Bit i of a product is from the matrix's byte 7 - i, so the rows are zipped from the last one on. */
__attribute__((target("gfni"))) static inline void stepByMatrix(const uint8_t *rows, int64_t rowBytes, uint8_t *to) {
    const __m128i unit = _mm_set1_epi64x((int64_t) 0x8040201008040201);
    __m128i words[WORDS];
    zip(loadWide(rows + 7 * rowBytes), loadWide(rows + 6 * rowBytes), loadWide(rows + 5 * rowBytes),
        loadWide(rows + 4 * rowBytes), loadWide(rows + 3 * rowBytes), loadWide(rows + 2 * rowBytes),
        loadWide(rows + rowBytes), loadWide(rows), words);
#pragma GCC unroll 8
    for (int64_t k = 0; k < WORDS; k++) {
        storeWide(to + k * STEP, _mm_gf2p8affine_epi64_epi8(unit, words[k], 0));
    }
}

/* Transposes rows that are shorter than a step. */
static void each(const uint8_t *rows, int64_t rowBytes, uint8_t *to) {
    for (int64_t i = 0; i < rowBytes; i++) {
        uint64_t word = 0;
        for (int64_t bit = 0; bit < BITS; bit++) {
            word |= (uint64_t) rows[bit * rowBytes + i] << BITS * bit;
        }
        _mm_storel_epi64((__m128i *) (to + BITS * i), transpose(_mm_cvtsi64_si128((int64_t) word)));
    }
}

/* The last step overlaps the one before, so that it is whole. */
#define PLANE(step, attributes)                                                                                        \
    attributes static void step##Plane(const uint8_t *rows, int64_t rowBytes, uint8_t *to) {                           \
        int64_t last = rowBytes - STEP;                                                                                \
        for (int64_t i = 0; i < last; i += STEP) {                                                                     \
            step(rows + i, rowBytes, to + BITS * i);                                                                   \
        }                                                                                                              \
        step(rows + last, rowBytes, to + BITS * last);                                                                 \
    }

PLANE(step, )
PLANE(stepByMatrix, __attribute__((target("gfni"))))

/* rows: 8 * planes rows of rowBytes each; to: as many bytes; multiplies: whether the CPU has GFNI */
void bitsToPlanes(int64_t rowBytes, const uint8_t *rows, int64_t planes, int64_t multiplies, int64_t none, uint8_t *to) {
    (void)none;
    for (int64_t at = 0; at < planes * BITS * rowBytes; at += BITS * rowBytes) {
        if (rowBytes < STEP) {
            each(rows + at, rowBytes, to + at);
        } else if (multiplies) {
            stepByMatrixPlane(rows + at, rowBytes, to + at);
        } else {
            stepPlane(rows + at, rowBytes, to + at);
        }
    }
}
