/* XXH64 with seed 0, whose lower half is a frame's checksum: RFC 8878 3.1.1, and doc/xxhash_spec.md of xxHash. */
#include "zstd.h"

static const uint64_t PRIME1 = 0x9E3779B185EBCA87, PRIME2 = 0xC2B2AE3D27D4EB4F, PRIME3 = 0x165667B19E3779F9,
                      PRIME4 = 0x85EBCA77C2B2AE63, PRIME5 = 0x27D4EB2F165667C5;

static uint64_t rotate(uint64_t value, int bits) {
    return value << bits | value >> (64 - bits);
}

static uint64_t mix(uint64_t lane, uint64_t input) {
    return rotate(lane + input * PRIME2, 31) * PRIME1;
}

uint64_t xxh64(const uint8_t *from, uint64_t bytes) {
    const uint8_t *end = from + bytes;
    uint64_t hash = PRIME5;
    if (bytes >= 32) {
        uint64_t lanes[4] = {PRIME1 + PRIME2, PRIME2, 0, -PRIME1};
        for (; end - from >= 32; from += 32) {
            for (int k = 0; k < 4; k++) {
                lanes[k] = mix(lanes[k], load64(from + 8 * k));
            }
        }
        hash = rotate(lanes[0], 1) + rotate(lanes[1], 7) + rotate(lanes[2], 12) + rotate(lanes[3], 18);
        for (int k = 0; k < 4; k++) {
            hash = (hash ^ mix(0, lanes[k])) * PRIME1 + PRIME4;
        }
    }
    hash += bytes;
    for (; end - from >= 8; from += 8) {
        hash = rotate(hash ^ mix(0, load64(from)), 27) * PRIME1 + PRIME4;
    }
    for (; end - from >= 4; from += 4) {
        hash = rotate(hash ^ load32(from) * PRIME1, 23) * PRIME2 + PRIME3;
    }
    for (; from < end; from++) {
        hash = rotate(hash ^ *from * PRIME5, 11) * PRIME1;
    }
    hash = (hash ^ hash >> 33) * PRIME2;
    hash = (hash ^ hash >> 29) * PRIME3;
    return hash ^ hash >> 32;
}
