/* Huffman codes and their tables, RFC 1951 3.2.2, 3.2.6 and 3.2.7. */
#include "deflate.h"

enum {
    STORED_LENGTHS = 16,      /* smaller codes of lengths are the length itself, 3.2.7 */
    BLOCK_SYMBOLS = 1 << 14,  /* of a block by zlib */
    SYMBOL_BITS = 12,         /* approximate size of a symbol, if many are matches */
    MATCHES_MIN = 1500,       /* number that is worth a table of matches */
    PAIRS_MIN = 1 << 13,      /* look-ups out of 2^16 that must find two literals, for pairs to be worth it */
    LITERALS_FROM = 25000,    /* Symbols out of 2^16, if each match may or may not have literals before it. If fewer */
    LITERALS_TO = 40600       /* or more are literals, the next symbol is predicted well enough. */
};

/* Entries of symbols, without their bits. */
#define LITERALS(s) (s) << 8 | 1 << 24, ((s) + 1) << 8 | 1 << 24, ((s) + 2) << 8 | 1 << 24, ((s) + 3) << 8 | 1 << 24
#define LITERALS_16(s) LITERALS(s), LITERALS((s) + 4), LITERALS((s) + 8), LITERALS((s) + 12)
#define LITERALS_64(s) LITERALS_16(s), LITERALS_16((s) + 16), LITERALS_16((s) + 32), LITERALS_16((s) + 48)
#define LENGTHS(base, extra) (uint32_t)(base) << BASE_SHIFT | (extra) << 8
static const uint32_t symbolEntries[SYMBOLS] = {
    LITERALS_64(0), LITERALS_64(64), LITERALS_64(128), LITERALS_64(192), SPECIAL,
    LENGTHS(3, 0), LENGTHS(4, 0), LENGTHS(5, 0), LENGTHS(6, 0), LENGTHS(7, 0), LENGTHS(8, 0), LENGTHS(9, 0),
    LENGTHS(10, 0), LENGTHS(11, 1), LENGTHS(13, 1), LENGTHS(15, 1), LENGTHS(17, 1), LENGTHS(19, 2), LENGTHS(23, 2),
    LENGTHS(27, 2), LENGTHS(31, 2), LENGTHS(35, 3), LENGTHS(43, 3), LENGTHS(51, 3), LENGTHS(59, 3), LENGTHS(67, 4),
    LENGTHS(83, 4), LENGTHS(99, 4), LENGTHS(115, 4), LENGTHS(131, 5), LENGTHS(163, 5), LENGTHS(195, 5),
    LENGTHS(227, 5), LENGTHS(258, 0), SPECIAL, SPECIAL};

#define DISTANCE(base, extra) (uint32_t)(base) << DISTANCE_SHIFT | (extra)
static const uint32_t distanceEntries[DISTANCES] = {
    DISTANCE(1, 0), DISTANCE(2, 0), DISTANCE(3, 0), DISTANCE(4, 0), DISTANCE(5, 1), DISTANCE(7, 1), DISTANCE(9, 2),
    DISTANCE(13, 2), DISTANCE(17, 3), DISTANCE(25, 3), DISTANCE(33, 4), DISTANCE(49, 4), DISTANCE(65, 5),
    DISTANCE(97, 5), DISTANCE(129, 6), DISTANCE(193, 6), DISTANCE(257, 7), DISTANCE(385, 7), DISTANCE(513, 8),
    DISTANCE(769, 8), DISTANCE(1025, 9), DISTANCE(1537, 9), DISTANCE(2049, 10), DISTANCE(3073, 10),
    DISTANCE(4097, 11), DISTANCE(6145, 11), DISTANCE(8193, 12), DISTANCE(12289, 12), DISTANCE(16385, 13),
    DISTANCE(24577, 13), SPECIAL, SPECIAL};

static const uint32_t lengthEntries[LENGTH_CODES] = {
    0, 1 << 16, 2 << 16, 3 << 16, 4 << 16, 5 << 16, 6 << 16, 7 << 16, 8 << 16, 9 << 16, 10 << 16, 11 << 16, 12 << 16,
    13 << 16, 14 << 16, 15 << 16, 16 << 16, 17 << 16, 18 << 16};

/* Added to an entry for each bit of its code: for literals, the end of a block, lengths, and invalid symbols. */
static const uint32_t symbolSteps[4] = {1, 1 << 8, 1 << 8 | 1 << CODE_BITS_SHIFT, 0};

