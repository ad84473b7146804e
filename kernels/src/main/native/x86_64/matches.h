/*
 * Copies literals and matches, for all LZ77 formats: bytes from the input, and bytes that repeat earlier output. The
 * caller has checked that both ranges are in bounds.
 */
#pragma once

#include "wide.h"
#include <stddef.h>
#include <tmmintrin.h>

enum {
    REFUSED = -1,        /* a decoder's result for input that it does not decode */
    AT_ONCE = 2 * WIDE,  /* Up to this length, copies need no loop and may write as many bytes. */
    MICROCODE_MIN = 2048 /* From this length on, the CPU's rep instructions are faster than a loop. */
};

/* Writes nothing after the copied bytes. */
static void copyExactly(uint8_t *to, const uint8_t *from, int64_t bytes) {
    if (bytes >= MICROCODE_MIN) {
        __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(bytes) : : "memory");
        return;
    }
    for (; bytes >= WIDE; bytes -= WIDE, to += WIDE, from += WIDE) {
        storeWide(to, loadWide(from));
    }
    for (; bytes > 0; bytes--) {
        *to++ = *from++;
    }
}

/* left: bytes that may be read, room: bytes that may be written; at least `bytes` each */
static inline void copyLiterals(uint8_t *to, const uint8_t *from, int64_t bytes, int64_t left, int64_t room) {
    if (bytes > AT_ONCE || left < AT_ONCE || room < AT_ONCE) {
        copyExactly(to, from, bytes);
        return;
    }
    storeWide(to, loadWide(from));
    storeWide(to + WIDE, loadWide(from + WIDE));
}

/* Returns the 16 bytes that an offset below 16 repeats; step: the bytes of whole periods in them */
static inline __m128i period(const uint8_t *to, int64_t offset, int64_t *step) {
    static const uint8_t indices[WIDE][WIDE] __attribute__((aligned(WIDE))) = {
        {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
        {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
        {0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1},
        {0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0},
        {0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3},
        {0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0},
        {0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 0, 1, 2, 3},
        {0, 1, 2, 3, 4, 5, 6, 0, 1, 2, 3, 4, 5, 6, 0, 1},
        {0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7},
        {0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 1, 2, 3, 4, 5, 6},
        {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5},
        {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0, 1, 2, 3, 4},
        {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0, 1, 2, 3},
        {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 0, 1, 2},
        {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 0, 1},
        {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 0},
    };
    *step = WIDE - WIDE % offset;
    return _mm_shuffle_epi8(loadWide(to - offset), _mm_load_si128((const __m128i *) indices[offset]));
}

/* Writes nothing after the match, unless there is room. */
static __attribute__((noinline)) void copyLongMatch(uint8_t *to, int64_t offset, int64_t bytes, int64_t room) {
    if (offset == 1 && bytes >= MICROCODE_MIN) {
        __asm__ volatile("rep stosb" : "+D"(to), "+c"(bytes) : "a"(*(to - 1)) : "memory");
        return;
    }
    int64_t least = room - bytes >= WIDE ? 1 : WIDE; /* bytes that must be left to write a whole register */
    if (offset >= WIDE) {
        for (; bytes >= least; bytes -= WIDE, to += WIDE) {
            storeWide(to, loadWide(to - offset));
        }
    } else if (room >= WIDE) {
        int64_t step;
        __m128i repeated = period(to, offset, &step);
        for (; bytes >= least; bytes -= step, to += step) {
            storeWide(to, repeated);
        }
    }
    for (; bytes > 0; bytes--, to++) {
        *to = *(to - offset);
    }
}

/*
 * offset: distance from the target back to the match, which exists; room: bytes that may be written, at least `bytes`
 */
static inline void copyMatch(uint8_t *to, int64_t offset, int64_t bytes, int64_t room) {
    if (bytes > AT_ONCE || room < AT_ONCE + WIDE) {
        copyLongMatch(to, offset, bytes, room);
    } else if (offset >= WIDE) {
        storeWide(to, loadWide(to - offset));
        if (bytes > WIDE) {
            storeWide(to + WIDE, loadWide(to + WIDE - offset));
        }
    } else {
        int64_t step; /* at least 9, so three of them are enough */
        __m128i repeated = period(to, offset, &step);
        storeWide(to, repeated);
        if (bytes > WIDE) {
            storeWide(to + step, repeated);
            storeWide(to + 2 * step, repeated);
        }
    }
}
