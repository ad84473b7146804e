/* Decodes streams of BloscLZ: blosclz.c of https://github.com/Blosc/c-blosc. */
#include "../lengths.h"
#include "../matches.h"

enum {
    LITERALS_MAX = 32,
    LENGTH_SHIFT = 5,
    MATCH_MIN = 2,
    LENGTH_MORE = 7 + MATCH_MIN, /* length that continues in the next byte */
    HIGH_MAX = 31,
    OFFSET_FAR = (HIGH_MAX << 8) + 255 /* base of an offset in two more bytes */
};

/*
 * Decodes a stream, or at least its first `wanted` bytes without reading the rest. Returns the number of decoded bytes,
 * or REFUSED. wanted: INT64_MAX for all.
 */
int64_t decodeBlosclz(int64_t bytes, const uint8_t *at, int64_t room, int64_t wanted, const void *none, uint8_t *to) {
    (void)none;
    if (bytes == 0) {
        return 0;
    }
    const uint8_t *begin = to;
    const uint8_t *end = at + bytes;
    const uint8_t *toEnd = to + room;
    const uint8_t *stop = wanted < room ? to + wanted : (const uint8_t *) UINTPTR_MAX;
    uint32_t control = *at++ % LITERALS_MAX; /* a stream begins with literals */
    for (;;) {
        int64_t length;
        if (control < LITERALS_MAX) {
            length = control + 1;
            if (length > end - at || length > toEnd - to) {
                return REFUSED;
            }
            copyLiterals(to, at, length, end - at, toEnd - to);
            at += length;
        } else {
            length = (control >> LENGTH_SHIFT) + MATCH_MIN;
            if (length == LENGTH_MORE && (at = readLength(at, end, 0, &length)) == NULL) {
                return REFUSED;
            }
            if (at == end) {
                return REFUSED;
            }
            int64_t offset = (control & HIGH_MAX) << 8 | *at++;
            if (offset == OFFSET_FAR) {
                if (end - at < 2) {
                    return REFUSED;
                }
                offset += at[0] << 8 | at[1];
                at += 2;
            }
            offset++;
            if (offset > to - begin || length > toEnd - to) {
                return REFUSED;
            }
            copyMatch(to, offset, length, toEnd - to);
        }
        to += length;
        if (at == end || to >= stop) {
            return to - begin;
        }
        control = *at++;
    }
}
