/* Decodes the sequences section of a block, RFC 8878 3.1.1.3.2: its tables, and single sequences with every check. */
#include "zstd.h"

enum {
    LITERALS, OFFSET, MATCH,                      /* the three codes, in the order of their tables */
    PREDEFINED = 0, ONE_CODE, COMPRESSED, REPEAT, /* modes, 3.1.1.3.2.1 */
    LITERALS_CODE_MAX = 35,
    MATCH_CODE_MAX = 52,
    OFFSET_CODE_MAX = 27,    /* windows of more than 128 MiB are refused */
    EXTRA_BITS_OFTEN = 40,   /* Out of 512. With more, branches are mispredicted too often, see docs/decoders.md. */
    REPEATS_OFTEN = 24,
    COPIED_AT_ONCE_MAX = 64  /* more than executeMany writes after out without a check of the end */
};

static const uint32_t LITERALS_BASE[] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,   10,  11,  12,   13,   14,   15,   16,    18,
                                         20, 22, 24, 28, 32, 40, 48, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536};
static const uint8_t LITERALS_EXTRA[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,  0,  1,  1,
                                         1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
static const uint8_t MATCH_EXTRA[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,  0,  0,
                                      0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
static const uint32_t MATCH_BASE[] = {3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16,  17,  18,   19,   20,
                                      21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34,  35,  37,   39,   41,
                                      43, 47, 51, 59, 67, 83, 99, 131, 259, 515, 1027, 2051, 4099, 8195, 16387, 32771, 65539};

/* The counts of codes in the predefined tables, 3.1.1.3.2.2. */
static const int16_t LITERALS_COUNTS[] = {4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2,  2,
                                          2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1, -1, -1, -1, -1};
static const int16_t OFFSET_COUNTS[] = {1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1};
static const int16_t MATCH_COUNTS[] = {1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
                                       1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1};

/* The differences between the three codes. */
typedef struct {
    int kind;
    Entry *table;
    uint8_t *total;
    uint32_t *log;
    uint32_t *special; /* number of 512 sequences that take the rarer path */
    uint8_t *isPredefined;
    const int16_t *counts;
    uint32_t codes;   /* number in the predefined table */
    uint32_t codeMax;
    uint32_t predefinedLog;
    uint32_t logMax;
} Code;

static Code codeOf(State *state, int kind) {
    switch (kind) {
        case LITERALS:
            return (Code){kind, state->literals, state->literalsTotal, &state->literalsLog, &state->literalsExtra,
                          &state->isPredefined[kind],                           LITERALS_COUNTS, LITERALS_CODE_MAX + 1, LITERALS_CODE_MAX, 6, SEQUENCE_LOG_MAX};
        case OFFSET: /* the predefined table has codes of larger windows */
            return (Code){kind, state->offset, state->offsetTotal, &state->offsetLog, &state->repeats,
                          &state->isPredefined[kind],                           OFFSET_COUNTS, 29, OFFSET_CODE_MAX, 5, SEQUENCE_LOG_MAX - 1};
        default:
            return (Code){kind, state->match, state->matchTotal, &state->matchLog, &state->matchExtra,
                          &state->isPredefined[kind],                           MATCH_COUNTS, MATCH_CODE_MAX + 1, MATCH_CODE_MAX, 6, SEQUENCE_LOG_MAX};
    }
}

static Entry entryOf(int kind, uint32_t code) {
    switch (kind) {
        case LITERALS:
            return (Entry){LITERALS_BASE[code], 0, LITERALS_EXTRA[code], 0};
        case OFFSET: /* 3.1.1.3.2.1.3: Offset_Value */
            return (Entry){1u << code, 0, (uint8_t)code, 0};
        default:
            return (Entry){MATCH_BASE[code], 0, MATCH_EXTRA[code], 0};
    }
}

/* Returns whether a code makes its sequence take the rarer path: a repeated offset, or a length with extra bits. */
static int isSpecial(int kind, Entry entry) {
    return kind == OFFSET ? entry.extra < 2 : entry.extra > 0;
}

static uint8_t totalOf(int kind, Entry entry) {
    return (uint8_t)(entry.extra + entry.bits + (kind != OFFSET && entry.extra > 0 ? 128 : 0));
}

static void makeTable(State *state, const Code *code, const int16_t *counts, uint32_t codes, uint32_t log) {
    uint16_t next[CODES_MAX];
    Entry entries[CODES_MAX];
    spreadCodes(state, counts, codes, log, next);
    *code->isPredefined = 0;
    uint32_t special = 0;
    for (uint32_t k = 0; k < codes; k++) {
        entries[k] = entryOf(code->kind, k);
        special += isSpecial(code->kind, entries[k]) ? next[k] : 0;
    }
    *code->special = special << (SEQUENCE_LOG_MAX - log);
    for (uint32_t k = 0; k < 1u << log; k++) {
        uint32_t place = next[state->spread[k]]++;
        Entry entry = entries[state->spread[k]];
        entry.bits = (uint8_t)(log - highestBit(place));
        entry.next = (uint16_t)((place << entry.bits) - (1u << log));
        code->table[k] = entry;
        code->total[k] = totalOf(code->kind, entry);
    }
    *code->log = log;
}

/* Returns the size of the table's description in bytes, or REFUSED. */
static int64_t readTable(State *state, int kind, uint32_t mode, const uint8_t *from, int64_t bytes) {
    Code code = codeOf(state, kind);
    int16_t counts[CODES_MAX];
    uint32_t codes, log;
    int64_t used;
    switch (mode) {
        case PREDEFINED:
            if (!*code.isPredefined) { /* otherwise it is still there, perhaps from another frame */
                makeTable(state, &code, code.counts, code.codes, code.predefinedLog);
                *code.isPredefined = 1;
            }
            *code.log = code.predefinedLog;
            return 0;
        case ONE_CODE:
            if (bytes < 1 || from[0] > code.codeMax) {
                return REFUSED;
            }
            *code.isPredefined = 0;
            code.table[0] = entryOf(kind, from[0]);
            code.total[0] = totalOf(kind, code.table[0]);
            *code.special = isSpecial(kind, code.table[0]) ? 1 << SEQUENCE_LOG_MAX : 0;
            *code.log = 0;
            return 1;
        case COMPRESSED:
            used = readCounts(from, bytes, code.codeMax, code.logMax, counts, &codes, &log);
            if (used >= 0) {
                makeTable(state, &code, counts, codes, log);
            }
            return used;
        default:
            return *code.log == NO_TABLE ? REFUSED : 0;
    }
}

/* Reads the three tables after the byte of modes. Returns their size in bytes, or REFUSED. */
int64_t readSequenceTables(State *state, const uint8_t *from, int64_t bytes) {
    if (bytes < 1 || (from[0] & 3) != 0) {
        return REFUSED;
    }
    int64_t used = 1;
    for (int kind = LITERALS; kind <= MATCH; kind++) {
        int64_t table = readTable(state, kind, from[0] >> (6 - 2 * kind) & 3, from + used, bytes - used);
        if (table < 0) {
            return REFUSED;
        }
        used += table;
    }
    return used;
}

/* Copies a match at an offset; output older than begin is elsewhere. Returns 0 if it is out of bounds. */
static int copyMatch(Run *run, uint64_t offset, uint64_t bytes) {
    uint64_t there = (uint64_t)(run->out - run->begin);
    if (offset == 0 || bytes > (uint64_t)(run->end - run->out) || offset > there + run->farBytes) {
        return 0;
    }
    uint64_t done = 0;
    if (offset > there) {
        uint64_t far = offset - there;
        done = far < bytes ? far : bytes;
        copyBytes(run->out, run->farEnd - far, done);
    }
    uint8_t *out = run->out;
    run->out += bytes;
    uint64_t distance = offset < 16 ? offset * (15 / offset + 1) : offset; /* a multiple of the period repeats too */
    for (uint64_t near = done + distance - offset; done < bytes && done < near; done++) {
        out[done] = out[done - offset];
    }
    for (; done + 16 <= bytes; done += 16) {
        copy16(out + done, out + done - distance);
    }
    for (; done < bytes; done++) {
        out[done] = out[done - distance];
    }
    return 1;
}

/* Returns the offset, and updates the repeated ones, 3.1.1.5. */
static uint32_t offsetOf(uint32_t *repeated, uint32_t value, uint32_t literals) {
    uint32_t which = value - 1 + (literals == 0);
    uint32_t offset = value > 3 ? value - 3 : which < 3 ? repeated[which] : repeated[0] - 1;
    if (value > 3 || which > 0) {
        repeated[2] = value > 3 || which > 1 ? repeated[1] : repeated[2];
        repeated[1] = repeated[0];
        repeated[0] = offset;
    }
    return offset;
}

/* Reads bits, if there are enough. */
static int take(Run *run, uint32_t n, uint64_t base, uint64_t *value) {
    if (run->bit < n) {
        return 0;
    }
    *value = base + takeBits(run->bits, &run->bit, n);
    return 1;
}

/* Copies literals, and then a match. Returns 0 if they are out of bounds. */
int copySequence(Run *run, uint64_t offset, uint64_t literals, uint64_t match) {
    if (literals > (uint64_t)(run->literalEnd - run->literal) || literals > (uint64_t)(run->end - run->out)) {
        return 0;
    }
    copyBytes(run->out, run->literal, literals);
    run->out += literals;
    run->literal += literals;
    return copyMatch(run, offset, match);
}

/* Reads and executes one sequence of any kind. Returns 0 if it is damaged. */
int executeOne(State *state, Run *run, int isLast) {
    Entry offset = state->offset[run->offset];
    Entry match = state->match[run->match];
    Entry literals = state->literals[run->literals];
    uint64_t value, matchBytes, literalBytes;
    if (!take(run, offset.extra, offset.base, &value) || !take(run, match.extra, match.base, &matchBytes) ||
        !take(run, literals.extra, literals.base, &literalBytes)) {
        return 0;
    }
    if (!isLast && (!take(run, literals.bits, literals.next, &run->literals) || !take(run, match.bits, match.next, &run->match) ||
                    !take(run, offset.bits, offset.next, &run->offset))) {
        return 0;
    }
    return copySequence(run, offsetOf(run->repeated, (uint32_t)value, (uint32_t)literalBytes), literalBytes, matchBytes);
}

/*
 * Executes the sequences of a block. Its bitstream is in run and must be read completely. Returns 0 if it is damaged.
 */
int executeSequences(State *state, Run *run, uint32_t sequences) {
    if (run->bit < (int64_t)(state->literalsLog + state->offsetLog + state->matchLog)) {
        return 0;
    }
    run->literals = takeBits(run->bits, &run->bit, state->literalsLog);
    run->offset = takeBits(run->bits, &run->bit, state->offsetLog);
    run->match = takeBits(run->bits, &run->bit, state->matchLog);
    run->limit = run->end - COPIED_AT_ONCE_MAX;
    int extras = state->literalsExtra + state->matchExtra > EXTRA_BITS_OFTEN;
    int repeats = state->repeats > REPEATS_OFTEN;
    int (*many)(State *, Run *, uint64_t) = extras ? repeats ? executeManyWithBoth : executeManyWithExtraBits
                                            : repeats ? executeManyWithRepeats : executeMany;
    return (sequences == 1 || many(state, run, sequences - 1)) && executeOne(state, run, 1) && run->bit == 0;
}
