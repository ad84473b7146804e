/* Makes tables of finite state entropy codes, RFC 8878 4.1. */
#include "zstd.h"

/* Returns 32 bits from a position on; zeros after the end. */
static uint32_t bitsAt(const uint8_t *from, int64_t bytes, int64_t bit) {
    uint64_t value = 0;
    for (int64_t k = 0; k < 5; k++) {
        int64_t at = (bit >> 3) + k;
        value |= at < bytes ? (uint64_t)from[at] << (8 * k) : 0;
    }
    return (uint32_t)(value >> (bit & 7));
}

/*
 * Reads the count of each code, 4.1.1; -1 means less than one. Returns the size in bytes, or REFUSED. counts has room
 * for codeMax + 1.
 */
int64_t readCounts(const uint8_t *from, int64_t bytes, uint32_t codeMax, uint32_t logMax, int16_t *counts, uint32_t *codes,
                   uint32_t *log) {
    if (bytes < 1) {
        return REFUSED;
    }
    *log = (from[0] & 15) + 5;
    if (*log > logMax) {
        return REFUSED;
    }
    int64_t bit = 4;
    int32_t remaining = (1 << *log) + 1;
    uint32_t code = 0;
    while (remaining > 1) {
        if (code > codeMax || bit > bytes * 8) {
            return REFUSED;
        }
        uint32_t next = bitsAt(from, bytes, bit);
        uint32_t bits = highestBit((uint32_t)remaining);
        uint32_t half = 1u << bits;
        uint32_t shortOnes = 2 * half - 1 - (uint32_t)remaining; /* number of values with a bit less */
        uint32_t value = next & (half - 1);
        if (value < shortOnes) {
            bit += bits;
        } else {
            value = next & (2 * half - 1);
            value -= value >= half ? shortOnes : 0;
            bit += bits + 1;
        }
        int32_t count = (int32_t)value - 1;
        counts[code++] = (int16_t)count;
        remaining -= count < 0 ? 1 : count;
        for (uint32_t zeros = count == 0 ? 3 : 0; zeros == 3;) {
            if (bit > bytes * 8) {
                return REFUSED;
            }
            zeros = bitsAt(from, bytes, bit) & 3;
            bit += 2;
            for (uint32_t k = 0; k < zeros; k++) {
                if (code > codeMax) {
                    return REFUSED;
                }
                counts[code++] = 0;
            }
        }
    }
    *codes = code;
    return remaining == 1 && bit <= bytes * 8 ? (bit + 7) >> 3 : REFUSED;
}

/*
 * Spreads codes over the states of a table, 4.1.1; next: the number of each code's first state. First writes the codes
 * in their order, 8 at a time, because a loop over a code's count would be mispredicted for each code.
 */
void spreadCodes(State *state, const int16_t *counts, uint32_t codes, uint32_t log, uint16_t *next) {
    uint32_t mask = (1u << log) - 1;
    uint32_t high = mask;
    uint32_t laidOut = 0;
    for (uint32_t code = 0; code < codes; code++) {
        if (counts[code] < 0) {
            state->spread[high--] = (uint8_t)code;
            next[code] = 1;
            continue;
        }
        uint64_t eight = code * 0x0101010101010101u;
        for (int32_t k = 0; k < counts[code]; k += 8) {
            __builtin_memcpy(state->inOrder + laidOut + k, &eight, 8);
        }
        laidOut += (uint32_t)counts[code];
        next[code] = (uint16_t)counts[code];
    }
    uint32_t step = (1u << log >> 1) + (1u << log >> 3) + 3;
    uint32_t at = 0;
    for (uint32_t k = 0; k < laidOut; k++) {
        state->spread[at] = state->inOrder[k];
        do {
            at = (at + step) & mask;
        } while (at > high);
    }
}
