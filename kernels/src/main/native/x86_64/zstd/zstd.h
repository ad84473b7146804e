/*
 * A decoder of zstd frames (RFC 8878) for x86-64 with BMI2: the declarations its parts share. docs/decoders.md has its
 * reasons and costs. Freestanding: no library, no memory of its own, no relocations.
 *
 * Whatever the input, it accesses no memory outside its arguments, except:
 *   - it reads up to 8 bytes before a block's content, which belong to the frame;
 *   - it may write any byte of the room after the decoded output.
 * A refusal does not mean that the input is invalid: the caller then uses another decoder.
 */
#pragma once

#include <emmintrin.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden) /* no call goes through a table of addresses */

enum {
    REFUSED = -1,              /* damaged, or not supported */
    BLOCK_BYTES_MAX = 1 << 17, /* Block_Maximum_Size, 3.1.1.2.4 */
    NO_TABLE = 255,            /* log of no table */
    SEQUENCE_LOG_MAX = 9,      /* 3.1.1.3.2.1: of literals lengths and match lengths; 8 for offsets */
    CODES_MAX = 64,            /* more than any of the three has */
    HUFFMAN_LOG = 11,          /* Max_Number_of_Bits, 4.2.1; tables always have so many entries */
    HUFFMAN_ENTRIES = 1 << HUFFMAN_LOG,
    PADDING = 64               /* after literals, for copies of up to 64 bytes more */
};

/* A state of a sequence table: the value of its code, and the next state. */
typedef struct {
    uint32_t base;  /* the smallest value of the code */
    uint16_t next;  /* the next state, with no bits added */
    uint8_t extra;  /* number of bits added to base */
    uint8_t bits;   /* number of bits added to next */
} Entry;

/*
 * The loops in sequences.s use these offsets; the assertions below check them. Aligned to 16, as shuffles and patterns
 * must be.
 */
typedef struct {
    _Alignas(16) Entry literals[1 << SEQUENCE_LOG_MAX];
    Entry match[1 << SEQUENCE_LOG_MAX];
    Entry offset[1 << (SEQUENCE_LOG_MAX - 1)];
    uint8_t literalsTotal[1 << SEQUENCE_LOG_MAX]; /* extra + bits, and 128 if there are extra bits */
    uint8_t matchTotal[1 << SEQUENCE_LOG_MAX];
    uint8_t offsetTotal[1 << (SEQUENCE_LOG_MAX - 1)]; /* extra + bits */
    uint8_t shuffles[6][16];  /* permutations of the repeated offsets, by the offset used */
    uint8_t patterns[17][16]; /* first 16 bytes of a pattern, by its period */
    uint8_t steps[32];        /* added to such a distance to make it 16 or more */

    uint32_t literalsLog, matchLog, offsetLog, huffmanLog; /* of tables, or NO_TABLE */
    uint32_t literalsExtra, matchExtra; /* number of 512 sequences with extra bits, by the tables */
    uint32_t repeats;                   /* number of 512 that repeat an offset */
    uint32_t repeated[4];               /* Repeated_Offset1 to 3, 3.1.1.5 */
    uint8_t isPredefined[3];            /* whether the tables of the three codes are the predefined ones */
    uint8_t hasPairs;
    uint16_t huffman[HUFFMAN_ENTRIES]; /* bits | symbol << 8 */
    uint32_t pairs[HUFFMAN_ENTRIES];   /* bits | first << 8 | second << 16 | symbols << 24 */
    uint32_t second[HUFFMAN_ENTRIES];  /* second symbols of pairs, during their making */
    uint8_t weights[256];
    uint8_t inOrder[(1 << SEQUENCE_LOG_MAX) + 8]; /* codes, repeated by their counts */
    uint8_t spread[1 << SEQUENCE_LOG_MAX];        /* the code of each state */
    uint8_t literalBytes[BLOCK_BYTES_MAX + PADDING];
} State;

#define AT(type, field, offset) _Static_assert(offsetof(type, field) == (offset), #field)
AT(State, literals, 0);
AT(State, match, 4096);
AT(State, offset, 8192);
AT(State, literalsTotal, 10240);
AT(State, matchTotal, 10752);
AT(State, offsetTotal, 11264);
AT(State, shuffles, 11520);
AT(State, patterns, 11616);
AT(State, steps, 11888);

/* The sequences of one block, and their position. sequences.s uses the offsets. */
typedef struct {
    const uint8_t *bits; /* the bitstream: its first byte, read last */
    int64_t bit;         /* number of unread bits */
    uint64_t literals, match, offset; /* states */
    uint8_t *out;
    const uint8_t *literal;
    const uint8_t *begin; /* begin of the output that matches may refer to, which ends at out */
    uint8_t *end;         /* of the room */
    const uint8_t *literalEnd;
    const uint8_t *limit; /* up to here, a sequence of up to 16 + 32 bytes needs no check */
    uint32_t repeated[4];
    const uint8_t *farEnd; /* end of older output elsewhere */
    uint64_t farBytes;     /* its size that matches may refer to */
} Run;
AT(Run, bit, 8);
AT(Run, literals, 16);
AT(Run, match, 24);
AT(Run, offset, 32);
AT(Run, out, 40);
AT(Run, literal, 48);
AT(Run, begin, 56);
AT(Run, end, 64);
AT(Run, literalEnd, 72);
AT(Run, limit, 80);
AT(Run, repeated, 88);