static uint32_t symbolEntry(uint32_t symbol, uint32_t bits) {
    uint32_t kind = (symbol >= END_OF_BLOCK) + (symbol > END_OF_BLOCK) + (symbol >= SYMBOLS - 2);
    return symbolEntries[symbol] + bits * symbolSteps[kind];
}

static uint32_t distanceEntry(uint32_t distance, uint32_t bits) {
    return distanceEntries[distance] + bits * (1 | 1 << 8);
}

static uint32_t lengthEntry(uint32_t length, uint32_t bits) {
    return lengthEntries[length] + bits;
}

/* Reverses a code, because the stream has its last bits first, 3.1.1. */
static inline uint32_t reverse(uint32_t code, uint32_t bits) {
    code = (code & 0x5555) << 1 | (code >> 1 & 0x5555);
    code = (code & 0x3333) << 2 | (code >> 2 & 0x3333);
    code = (code & 0x0f0f) << 4 | (code >> 4 & 0x0f0f);
    code = (code & 0xff) << 8 | code >> 8;
    return code >> (16 - bits);
}

static void copyEntries(uint32_t *to, const uint32_t *from, uint32_t entries) {
    if (entries < 4) {
        for (uint32_t k = 0; k < entries; k++) {
            to[k] = from[k];
        }
        return;
    }
    for (uint32_t k = 0; k < entries; k += 4) {
        _mm_storeu_si128((__m128i *)(to + k), _mm_loadu_si128((const __m128i *)(from + k)));
    }
}

/*
 * Counts the codes of each length. Uses four arrays in turns, because each sum waits for the one before it in memory.
 */
static void countBits(const uint8_t *bits, uint32_t symbols, uint32_t *counts) {
    uint32_t turns[4][BITS_MAX + 1] = {{0}};
    for (uint32_t k = 0; k < symbols; k++) {
        turns[k & 3][bits[k]]++;
    }
    for (uint32_t n = 0; n <= BITS_MAX; n++) {
        counts[n] = turns[0][n] + turns[1][n] + turns[2][n] + turns[3][n];
    }
}

typedef uint32_t (*EntryOf)(uint32_t symbol, uint32_t bits);

/*
 * Fills a table from the length of each symbol's code, 0 for none. The codes must be complete, so that no look-up finds
 * old entries; for distances, one code of 1 bit or none is valid too.
 */
static inline __attribute__((always_inline)) int fillTable(
    State *state, uint32_t *table, uint32_t log, uint32_t capacity, const uint8_t *bits, uint32_t symbols, EntryOf entryOf) {
    uint32_t counts[BITS_MAX + 1];
    countBits(bits, symbols, counts);
    uint32_t places[BITS_MAX + 1];
    uint32_t place = 0, most = 0;
    int32_t left = 1; /* unused codes; once below 0, it stays there */
    for (uint32_t n = 1; n <= BITS_MAX; n++) {
        places[n] = place;
        place += counts[n];
        left = 2 * left - (int32_t)counts[n];
        most = counts[n] != 0 ? n : most;
    }
    places[0] = place; /* without a branch: symbols without a code come last */
    for (uint32_t k = 0; k < symbols; k++) {
        state->sorted[places[bits[k]]++] = (uint16_t)k;
    }
    if (left != 0) {
        if (left < 0 || entryOf != distanceEntry || most > 1) {
            return REFUSED;
        }
        uint32_t one = most == 1 ? entryOf(state->sorted[0], 1) : SPECIAL;
        for (uint32_t k = 0; k < 1u << log; k += 2) {
            table[k] = one;
            table[k + 1] = SPECIAL;
        }
        return 0;
    }
    const uint16_t *next = state->sorted;
    uint32_t code = 0, n = 1;
    for (; counts[n] == 0; n++) {
    }
    /* The entries of shorter codes repeat up to the table's size. */
    for (; n <= log; n++, code <<= 1) {
        for (uint32_t k = counts[n]; k > 0; k--) {
            table[reverse(code++, n)] = entryOf(*next++, n);
        }
        if (n < log) {
            copyEntries(table + (1u << n), table, 1u << n);
        }
    }
    uint32_t end = 1u << log, from = 0, prefix = UINT32_MAX, longer = 0;
    for (; n <= most; n++, code <<= 1) {
        for (uint32_t k = counts[n]; k > 0; k--, code++) {
            uint32_t reversed = reverse(code, n);
            uint32_t first = reversed & ((1u << log) - 1);
            if (first != prefix) {
                prefix = first;
                longer = n - log;
                for (uint32_t filled = k; filled < 1u << longer && log + longer < BITS_MAX;) {
                    longer++;
                    filled = 2 * filled + counts[log + longer];
                }
                from = end;
                end += 1u << longer;
                if (end > capacity) {
                    return REFUSED; /* more than any valid code needs */
                }
                table[prefix] =
                    SPECIAL | LONGER | (from - (1u << log)) << LONGER_SHIFT | longer << CODE_BITS_SHIFT | log << 8;
            }
            uint32_t entry = entryOf(*next++, n - log);
            for (uint32_t at = reversed >> log; at < 1u << longer; at += 1u << (n - log)) {
                table[from + at] = entry;
            }
        }
    }
    return 0;
}

