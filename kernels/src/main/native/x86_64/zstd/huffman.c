/* Decodes Huffman coded literals, RFC 8878 4.2 and 3.1.1.3.1. */
#include "zstd.h"

enum {
    WEIGHT_LOG_MAX = 6,     /* 4.2.1.2 */
    WEIGHTS_MAX = 255,      /* 4.2.1: the last weight is not written */
    BEFORE_STREAM = 8,      /* A word may begin so far before its stream: a block has a header, and a frame. */
    ROUND_BYTES_MAX = 6,    /* Most that a stream goes back in a round of 4 look-ups: 18 + 33 bits are read by then. */
    STREAMED_SYMBOLS_MIN = 6, /* four streams never have fewer; libzstd refuses them */
    PAIRED_SYMBOLS_MIN = 1000,
    PAIRED_BITS_MAX = 11    /* average of two symbols: with more, few look-ups find two */
};

/* Reads weights from two interleaved streams of states, 4.2.1.2. Returns their number, or REFUSED. */
static int64_t readCompressedWeights(State *state, const uint8_t *from, int64_t bytes) {
    int16_t counts[HUFFMAN_LOG + 1];
    uint16_t next[HUFFMAN_LOG + 1];
    Entry table[1 << WEIGHT_LOG_MAX];
    uint32_t codes, log;
    int64_t used = readCounts(from, bytes, HUFFMAN_LOG, WEIGHT_LOG_MAX, counts, &codes, &log);
    if (used < 0) {
        return REFUSED;
    }
    spreadCodes(state, counts, codes, log, next);
    for (uint32_t k = 0; k < 1u << log; k++) {
        uint32_t weight = state->spread[k];
        uint32_t place = next[weight]++;
        uint32_t bits = log - highestBit(place);
        table[k] = (Entry){weight, (uint16_t)((place << bits) - (1u << log)), 0, (uint8_t)bits};
    }
    const uint8_t *stream = from + used;
    int64_t bit = streamBits(stream, bytes - used);
    if (bit < 2 * (int64_t)log) {
        return REFUSED;
    }
    uint32_t states[2];
    states[0] = takeBits(stream, &bit, log);
    states[1] = takeBits(stream, &bit, log);
    for (uint32_t n = 0; n < WEIGHTS_MAX - 1;) {
        Entry entry = table[states[n & 1]];
        state->weights[n] = (uint8_t)entry.base;
        if (bit < entry.bits) { /* the other state is the last */
            state->weights[n + 1] = (uint8_t)table[states[(n + 1) & 1]].base;
            return n + 2;
        }
        states[n & 1] = entry.next + takeBits(stream, &bit, entry.bits);
        n++;
    }
    return REFUSED;
}

/* Reads the weights; used: their size in bytes with the byte before them. Returns their number, or REFUSED. */
static int64_t readWeights(State *state, const uint8_t *from, int64_t bytes, int64_t *used) {
    if (bytes < 1) {
        return REFUSED;
    }
    uint32_t header = from[0];
    int64_t weights = (int64_t)header - 127;
    *used = 1 + (header < 128 ? header : (weights + 1) / 2);
    if (*used > bytes) {
        return REFUSED;
    }
    if (header < 128) {
        return readCompressedWeights(state, from + 1, header);
    }
    for (int64_t k = 0; k < weights; k++) {
        state->weights[k] = k & 1 ? from[1 + k / 2] & 15 : from[1 + k / 2] >> 4;
    }
    return weights;
}

static void fillEntries(uint16_t *to, uint32_t entries, uint16_t value) {
    if (entries >= 8) {
        __m128i values = _mm_set1_epi16((short)value);
        for (uint32_t k = 0; k < entries; k += 8) {
            _mm_storeu_si128((__m128i *)(to + k), values);
        }
        return;
    }
    for (uint32_t k = 0; k < entries; k++) {
        to[k] = value;
    }
}

/* Makes the table. A weight is the log of a symbol's number of entries, plus 1; 0 for none. 4.2.1 */
static int makeTable(State *state, uint32_t weights) {
    uint32_t symbols[HUFFMAN_LOG + 2] = {0}; /* of each weight */
    uint32_t sum = 0;
    for (uint32_t k = 0; k < weights; k++) {
        uint32_t weight = state->weights[k];
        if (weight > HUFFMAN_LOG) {
            return REFUSED;
        }
        symbols[weight]++;
        sum += 1u << weight >> 1;
    }
    if (sum == 0 || sum >= HUFFMAN_ENTRIES) {
        return REFUSED;
    }
    uint32_t log = highestBit(sum) + 1;
    uint32_t left = (1u << log) - sum;
    if (left & (left - 1)) {
        return REFUSED;
    }
    state->weights[weights] = (uint8_t)(highestBit(left) + 1);
    symbols[highestBit(left) + 1]++;
    if (symbols[1] < 2) { /* no encoder omits the longest codes, and no decoder expects that */
        return REFUSED;
    }
    uint32_t start[HUFFMAN_LOG + 2];
    uint32_t at = 0;
    uint32_t wider = HUFFMAN_LOG - log;
    for (uint32_t weight = 1; weight <= log; weight++) {
        start[weight] = at;
        at += symbols[weight] << (weight - 1 + wider);
    }
    if (at != HUFFMAN_ENTRIES) {
        return REFUSED;
    }
    for (uint32_t symbol = 0; symbol <= weights; symbol++) {
        uint32_t weight = state->weights[symbol];
        if (weight > 0) {
            uint32_t entries = 1u << (weight - 1 + wider);
            fillEntries(state->huffman + start[weight], entries, (uint16_t)(symbol << 8 | (log + 1 - weight)));
            start[weight] += entries;
        }
    }
    state->huffmanLog = log;
    state->hasPairs = 0;
    return 0;
}