/* Four streams of Huffman codes, decoded in parallel. huffman.s uses the offsets. */
typedef struct {
    uint64_t word[4];     /* unread bits, the next one on top; below them a 1 and a zero for each bit read */
    const uint8_t *at[4]; /* address of the word */
    uint8_t *out[4];
    const void *table;
    uint64_t rounds; /* of 4 look-ups in each stream */
} Streams;
AT(Streams, at, 32);
AT(Streams, out, 64);
AT(Streams, table, 96);
AT(Streams, rounds, 104);

static inline uint64_t load64(const uint8_t *from) {
    uint64_t value;
    __builtin_memcpy(&value, from, 8);
    return value;
}

static inline uint32_t load32(const uint8_t *from) {
    uint32_t value;
    __builtin_memcpy(&value, from, 4);
    return value;
}

static inline uint32_t load24(const uint8_t *from) {
    return from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16;
}

static inline uint32_t load16(const uint8_t *from) {
    return from[0] | (uint32_t)from[1] << 8;
}

static inline void copy16(uint8_t *to, const uint8_t *from) {
    _mm_storeu_si128((__m128i *)to, _mm_loadu_si128((const __m128i *)from));
}

static inline uint32_t highestBit(uint32_t value) { /* value is not 0 */
    return 31 - (uint32_t)__builtin_clz(value);
}

/* Copies exactly so many bytes. */
static inline void copyBytes(uint8_t *to, const uint8_t *from, uint64_t bytes) {
    uint64_t done = 0;
    for (; done + 16 <= bytes; done += 16) {
        copy16(to + done, from + done);
    }
    for (; done < bytes; done++) {
        to[done] = from[done];
    }
}

/* Writes a byte exactly so many times. */
static inline void fillBytes(uint8_t *to, uint8_t value, uint64_t bytes) {
    __m128i values = _mm_set1_epi8((char)value);
    uint64_t done = 0;
    for (; done + 16 <= bytes; done += 16) {
        _mm_storeu_si128((__m128i *)(to + done), values);
    }
    for (; done < bytes; done++) {
        to[done] = value;
    }
}

/* Returns the number of bits of a stream that is read from its end, 4.1 and 4.2.2; -1 if its last byte has no mark. */
static inline int64_t streamBits(const uint8_t *stream, int64_t bytes) {
    return bytes < 1 || stream[bytes - 1] == 0 ? -1 : bytes * 8 - 8 + (int64_t)highestBit(stream[bytes - 1]);
}

/* Returns the n bits below a position of such a stream, at most 32 and at most the rest; moves the position. */
static inline uint32_t takeBits(const uint8_t *stream, int64_t *bit, uint32_t n) {
    uint64_t word = load64(stream + (*bit >> 3) - 7); /* The bit at the position is bit 56 to 63 of the word. */
    uint64_t value = word >> (56 + (*bit & 7) - n) & ((1ull << n) - 1);
    *bit -= n;
    return (uint32_t)value;
}

/* fse.c */
int64_t readCounts(const uint8_t *from, int64_t bytes, uint32_t codeMax, uint32_t logMax, int16_t *counts, uint32_t *codes,
                   uint32_t *log);
void spreadCodes(State *state, const int16_t *counts, uint32_t codes, uint32_t log, uint16_t *next);

/* huffman.c, huffman.s */
int64_t readHuffmanTable(State *state, const uint8_t *from, int64_t bytes);
int decodeOneStream(State *state, const uint8_t *from, int64_t bytes, uint8_t *to, uint32_t symbols);
int decodeFourStreams(State *state, const uint8_t *from, int64_t bytes, uint8_t *to, uint32_t symbols);
void decodeSymbols(Streams *streams);
void decodePairs(Streams *streams);

/* literals.c */
typedef struct {
    const uint8_t *from; /* 16 bytes from each of them, and from their end, are readable */
    uint32_t bytes;
} Literals;
int64_t readLiterals(State *state, const uint8_t *from, int64_t bytes, Literals *literals);

/* sequences.c, sequences.s */
int64_t readSequenceTables(State *state, const uint8_t *from, int64_t bytes);
int executeSequences(State *state, Run *run, uint32_t sequences);
int executeOne(State *state, Run *run, int isLast);
int copySequence(Run *run, uint64_t offset, uint64_t literals, uint64_t match);
int executeMany(State *state, Run *run, uint64_t sequences);
int executeManyWithExtraBits(State *state, Run *run, uint64_t sequences);
int executeManyWithRepeats(State *state, Run *run, uint64_t sequences);
int executeManyWithBoth(State *state, Run *run, uint64_t sequences);

/* checksum.c */
uint64_t xxh64(const uint8_t *from, uint64_t bytes);
