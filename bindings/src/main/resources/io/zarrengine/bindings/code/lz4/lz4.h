/*
 * A decoder of LZ4 blocks for x86-64 with AVX-512 VBMI: what its parts share. Why there is one, and what it costs, says
 * docs/lz4.md. Freestanding, as zstd's. Source: lz4_Block_format.md of https://github.com/lz4/lz4.
 *
 * Whatever the input, it reads and writes nothing outside of what it is given. What it refuses says nothing about the
 * input: the caller asks another decoder.
 */
#pragma once

#include "../matches.h"

enum {
    REFUSED = -1,
    MATCH_MIN = 4,
    LENGTH_MORE = 15,     /* A length that goes on in the next byte; */
    BYTE_MORE = 255,      /* and so does this one. */
    LAST_LITERALS = 5,    /* End of block conditions: the last bytes are literals, */
    MATCH_BEFORE = 12,    /* and the last match begins before these. */
    RATIOS = 9,           /* 0 to 8 eighths */
    COUNTED_EVERY = 31,   /* No power of two, as there are planes of an element in turns. */
    COUNTED_MIN = 16,     /* Of fewer sequences nothing is learned. */
    FAR_PAUSE = 1,        /* As in sequences.s. */
    HISTORY = 64          /* How much must be decoded before decodeSequences. */
};

/*
 * What is known of blocks before, by how far they were compressed, in eighths: whether their matches are mostly far
 * away. Of every so many blocks one is counted. Zeroed at first.
 */
typedef struct {
    uint32_t uncounted[RATIOS]; /* how many more blocks are not */
    uint8_t isFar[RATIOS];
} State;

/* Where decoding is. sequences.s knows where these lie. */
typedef struct {
    const uint8_t *at;
    uint8_t *to;
    const uint8_t *begin; /* of what is decoded */
    const uint8_t *end;   /* of the block */
    uint8_t *toEnd;       /* Nothing is written there. */
    int64_t left;         /* if counted: after how many sequences the loop for far matches goes on, */
    int64_t suited;       /* and of how many the match was far, and the lengths usual */
    int64_t isCounted;
} Run;

#define AT(field, offset) _Static_assert(offsetof(Run, field) == (offset), #field)
AT(at, 0);
AT(to, 8);
AT(begin, 16);
AT(end, 24);
AT(toEnd, 32);
AT(left, 40);
AT(suited, 48);
AT(isCounted, 56);
#undef AT

void decodeSequences(Run *run);
