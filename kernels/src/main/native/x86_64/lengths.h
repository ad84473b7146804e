/* Lengths of LZ4 and BloscLZ. */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { BYTE_MORE = 255 }; /* A length goes on in the next byte. */

/* Adds to a length what follows it; null if the input ends before, or no more than behind says is left of it then. */
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
