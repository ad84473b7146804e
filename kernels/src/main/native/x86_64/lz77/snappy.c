/* Decodes blocks of Snappy: format_description.txt of https://github.com/google/snappy. */
#include "../matches.h"
#include <immintrin.h>

enum {
    LITERALS,
    OFFSET_11_BITS, /* matches with offsets of 11 bits, 2 bytes, or 4 bytes */
    KINDS = 4,
    LENGTH_INSIDE_MAX = 60, /* larger values are the number of bytes that hold the count of literals */
    SHORT_MATCH_MIN = 4,
    SIZE_BITS = 32
};

/* Reads the decoded size of a block, 7 bits per byte. Returns REFUSED if it does not end, or has too many bits. */
static int64_t readSize(const uint8_t **at, const uint8_t *end) {
    int64_t size = 0;
    for (uint32_t shift = 0; *at < end && shift < SIZE_BITS; shift += 7) {
        uint32_t part = *(*at)++;
        size |= (int64_t) (part & 127) << shift;
        if (part < 128) {
            return size;
        }
    }
    return REFUSED;
}

/* Reads a little-endian number of 1 to 4 bytes, which the input has. */
static inline int64_t readNumber(const uint8_t *at, const uint8_t *end, uint32_t bytes) {
    uint32_t number = 0;
    if (end - at >= (int64_t) sizeof number) {
        __builtin_memcpy(&number, at, sizeof number);
        return _bzhi_u32(number, 8 * bytes);
    }
    for (uint32_t k = 0; k < bytes; k++) {
        number |= (uint32_t) at[k] << 8 * k;
    }
    return number;
}

/*
 * Decodes a block, or at least its first `wanted` bytes without reading the rest. Returns the number of decoded bytes,
 * or REFUSED. wanted: INT64_MAX for all.
 */
int64_t decodeSnappy(int64_t bytes, const uint8_t *at, int64_t room, int64_t wanted, const void *none, uint8_t *to) {
    (void)none;
    const uint8_t *begin = to;
    const uint8_t *end = at + bytes;
    int64_t size = readSize(&at, end);
    if (size < 0 || size > room) {
        return REFUSED;
    }
    const uint8_t *toEnd = to + size;
    const uint8_t *stop = wanted < size ? to + wanted : (const uint8_t *) UINTPTR_MAX;
    while (at < end && to < stop) {
        uint32_t tag = *at++;
        uint32_t kind = tag % KINDS;
        int64_t length = tag / KINDS + 1;
        if (kind == LITERALS) {
            if (length > LENGTH_INSIDE_MAX) {
                uint32_t lengthBytes = (uint32_t) (length - LENGTH_INSIDE_MAX);
                if (lengthBytes > end - at) {
                    return REFUSED;
                }
                length = readNumber(at, end, lengthBytes) + 1;
                at += lengthBytes;
            }
            if (length > end - at || length > toEnd - to) {
                return REFUSED;
            }
            copyLiterals(to, at, length, end - at, toEnd - to);
            at += length;
        } else {
            uint32_t offsetBytes = 1u << (kind - 1);
            if (offsetBytes > end - at) {
                return REFUSED;
            }
            int64_t offset = readNumber(at, end, offsetBytes);
            at += offsetBytes;
            if (kind == OFFSET_11_BITS) {
                offset |= tag >> 5 << 8;
                length = (tag >> 2 & 7) + SHORT_MATCH_MIN;
            }
            if (offset == 0 || offset > to - begin || length > toEnd - to) {
                return REFUSED;
            }
            copyMatch(to, offset, length, toEnd - to);
        }
        to += length;
    }
    return to >= stop || to == toEnd ? to - begin : REFUSED;
}