/* Counts how many of 2^16 look-ups find a literal, and how many find two of them in SYMBOL_LOG bits. */
static void countLiterals(const uint8_t *bits, uint32_t *one, uint32_t *two) {
    uint32_t counts[BITS_MAX + 1];
    countBits(bits, END_OF_BLOCK, counts);
    uint32_t upTo[BITS_MAX + 1]; /* of codes with up to n bits */
    upTo[0] = 0;
    for (uint32_t n = 1; n <= BITS_MAX; n++) {
        upTo[n] = upTo[n - 1] + (counts[n] << (16 - n));
    }
    *one = upTo[BITS_MAX];
    *two = 0;
    for (uint32_t n = 1; n < SYMBOL_LOG; n++) {
        *two += counts[n] * (upTo[SYMBOL_LOG - n] >> n);
    }
}

/*
 * Adds a second literal to look-ups with enough bits left. Goes backwards, because the second entry must not be a pair
 * yet.
 */
static void pairLiterals(uint32_t *table) {
    for (uint32_t k = 1u << SYMBOL_LOG; k-- > 0;) {
        uint32_t first = table[k];
        uint32_t second = table[k >> (first & 15)];
        uint32_t bits = (first & 255) + (second & 255);
        uint32_t isPair = (first & 255) != 0 && (second & 255) != 0 && bits <= SYMBOL_LOG;
        uint32_t pair = bits | (first & 0xff00) | (second & 0xff00) << 8 | 2u << COUNT_SHIFT;
        table[k] = isPair ? pair : first;
    }
}

static uint32_t lowBits(uint32_t value, uint32_t bits) {
    return value & ((1u << bits) - 1);
}

/* Adds distances to entries of lengths. This saves a dependent look-up, and most codes of both are short. */
static void findMatches(State *state) {
    for (uint32_t k = 0; k < 1u << SYMBOL_LOG; k += 4) {
        __m128i entries = _mm_loadu_si128((const __m128i *)(state->symbols + k));
        __m128i zeros = _mm_setzero_si128();
        _mm_storeu_si128((__m128i *)(state->matches + k), _mm_unpacklo_epi32(entries, zeros));
        _mm_storeu_si128((__m128i *)(state->matches + k + 2), _mm_unpackhi_epi32(entries, zeros));
    }
    uint64_t distances[1 << DISTANCE_LOG]; /* in the form of matches */
    for (uint32_t k = 0; k < 1u << DISTANCE_LOG; k++) {
        uint64_t entry = state->distances[k];
        uint64_t code = entry >> 8 & 63, all = entry & 255;
        uint64_t found = entry >> DISTANCE_SHIFT << 32 | code << CODE_BITS_SHIFT | all << 8;
        distances[k] = (entry & SPECIAL) == 0 ? found : 63 << CODE_BITS_SHIFT;
    }
    /* First the indices whose bits after the length are 0, then all others. */
    for (uint32_t k = 0; k < 1u << (SYMBOL_LOG - 1); k++) {
        uint32_t entry = state->symbols[k];
        uint32_t all = entry >> 8 & 255, code = entry >> CODE_BITS_SHIFT & 63;
        if ((entry & (SPECIAL | 255)) != 0 || all >= SYMBOL_LOG || k >> all != 0) {
            continue;
        }
        uint64_t length = (entry >> BASE_SHIFT) + lowBits(k >> code, all - code);
        uint64_t match = length << BASE_SHIFT | all << CODE_BITS_SHIFT | all << 8;
        uint32_t bits = SYMBOL_LOG - all;
        for (uint32_t more = 0; more < 1u << bits; more++) {
            uint64_t distance = distances[lowBits(more, DISTANCE_LOG)];
            uint64_t isFound = (distance >> CODE_BITS_SHIFT & 63) <= bits;
            state->matches[k | more << all] = isFound ? match + distance : entry;
        }
    }
}

