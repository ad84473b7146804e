/*
 * Undoes byte and bit shuffling: the shared part. Bytes of 8 planes, or of 8 rows of bits, are zipped to words: bytes
 * to shorts, shorts to ints, ints to longs.
 */
#pragma once

#include "../wide.h"

enum { STEP = WIDE, WORDS = 8 };

/* Zips pairs of bytes to 8 words. */
static inline void zipPairs(__m128i p01, __m128i p23, __m128i p45, __m128i p67, __m128i words[]) {
    __m128i low = _mm_unpacklo_epi16(p01, p23), lowRest = _mm_unpacklo_epi16(p45, p67);
    __m128i high = _mm_unpackhi_epi16(p01, p23), highRest = _mm_unpackhi_epi16(p45, p67);
    words[0] = _mm_unpacklo_epi32(low, lowRest);
    words[1] = _mm_unpackhi_epi32(low, lowRest);
    words[2] = _mm_unpacklo_epi32(high, highRest);
    words[3] = _mm_unpackhi_epi32(high, highRest);
}

/* Zips a byte of each plane to 16 words, two in each register. */
static inline void zip(__m128i p0, __m128i p1, __m128i p2, __m128i p3, __m128i p4, __m128i p5, __m128i p6, __m128i p7,
    __m128i words[WORDS]) {
    zipPairs(_mm_unpacklo_epi8(p0, p1), _mm_unpacklo_epi8(p2, p3), _mm_unpacklo_epi8(p4, p5),
        _mm_unpacklo_epi8(p6, p7), words);
    zipPairs(_mm_unpackhi_epi8(p0, p1), _mm_unpackhi_epi8(p2, p3), _mm_unpackhi_epi8(p4, p5),
        _mm_unpackhi_epi8(p6, p7), words + WORDS / 2);
}
