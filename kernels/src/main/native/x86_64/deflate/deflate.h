/*
 * A decoder of deflate streams (RFC 1951) for x86-64 with BMI2: the declarations its parts share. docs/decoders.md has
 * its reasons and costs. Freestanding, like the zstd decoder.
 *
 * Whatever the input, it accesses no memory outside its arguments. A refusal does not mean that the input is invalid:
 * the caller then uses another decoder.
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
    SYMBOL_LOG = 11,       /* bits of the first look-up */
    DISTANCE_LOG = 9,
    SYMBOL_ENTRIES = 2342, /* the most that 288 codes of up to 15 bits need; fillTable checks it */
    DISTANCE_ENTRIES = 808 /* the same for 32 codes */
};

/*
 * Entries of tables.
 *
 * Symbols. One or two literals: their bits in byte 0, which is 0 in all other entries; the literals in bytes 1 and 2;
 * their number in byte 3.
 * A length: bits of its code and its extra bits in byte 1, bits of the code alone in bits 16 to 21, the base that the
 * extra bits are added to above. The end of a block: its bits in byte 1, and SPECIAL. A table for longer codes: SPECIAL
 * and LONGER, SYMBOL_LOG in byte 1, the bits of its look-ups in bits 16 to 18, and above them its offset, counted from
 * the first table. An invalid symbol: SPECIAL.
 *
 * Distances: bits of code and extra bits in byte 0, bits of the code alone in bits 8 to 13, the base that the extra
 * bits are added to from bit 16 on. SPECIAL and LONGER as above, without byte 1; an invalid distance: SPECIAL.
 *
 * Matches: the same entries as symbols, except for a length whose code, extra bits and distance's code are together at
 * most SYMBOL_LOG bits. That entry has the distance's base in the upper half, which is 0 otherwise, the length itself
 * from bit 22 on, all bits of both in byte 1, and in bits 16 to 21 all bits but the distance's extra bits.
 *
 * Lengths of codes: bits in byte 0, and the symbol from bit 16 on.
 */
enum { LITERAL_SHIFT = 8, COUNT_SHIFT = 24, CODE_BITS_SHIFT = 16, BASE_SHIFT = 22, DISTANCE_SHIFT = 16, LONGER_SHIFT = 19 };
#define SPECIAL 0x80000000u
#define LONGER 0x40000000u

/* symbols.s uses the offsets of the tables. */
typedef struct {
    int64_t used; /* size of the stream in bytes; MachineCodeInflate reads it */
    uint32_t kind; /* of the block's loop */
    uint32_t isFixed; /* the tables are those of 3.2.6 */
    uint64_t matches[1 << SYMBOL_LOG];
    uint32_t symbols[SYMBOL_ENTRIES];
    uint32_t distances[DISTANCE_ENTRIES];
    uint32_t lengths[1 << LENGTH_BITS_MAX];
    uint8_t bits[SYMBOLS + DISTANCES]; /* of each code */
    uint16_t sorted[SYMBOLS];
} State;

/* The loop for a block. All but MOSTLY_LITERALS use the table of matches. */
enum { MOSTLY_LITERALS, MOSTLY_MATCHES, LITERALS_BETWEEN };

/* The position of decoding. symbols.s uses the offsets. */
typedef struct {
    const uint8_t *at;
    const uint8_t *end; /* of the stream */
    uint64_t bits;      /* taken from the stream and not yet decoded; bits above count are the next ones or zeros */
    uint64_t count;     /* number of bits, up to 63 */
    uint8_t *to;
    uint8_t *begin; /* of the output */
    uint8_t *toEnd; /* end of the room */
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
 * Decode until to reaches limit, less than END_MARGIN bytes of the stream are left, or a symbol is unusual. At least
 * TARGET_MARGIN bytes after limit must be writable.
 */
enum { END_MARGIN = 24, TARGET_MARGIN = 320 };
void decodeLiterals(Run *run, const State *state, uint8_t *limit);
void decodeMatches(Run *run, const State *state, uint8_t *limit);
void decodeBetween(Run *run, const State *state, uint8_t *limit);

void refill(Run *run);
int readCodes(State *state, Run *run);
int useFixedCodes(State *state);