static int fillTables(State *state, uint32_t symbols, const uint8_t *distances, uint32_t distanceCodes) {
    if (fillTable(state, state->distances, DISTANCE_LOG, DISTANCE_ENTRIES, distances, distanceCodes, distanceEntry) < 0
        || fillTable(state, state->symbols, SYMBOL_LOG, SYMBOL_ENTRIES, state->bits, symbols, symbolEntry) < 0) {
        return REFUSED;
    }
    state->kind = MOSTLY_LITERALS;
    return 0;
}

/* Chooses the fastest loop for a block, from the likelihood of symbols by their codes, and makes its tables. */
static void chooseLoop(State *state, const Run *run) {
    uint32_t one, two;
    countLiterals(state->bits, &one, &two);
    int64_t left = (run->end - run->at) * 8 / SYMBOL_BITS;
    int64_t decoded = left < BLOCK_SYMBOLS ? left : BLOCK_SYMBOLS;
    if (decoded * (65536 - one) >> 16 > MATCHES_MIN) {
        state->kind = one > LITERALS_FROM && one < LITERALS_TO ? LITERALS_BETWEEN : MOSTLY_MATCHES;
        findMatches(state);
    } else if (two > PAIRS_MIN) {
        pairLiterals(state->symbols);
    }
}

/* Reads the codes of a dynamic block, 3.2.7. */
int readCodes(State *state, Run *run) {
    static const uint8_t order[LENGTH_CODES] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
    state->isFixed = 0;
    refill(run);
    uint32_t symbols = 257 + (run->bits & 31), distances = 1 + (run->bits >> 5 & 31), lengths = 4 + (run->bits >> 10 & 15);
    if (run->count < 14 || symbols > SYMBOLS - 2 || distances > DISTANCES - 2) {
        return REFUSED;
    }
    run->bits >>= 14;
    run->count -= 14;
    uint8_t lengthBits[LENGTH_CODES] = {0};
    for (uint32_t k = 0; k < lengths; k++) {
        refill(run);
        if (run->count < 3) {
            return REFUSED;
        }
        lengthBits[order[k]] = run->bits & 7;
        run->bits >>= 3;
        run->count -= 3;
    }
    if (fillTable(
            state, state->lengths, LENGTH_BITS_MAX, 1 << LENGTH_BITS_MAX, lengthBits, LENGTH_CODES, lengthEntry) < 0) {
        return REFUSED;
    }
    uint8_t *bits = state->bits;
    for (uint32_t k = 0; k < symbols + distances;) {
        refill(run);
        uint32_t entry = state->lengths[run->bits & ((1 << LENGTH_BITS_MAX) - 1)];
        uint32_t code = entry >> 16, used = entry & 255;
        uint64_t extra = run->bits >> used;
        uint32_t times = 1, value = code;
        if (code >= STORED_LENGTHS) {
            value = 0;
            if (code == 16) {
                if (k == 0) {
                    return REFUSED;
                }
                value = bits[k - 1];
                times = 3 + (extra & 3);
                used += 2;
            } else if (code == 17) {
                times = 3 + (extra & 7);
                used += 3;
            } else {
                times = 11 + (extra & 127);
                used += 7;
            }
        }
        if (used > run->count || times > symbols + distances - k) {
            return REFUSED;
        }
        run->bits >>= used;
        run->count -= used;
        for (; times > 0; times--) {
            bits[k++] = (uint8_t)value;
        }
    }
    if (bits[END_OF_BLOCK] == 0) {
        return REFUSED;
    }
    if (fillTables(state, symbols, bits + symbols, distances) < 0) {
        return REFUSED;
    }
    chooseLoop(state, run);
    return 0;
}

/* Sets the codes of a fixed block, 3.2.6: one look-up never finds two of them. */
int useFixedCodes(State *state) {
    if (state->isFixed) {
        return 0;
    }
    uint8_t *bits = state->bits;
    for (uint32_t k = 0; k < SYMBOLS; k++) {
        bits[k] = k < 144 ? 8 : k < 256 ? 9 : k < 280 ? 7 : 8;
    }
    for (uint32_t k = 0; k < DISTANCES; k++) {
        bits[SYMBOLS + k] = 5;
    }
    state->isFixed = 1;
    return fillTables(state, SYMBOLS, bits + SYMBOLS, DISTANCES);
}
