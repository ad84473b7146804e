/*
 * A decoder of LZ4 blocks for x86-64 with AVX-512 VBMI: what its parts share. Why there is one, and what it costs, says
 * docs/decoders.md. Freestanding, as zstd's. Source: lz4_Block_format.md of https://github.com/lz4/lz4.
 *
 * Whatever the input, it reads and writes nothing outside of what it is given. What it refuses says nothing about the
 * input: the caller asks another decoder.
 */
#pragma once

#include "../lengths.h"
#include "../matches.h"

enum {
    MATCH_MIN = 4,
    LENGTH_MORE = 15,     /* A length that goes on in the next byte. */
    LAST_LITERALS = 5,    /* End of block conditions: the last bytes are literals, */
    MATCH_BEFORE = 12,    /* and the last match begins before these. */
    RATIOS = 9,           /* 0 to 8 eighths */
    TIMED_EVERY = 251,    /* A prime, as there are planes of an element in turns. */
    GAIN_MAX = 1 << 24,   /* ticks of one block */
    HISTORY = 64          /* How much must be decoded before decodeSequences. */
};

/*
 * What is known of blocks before, by how far they were compressed, in eighths: which loop is the faster one. Of every so
 * many blocks one is decoded by both, first by the one and the next time by the other. Zeroed at first; whatever is in
 * it, a block is decoded to the same.
 */
typedef struct {
    uint32_t blocks[RATIOS]; /* of two such turns, how many are done */
    int32_t gain[RATIOS];    /* ticks that the loop for far matches was faster by, of the last some together */
} State;

/* Where decoding is. sequences.s knows where these lie. */
typedef struct {
    const uint8_t *at;
    uint8_t *to;
    const uint8_t *begin; /* of what is decoded */
    const uint8_t *end;   /* of the block */
    uint8_t *toEnd;       /* Nothing is written there. */
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
