/*
 * A decoder of LZ4 blocks for x86-64 with AVX-512 VBMI: the declarations its parts share. docs/decoders.md has its
 * reasons and costs. Freestanding, like the zstd decoder. Source: lz4_Block_format.md of https://github.com/lz4/lz4.
 *
 * Whatever the input, it accesses no memory outside its arguments. A refusal does not mean that the input is invalid:
 * the caller then uses another decoder.
 */
#pragma once

#include "../lengths.h"
#include "../matches.h"

enum {
    MATCH_MIN = 4,
    LENGTH_MORE = 15,     /* length that continues in the next byte */
    LAST_LITERALS = 5,    /* end of block conditions: the last bytes are literals, */
    MATCH_BEFORE = 12,    /* and the last match begins before these bytes */
    RATIOS = 9,           /* 0 to 8 eighths */
    TIMED_EVERY = 251,    /* a prime, because planes of elements alternate */
    GAIN_MAX = 1 << 24,   /* ticks of one block */
    HISTORY = 64          /* bytes that must be decoded before decodeSequences */
};

/*
 * Statistics of earlier blocks, by their compression ratio in eighths: which loop is faster. In each period, one block
 * is decoded by both loops, in alternating order. Zeroed at first. Its content does not change the output.
 */
typedef struct {
    uint32_t blocks[RATIOS]; /* number of blocks in two such periods */
    int32_t gain[RATIOS];    /* ticks by which the loop for far matches was faster, over the last blocks */
} State;

/* The position of decoding. sequences.s uses the offsets. */
typedef struct {
    const uint8_t *at;
    uint8_t *to;
    const uint8_t *begin; /* of the output */
    const uint8_t *end;   /* of the block */
    uint8_t *toEnd;       /* end of the room */
    int64_t isFar;        /* whether the loop for far matches goes first */
} Run;

#define AT(field, offset) _Static_assert(offsetof(Run, field) == (offset), #field)
AT(at, 0);
AT(to, 8);
AT(begin, 16);
AT(end, 24);
AT(toEnd, 32);
AT(isFar, 40);
#undef AT

void decodeSequences(Run *run);
