/* Deflate streams, RFC 1951 3.2.3: blocks, and single symbols with every check. symbols.s decodes the usual symbols. */
#include "deflate.h"

enum { STORED = 0, FIXED = 1, DYNAMIC = 2, WORD_BITS = 56 };

static uint64_t load(const uint8_t *from) {
    uint64_t word;
    __builtin_memcpy(&word, from, sizeof word);
    return word;
}

/* Takes bits from the stream: at least 56, if so many are left. */
void refill(Run *run) {
    if (run->end - run->at >= 8) {
        run->bits |= load(run->at) << run->count;
        run->at += (63 - run->count) >> 3;
        run->count |= WORD_BITS;
        return;
    }
    for (; run->count < WORD_BITS && run->at < run->end; run->count += 8) {
        run->bits |= (uint64_t)*run->at++ << run->count;
    }
}

/* Gives back the bytes that are not decoded yet. */
static void giveBack(Run *run) {
    run->at -= run->count >> 3;
    run->count &= 7;
}

/* Copies an uncompressed block, 3.2.4. */
static int copyStored(Run *run) {
    giveBack(run);
    run->bits = run->count = 0;
    if (run->end - run->at < 4) {
        return REFUSED;
    }
    uint32_t header;
    __builtin_memcpy(&header, run->at, sizeof header);
    int64_t bytes = header & UINT16_MAX;
    run->at += 4;
    if (bytes != (~header >> 16) || bytes > run->end - run->at || bytes > run->toEnd - run->to) {
        return REFUSED;
    }
    copyExactly(run->to, run->at, bytes);
    run->at += bytes;
    run->to += bytes;
    return 0;
}

static uint32_t look(const uint32_t *table, uint32_t log, uint64_t bits, uint32_t *used) {
    uint32_t entry = table[bits & ((1u << log) - 1)];
    *used = 0;
    if (entry >> 30 == 3) {
        *used = log;
        uint32_t more = (uint32_t)(bits >> log) & ((1u << (entry >> CODE_BITS_SHIFT & 7)) - 1);
        entry = table[(1u << log) + (entry >> LONGER_SHIFT & 0x7ff) + more];
    }
    return entry;
}

static uint64_t extraBits(uint64_t bits, uint32_t all, uint32_t code) {
    return (bits & ((1ull << all) - 1)) >> code;
}

static int use(Run *run, uint32_t bits) {
    if (bits > run->count) {
        return REFUSED;
    }
    run->bits >>= bits;
    run->count -= bits;
    return 0;
}

/* Returns 1 if more symbols follow, 0 at the end of the block, or REFUSED. */
static int decodeSymbol(const State *state, Run *run) {
    refill(run);
    uint32_t used;
    uint32_t entry = look(state->symbols, SYMBOL_LOG, run->bits, &used);
    if ((entry & 255) != 0) {
        uint32_t literals = entry >> COUNT_SHIFT;
        if (use(run, used + (entry & 255)) < 0 || literals > run->toEnd - run->to) {
            return REFUSED;
        }
        *run->to++ = (uint8_t)(entry >> LITERAL_SHIFT);
        if (literals == 2) {
            *run->to++ = (uint8_t)(entry >> (LITERAL_SHIFT + 8));
        }
        return 1;
    }
    uint32_t all = entry >> 8 & 255;
    uint64_t bits = run->bits >> used;
    if (all == 0 || use(run, used + all) < 0) {
        return REFUSED;
    }
    if ((entry & SPECIAL) != 0) {
        return 0;
    }
    uint64_t length = (entry >> BASE_SHIFT) + extraBits(bits, all, entry >> CODE_BITS_SHIFT & 63);
    entry = look(state->distances, DISTANCE_LOG, run->bits, &used);
    bits = run->bits >> used;
    if ((entry & SPECIAL) != 0 || use(run, used + (entry & 255)) < 0) {
        return REFUSED;
    }
    uint64_t distance = (entry >> DISTANCE_SHIFT) + extraBits(bits, entry & 255, entry >> 8 & 63);
    if (distance > (uint64_t)(run->to - run->begin) || length > (uint64_t)(run->toEnd - run->to)) {
        return REFUSED;
    }
    copyMatch(run->to, (int64_t)distance, (int64_t)length, run->toEnd - run->to);
    run->to += length;
    return 1;
}

/* Decodes the rest of a block, or up to stop. Returns REFUSED if that is not possible. */
static int decodeSymbols(const State *state, Run *run, const uint8_t *stop) {
    uint8_t *limit = run->toEnd - run->to > TARGET_MARGIN ? run->toEnd - TARGET_MARGIN : run->to;
    limit = limit > stop ? (uint8_t *)stop : limit;
    int more;
    do {
        if (run->to < limit && run->end - run->at > END_MARGIN) {
            giveBack(run);
            switch (state->kind) {
            case MOSTLY_MATCHES:
                decodeMatches(run, state, limit);
                break;
            case LITERALS_BETWEEN:
                decodeBetween(run, state, limit);
                break;
            default:
                decodeLiterals(run, state, limit);
            }
        }
        more = run->to < stop ? decodeSymbol(state, run) : 0;
    } while (more > 0);
    return more;
}

int64_t stateBytes(void) {
    return sizeof(State);
}

/*
 * Decodes a stream, or at least its first `wanted` bytes without reading the rest. Returns the number of decoded bytes,
 * or REFUSED. wanted: INT64_MAX for all; then state->used is the size of the stream.
 */
int64_t inflate(int64_t bytes, const uint8_t *stream, int64_t room, int64_t wanted, State *state, uint8_t *to) {
    if ((uintptr_t)to <= UINT16_MAX) {
        return REFUSED; /* to - distance would wrap */
    }
    Run run = {stream, stream + bytes, 0, 0, to, to, to + room};
    /* Beyond the target's end, because the end of the last block must be read. */
    const uint8_t *stop = wanted < room ? to + wanted : (const uint8_t *)UINTPTR_MAX;
    uint32_t isLast = 0;
    while (!isLast && run.to < stop) {
        refill(&run);
        isLast = run.bits & 1;
        uint32_t type = run.bits >> 1 & 3;
        if (use(&run, 3) < 0) {
            return REFUSED;
        }
        int done = REFUSED;
        if (type == STORED) {
            done = copyStored(&run);
        } else if ((type == FIXED && useFixedCodes(state) == 0) || (type == DYNAMIC && readCodes(state, &run) == 0)) {
            done = decodeSymbols(state, &run, stop);
        }
        if (done < 0) {
            return REFUSED;
        }
    }
    giveBack(&run);
    state->used = run.at - stream;
    return run.to < stop ? run.to - to : wanted;
}
