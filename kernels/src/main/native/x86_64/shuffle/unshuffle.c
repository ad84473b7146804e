/*
 * Puts the bytes of shuffled elements together: the first bytes of all elements are in one plane, the second ones in
 * another. A step zips 16 bytes of each plane. The last step of a row overlaps the one before, so that it is whole.
 */
#include "shuffle.h"

enum { PLANES_MAX = 8 };

/* A plane begins at the first row's first element. */
typedef struct {
    const uint8_t *planes[PLANES_MAX];
    int64_t stride; /* between rows, in a plane */
    uint8_t *target;
    int64_t targetStride;
    int64_t rows;
    int64_t elements; /* of a row */
} Elements;

static inline void step2(const uint8_t *const planes[], int64_t at, uint8_t *to) {
    __m128i first = loadWide(planes[0] + at);
    __m128i second = loadWide(planes[1] + at);
    storeWide(to, _mm_unpacklo_epi8(first, second));
    storeWide(to + STEP, _mm_unpackhi_epi8(first, second));
}

/* Stores 4 elements of 4 bytes at a time, from pairs of bytes. */
static inline void zip4(__m128i even, __m128i odd, uint8_t *to) {
    storeWide(to, _mm_unpacklo_epi16(even, odd));
    storeWide(to + STEP, _mm_unpackhi_epi16(even, odd));
}

static inline void step4(const uint8_t *const planes[], int64_t at, uint8_t *to) {
    __m128i p0 = loadWide(planes[0] + at), p1 = loadWide(planes[1] + at);
    __m128i p2 = loadWide(planes[2] + at), p3 = loadWide(planes[3] + at);
    zip4(_mm_unpacklo_epi8(p0, p1), _mm_unpacklo_epi8(p2, p3), to);
    zip4(_mm_unpackhi_epi8(p0, p1), _mm_unpackhi_epi8(p2, p3), to + 2 * STEP);
}

static inline void step8(const uint8_t *const planes[], int64_t at, uint8_t *to) {
    __m128i words[WORDS];
    zip(loadWide(planes[0] + at), loadWide(planes[1] + at), loadWide(planes[2] + at), loadWide(planes[3] + at),
        loadWide(planes[4] + at), loadWide(planes[5] + at), loadWide(planes[6] + at), loadWide(planes[7] + at), words);
#pragma GCC unroll 8
    for (int64_t k = 0; k < WORDS; k++) {
        storeWide(to + k * STEP, words[k]);
    }
}

/* Puts a row together that is shorter than a step. */
static inline void each(const uint8_t *const planes[], int64_t bytes, int64_t elements, uint8_t *to) {
    for (int64_t i = 0; i < elements; i++) {
        for (int64_t b = 0; b < bytes; b++) {
            *to++ = planes[b][i];
        }
    }
}

/* Copies the pointers to planes, because the compiler must assume that stores change them in memory. */
#define ROWS(Bytes)                                                                                                    \
    static void rows##Bytes(const Elements *all) {                                                                     \
        int64_t last = all->elements - STEP;                                                                           \
        for (int64_t row = 0; row < all->rows; row++) {                                                                \
            const uint8_t *planes[Bytes];                                                                              \
            for (int64_t b = 0; b < Bytes; b++) {                                                                      \
                planes[b] = all->planes[b] + row * all->stride;                                                        \
            }                                                                                                          \
            uint8_t *to = all->target + row * all->targetStride;                                                       \
            if (last < 0) {                                                                                            \
                each(planes, Bytes, all->elements, to);                                                                \
                continue;                                                                                              \
            }                                                                                                          \
            for (int64_t i = 0; i < last; i += STEP) {                                                                 \
                step##Bytes(planes, i, to + Bytes * i);                                                                \
            }                                                                                                          \
            step##Bytes(planes, last, to + Bytes * last);                                                              \
        }                                                                                                              \
    }

ROWS(2)
ROWS(4)
ROWS(8)

/* bytes: size of an element, 2, 4 or 8, and the number of planes used */
void unshuffle(uint8_t *target, int64_t targetStride, int64_t rows, int64_t elements, int64_t stride, int64_t bytes,
    const uint8_t *p0, const uint8_t *p1, const uint8_t *p2, const uint8_t *p3, const uint8_t *p4, const uint8_t *p5,
    const uint8_t *p6, const uint8_t *p7) {
    Elements all = {{p0, p1, p2, p3, p4, p5, p6, p7}, stride, target, targetStride, rows, elements};
    switch (bytes) {
    case 2:
        rows2(&all);
        break;
    case 4:
        rows4(&all);
        break;
    default:
        rows8(&all);
    }
}
