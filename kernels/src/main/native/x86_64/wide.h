/* A register of 16 bytes, which every x86-64 has. */
#pragma once

#include <emmintrin.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

enum { WIDE = 16 };

static inline __m128i loadWide(const uint8_t *from) {
    return _mm_loadu_si128((const __m128i *) from);
}

static inline void storeWide(uint8_t *to, __m128i bytes) {
    _mm_storeu_si128((__m128i *) to, bytes);
}
