/* Reads lengths of LZ4 and BloscLZ. */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { BYTE_MORE = 255 }; /* the length continues in the next byte */

/*
 * Adds the following bytes to a length. Returns null if the input ends before, or at most `behind` bytes of it are
 * left.
 */
static const uint8_t *readLength(const uint8_t *at, const uint8_t *end, int64_t behind, int64_t *length) {
    uint8_t more;
    do {
        if (end - at <= behind) {
            return NULL;
        }
        more = *at++;
        *length += more;
    } while (more == BYTE_MORE);
    return at;
}
