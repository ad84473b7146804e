/*
 * A decoder of deflate streams (RFC 1951) for x86-64 with BMI2: what its parts share. Why there is one, and what it
 * costs, says docs/decoders.md. Freestanding, as zstd's.
 *
 * Whatever the input, it reads and writes nothing outside of what it is given. What it refuses says nothing about the
 * input: the caller asks another decoder.
 */
#pragma once

#include "../matches.h"

enum {
    BITS_MAX = 15,         /* of a code, 3.2.7 */
    LENGTH_BITS_MAX = 7,   /* of a code for lengths of codes, 3.2.7 */
    SYMBOLS = 288,         /* literals, the end of the block, lengths of matches, 3.2.5 */
    END_OF_BLOCK = 256,
    DISTANCES = 32,
    LENGTH_CODES = 19,
    SYMBOL_LOG = 11,       /* Of so many bits is what is looked up first. */
    DISTANCE_LOG = 9,
    SYMBOL_ENTRIES = 2342, /* As many as 288 codes of up to 15 bits can need; fillTable checks it. */
    DISTANCE_ENTRIES = 808 /* and 32 */
};

/*
 * Entries of tables.
 *
 * Symbols. One or two literals: their bits in byte 0, which is 0 in all that follow; byte 1 and 2; how many, in byte 3.
 * A length: bits of its code and its extra bits in byte 1, of its code alone in bits 16 to 21, what the extra bits are
 * added to above. The end of a block: its bits in byte 1, and SPECIAL. A table for longer codes: SPECIAL and LONGER,
 * SYMBOL_LOG in byte 1, the bits that it is looked up with in bits 16 to 18, and above where it begins, counted from
 * the first one. No symbol: SPECIAL.
 *
 * Distances: bits of code and extra bits in byte 0, of the code alone in bits 8 to 13, what the extra bits are added to
 * from bit 16 on. SPECIAL and LONGER as above, but for byte 1; no distance: SPECIAL.
 *
 * Matches: as symbols. But a length whose code and extra bits and whose distance's code are no more than SYMBOL_LOG bits
 * is found with that: the distance's base in the upper half, which is 0 otherwise, the length itself from bit 22 on,
 * all bits of both in byte 1, and in bits 16 to 21 all but the distance's extra bits.
 *
 * Lengths of codes: bits in byte 0, and which one from bit 16 on.
 */
enum { LITERAL_SHIFT = 8, COUNT_SHIFT = 24, CODE_BITS_SHIFT = 16, BASE_SHIFT = 22, DISTANCE_SHIFT = 16, LONGER_SHIFT = 19 };
#define SPECIAL 0x80000000u
#define LONGER 0x40000000u

/* symbols.s knows where the tables lie. */
typedef struct {
    int64_t used; /* bytes of the stream; MachineCodeInflate reads it */
    uint32_t kind; /* of the block: which loop decodes it */
    uint32_t isFixed; /* The tables are those of 3.2.6. */
    uint64_t matches[1 << SYMBOL_LOG];
    uint32_t symbols[SYMBOL_ENTRIES];
    uint32_t distances[DISTANCE_ENTRIES];
    uint32_t lengths[1 << LENGTH_BITS_MAX];
    uint8_t bits[SYMBOLS + DISTANCES]; /* of each code */
    uint16_t sorted[SYMBOLS];
} State;

/* Which loop is the fastest for a block; but for MOSTLY_LITERALS there is the table of matches. */
enum { MOSTLY_LITERALS, MOSTLY_MATCHES, LITERALS_BETWEEN };

/* Where decoding is. symbols.s knows where these lie. */
typedef struct {
    const uint8_t *at;
    const uint8_t *end; /* of the stream */
    uint64_t bits;      /* taken from the stream, and not yet decoded; above count what follows them, or zeros */
    uint64_t count;     /* of bits, up to 63 */
    uint8_t *to;
    uint8_t *begin; /* of what is decoded */
    uint8_t *toEnd; /* Nothing is written there. */
} Run;

#define AT(type, field, offset) _Static_assert(offsetof(type, field) == (offset), #field)
AT(State, matches, 16);
AT(State, symbols, 16 + (8 << SYMBOL_LOG));
AT(State, distances, 16 + (8 << SYMBOL_LOG) + 4 * SYMBOL_ENTRIES);
AT(Run, at, 0);
AT(Run, end, 8);
AT(Run, bits, 16);
AT(Run, count, 24);
AT(Run, to, 32);
AT(Run, begin, 40);
#undef AT

/*
 * Decode until to has reached limit, less than END_MARGIN bytes of the stream are left, or something is not usual. At
 * least TARGET_MARGIN bytes behind limit may be written.
 */
enum { END_MARGIN = 24, TARGET_MARGIN = 320 };
void decodeLiterals(Run *run, const State *state, uint8_t *limit);
void decodeMatches(Run *run, const State *state, uint8_t *limit);
void decodeBetween(Run *run, const State *state, uint8_t *limit);

void refill(Run *run);
int readCodes(State *state, Run *run);
int useFixedCodes(State *state);