/* Reads a tree's description. Returns its size in bytes, or REFUSED. */
int64_t readHuffmanTable(State *state, const uint8_t *from, int64_t bytes) {
    int64_t used;
    int64_t weights = readWeights(state, from, bytes, &used);
    return weights < 0 || makeTable(state, (uint32_t)weights) < 0 ? REFUSED : used;
}

/*
 * Makes the table whose look-ups find two symbols if both fit. The second symbol depends only on the length of the
 * first one's code, so it is computed once per length. Codes of one length are adjacent.
 */
static void makePairs(State *state) {
    const uint16_t *single = state->huffman;
    for (uint32_t at = 0; at < HUFFMAN_ENTRIES;) {
        uint32_t bits = single[at] & 255;
        uint32_t entries = HUFFMAN_ENTRIES >> bits;
        for (uint32_t k = 0; k < entries; k++) {
            uint32_t next = single[k << bits];
            uint32_t both = bits + (next & 255);
            state->second[k] = both <= HUFFMAN_LOG ? both | (next & 0xff00) << 8 | 2u << 24 : bits | 1u << 24;
        }
        for (; at < HUFFMAN_ENTRIES && (single[at] & 255) == bits; at += entries) {
            uint32_t first = single[at] & 0xff00;
            __m128i firsts = _mm_set1_epi32((int)first);
            uint32_t k = 0;
            for (; k + 4 <= entries; k += 4) {
                __m128i second = _mm_loadu_si128((const __m128i *)(state->second + k));
                _mm_storeu_si128((__m128i *)(state->pairs + at + k), _mm_or_si128(second, firsts));
            }
            for (; k < entries; k++) {
                state->pairs[at + k] = state->second[k] | first;
            }
        }
    }
    state->hasPairs = 1;
}

/* Decodes symbol by symbol, to the end of the stream. Returns 0, or REFUSED if the stream ends elsewhere. */
static int decodeRest(const uint16_t *table, const uint8_t *stream, int64_t bit, uint8_t *to, const uint8_t *end) {
    if (bit < 0) {
        return REFUSED;
    }
    while (to < end) {
        uint64_t word = load64(stream + (bit >> 3) - 7) << (8 - (bit & 7)); /* next bit on top */
        uint32_t entry = table[word >> (64 - HUFFMAN_LOG)];
        *to++ = (uint8_t)(entry >> 8);
        bit -= entry & 255;
        if (bit < 0) {
            return REFUSED;
        }
    }
    return bit == 0 ? 0 : REFUSED;
}

int decodeOneStream(State *state, const uint8_t *from, int64_t bytes, uint8_t *to, uint32_t symbols) {
    int64_t bits = streamBits(from, bytes);
    return bits < 0 ? REFUSED : decodeRest(state->huffman, from, bits, to, to + symbols);
}

/* Decodes a table of three sizes, then the streams, 3.1.1.3.1.6. */
int decodeFourStreams(State *state, const uint8_t *from, int64_t bytes, uint8_t *to, uint32_t symbols) {
    if (bytes < 10) {
        return REFUSED;
    }
    int64_t sizes[4] = {load16(from), load16(from + 2), load16(from + 4)};
    sizes[3] = bytes - 6 - sizes[0] - sizes[1] - sizes[2];
    uint32_t segment = (symbols + 3) / 4;
    if (sizes[3] < 1 || symbols < STREAMED_SYMBOLS_MIN) { /* otherwise three segments might exceed the total */
        return REFUSED;
    }
    int inPairs = symbols >= PAIRED_SYMBOLS_MIN && bytes * 8 * 2 < (int64_t)symbols * PAIRED_BITS_MAX;
    if (inPairs && !state->hasPairs) {
        makePairs(state);
    }
    Streams streams;
    streams.table = inPairs ? (const void *)state->pairs : (const void *)state->huffman;
    const uint8_t *starts[4];
    const uint8_t *ends[4];
    const uint8_t *start = from + 6;
    for (int k = 0; k < 4; k++) {
        int64_t bits = streamBits(start, sizes[k]);
        if (bits < 0) {
            return REFUSED;
        }
        int64_t top = 8 - (bits & 7); /* bits after the stream's end in the last byte; or all of a next one */
        streams.at[k] = start + (bits >> 3) - 7 - (top >> 3);
        streams.word[k] = (load64(streams.at[k]) | 1) << (top & 7);
        streams.out[k] = to + k * segment;
        starts[k] = start;
        ends[k] = k < 3 ? to + (k + 1) * segment : to + symbols;
        start += sizes[k];
    }
    for (;;) {
        int64_t rounds = ends[3] - streams.out[3]; /* rounds that are possible without a check of any end */
        for (int k = 0; k < 4; k++) {
            int64_t back = (streams.at[k] - starts[k] + BEFORE_STREAM) / ROUND_BYTES_MAX;
            int64_t ahead = (ends[k] - streams.out[k]) / (inPairs ? 8 : 4);
            rounds = back < rounds ? back : rounds;
            rounds = ahead < rounds ? ahead : rounds;
        }
        if (rounds <= 0) {
            break;
        }
        streams.rounds = (uint64_t)rounds;
        (inPairs ? decodePairs : decodeSymbols)(&streams);
    }
    int refused = 0;
    for (int k = 0; k < 4; k++) {
        int64_t bit = (streams.at[k] - starts[k]) * 8 + 64 - (int64_t)__builtin_ctzll(streams.word[k]);
        refused |= decodeRest(state->huffman, starts[k], bit, streams.out[k], ends[k]);
    }
    return refused;
}
