/*
 * A decoder of zstd frames (RFC 8878) for x86-64 with BMI2: what its parts share. Why there is one, and what it
 * costs, says docs/decoders.md. Freestanding: no library, no memory of its own, nothing to relocate.
 *
 * Whatever the input, it reads and writes nothing outside of what it is given, but:
 *   - up to 8 bytes before a block's content are read, which belong to the frame;
 *   - behind the place that is decoded to, as far as its room goes, anything may be written.
 * What it refuses says nothing about the input: the caller asks another decoder.
 */
#pragma once

#include <emmintrin.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden) /* No call goes through a table of addresses. */

enum {
    REFUSED = -1,              /* Damaged, or not supported. */
    BLOCK_BYTES_MAX = 1 << 17, /* Block_Maximum_Size, 3.1.1.2.4 */
    NO_TABLE = 255,            /* A log that no table has. */
    SEQUENCE_LOG_MAX = 9,      /* 3.1.1.3.2.1: of literals lengths and match lengths; of offsets it is 8 */
    CODES_MAX = 64,            /* More than any of the three has. */
    HUFFMAN_LOG = 11,          /* Max_Number_of_Bits, 4.2.1; tables always have as many entries */
    HUFFMAN_ENTRIES = 1 << HUFFMAN_LOG,
    PADDING = 64               /* Behind literals: copies of 16 bytes go that far, and less. */
};

/* A state of a sequence table: what its code stands for, and what follows. */
typedef struct {
    uint32_t base;  /* the smallest value of the code */
    uint16_t next;  /* the next state, with no bits added */
    uint8_t extra;  /* how many bits are added to base */
    uint8_t bits;   /* how many bits are added to next */
} Entry;

/*
 * The loops in sequences.s know where these lie: kept in step by the assertions below. At a multiple of 16, as shuffles
 * and patterns must be.
 */
typedef struct {
    _Alignas(16) Entry literals[1 << SEQUENCE_LOG_MAX];
    Entry match[1 << SEQUENCE_LOG_MAX];
    Entry offset[1 << (SEQUENCE_LOG_MAX - 1)];
    uint8_t literalsTotal[1 << SEQUENCE_LOG_MAX]; /* extra + bits, and 128 if there are extra bits */
    uint8_t matchTotal[1 << SEQUENCE_LOG_MAX];
    uint8_t offsetTotal[1 << (SEQUENCE_LOG_MAX - 1)]; /* extra + bits */
    uint8_t shuffles[6][16];  /* how repeated offsets change places, by which is taken */
    uint8_t patterns[17][16]; /* the first 16 bytes of what repeats every so many bytes */
    uint8_t steps[32];        /* how much must be added to such a distance for it to be 16 or more */

    uint32_t literalsLog, matchLog, offsetLog, huffmanLog; /* of tables, or NO_TABLE */
    uint32_t literalsExtra, matchExtra; /* how many of 512 sequences have extra bits there, by the tables */
    uint32_t repeats;                   /* how many of 512 repeat an offset */
    uint32_t repeated[4];               /* Repeated_Offset1 to 3, 3.1.1.5 */
    uint8_t isPredefined[3];            /* whether the tables of the three codes are the predefined ones */
    uint8_t hasPairs;
    uint16_t huffman[HUFFMAN_ENTRIES]; /* bits | symbol << 8 */
    uint32_t pairs[HUFFMAN_ENTRIES];   /* bits | first << 8 | second << 16 | symbols << 24 */
    uint32_t second[HUFFMAN_ENTRIES];  /* of pairs, while they are made */
    uint8_t weights[256];
    uint8_t inOrder[(1 << SEQUENCE_LOG_MAX) + 8]; /* codes, as often as they come */
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

/* The sequences of one block, and how far they are. sequences.s knows this too. */
typedef struct {
    const uint8_t *bits; /* the bitstream: its first byte, read last */
    int64_t bit;         /* how many of its bits are unread */
    uint64_t literals, match, offset; /* states */
    uint8_t *out;
    const uint8_t *literal;
    const uint8_t *begin; /* of what copies may refer to and that ends at out */
    uint8_t *end;         /* of the room */
    const uint8_t *literalEnd;
    const uint8_t *limit; /* while out is not behind it a sequence of up to 16 + 32 bytes needs no check */
    uint32_t repeated[4];
    const uint8_t *farEnd; /* of older content that lies elsewhere */
    uint64_t farBytes;     /* how much of that copies may refer to */
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

/* Four streams of Huffman codes that are decoded side by side. huffman.s knows this too. */
typedef struct {
    uint64_t word[4];     /* unread bits, the next one on top; below them a 1 and zeros, as many as were read */
    const uint8_t *at[4]; /* where the word was loaded from */
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

static inline uint32_t highestBit(uint32_t value) { /* of one that is not 0 */
    return 31 - (uint32_t)__builtin_clz(value);
}

/* Copies just so many bytes. */
static inline void copyBytes(uint8_t *to, const uint8_t *from, uint64_t bytes) {
    uint64_t done = 0;
    for (; done + 16 <= bytes; done += 16) {
        copy16(to + done, from + done);
    }
    for (; done < bytes; done++) {
        to[done] = from[done];
    }
}

/* Just so many times the same byte. */
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

/* How many bits a stream has that is read from its end, 4.1 and 4.2.2; -1 if its last byte has no mark. */
static inline int64_t streamBits(const uint8_t *stream, int64_t bytes) {
    return bytes < 1 || stream[bytes - 1] == 0 ? -1 : bytes * 8 - 8 + (int64_t)highestBit(stream[bytes - 1]);
}

/* The n bits below a place of such a stream, at most 32 and at most as many as are left; moves the place. */
static inline uint32_t takeBits(const uint8_t *stream, int64_t *bit, uint32_t n) {
    uint64_t word = load64(stream + (*bit >> 3) - 7); /* The bit at the place is bit 56 to 63 of it. */
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
    const uint8_t *from; /* 16 bytes may be read from each of them, and from their end */
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
