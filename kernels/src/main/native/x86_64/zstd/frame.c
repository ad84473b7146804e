/* Frames and blocks, RFC 8878 3.1.1. */
#include "zstd.h"

enum {
    MAGIC_NUMBER = 0xFD2FB528,
    RAW_BLOCK = 0,
    RUN_BLOCK = 1, /* RLE_Block */
    COMPRESSED_BLOCK = 2,
    BLOCK_HEADER_BYTES = 3,
    ADDRESS_MIN = 1 << 30, /* sequences.s subtracts offsets of up to 29 bits from addresses, which must stay above 0 */
    WINDOW_LOG_MAX = 31, /* as in libzstd: no memory is allocated for a window */
    CHECKSUM_BYTES = 4
};

int64_t stateBytes(void) {
    return sizeof(State);
}

/* Initializes the constant parts of a state. Must be called once, first. */
void openState(State *state) {
    state->isPredefined[0] = state->isPredefined[1] = state->isPredefined[2] = 0;
    static const uint8_t lanes[6][3] = {{0}, {0, 1, 2}, {1, 0, 2}, {2, 0, 1}, {0}, {3, 0, 1}};
    for (int row = 0; row < 6; row++) {
        for (int k = 0; k < 16; k++) {
            state->shuffles[row][k] = (uint8_t)(k < 12 ? lanes[row][k / 4] * 4 + k % 4 : k);
        }
    }
    for (int distance = 1; distance <= 16; distance++) {
        state->steps[distance] = (uint8_t)(15 / distance * distance);
        for (int k = 0; k < 16; k++) {
            state->patterns[distance][k] = (uint8_t)(k % distance);
        }
    }
}

/* Must be called before the first block of a frame. */
void beginFrame(State *state) {
    state->literalsLog = state->matchLog = state->offsetLog = state->huffmanLog = NO_TABLE;
    state->repeated[0] = 1;
    state->repeated[1] = 4;
    state->repeated[2] = 8;
}

/* Reads the number of sequences of a block, 3.1.1.3.2.1. Returns its size in bytes, or REFUSED. */
static int64_t readSequenceCount(const uint8_t *from, int64_t bytes, uint32_t *sequences) {
    if (bytes < 1) {
        return REFUSED;
    }
    int64_t used = from[0] < 128 ? 1 : from[0] < 255 ? 2 : 3;
    if (used > bytes) {
        return REFUSED;
    }
    *sequences = used == 1 ? from[0] : used == 2 ? (from[0] - 128u) << 8 | from[1] : load16(from + 1) + 0x7f00;
    return *sequences > 0 || used == 1 ? used : REFUSED;
}

static int64_t decodeCompressed(State *state, const uint8_t *from, int64_t bytes, Run *run) {
    Literals literals;
    uint32_t sequences;
    int64_t used = readLiterals(state, from, bytes, &literals);
    if (used < 0) {
        return REFUSED;
    }
    int64_t header = readSequenceCount(from + used, bytes - used, &sequences);
    if (header < 0) {
        return REFUSED;
    }
    used += header;
    run->literal = literals.from;
    run->literalEnd = literals.from + literals.bytes;
    uint8_t *begin = run->out;
    if (sequences > 0) {
        int64_t tables = readSequenceTables(state, from + used, bytes - used);
        if (tables < 0) {
            return REFUSED;
        }
        used += tables;
        run->bits = from + used;
        run->bit = streamBits(run->bits, bytes - used);
        for (int k = 0; k < 3; k++) {
            run->repeated[k] = state->repeated[k];
        }
        if (!executeSequences(state, run, sequences)) {
            return REFUSED;
        }
        for (int k = 0; k < 3; k++) {
            state->repeated[k] = run->repeated[k];
        }
    } else if (used != bytes) {
        return REFUSED;
    }
    uint64_t rest = (uint64_t)(run->literalEnd - run->literal);
    if (rest > (uint64_t)(run->end - run->out)) {
        return REFUSED;
    }
    copyBytes(run->out, run->literal, rest);
    return run->out + rest - begin;
}

/*
 * Decodes a block, including its header. At least 6 bytes of its frame are before it.
 * to, room: target, and number of bytes that may be written there
 * begin: begin of the output that ends at `to`
 * farEnd, farBytes: end and size of older output elsewhere
 * Returns the decoded size, or REFUSED. In both cases any byte of the room may have been written.
 */
int64_t decodeBlock(State *state, const uint8_t *block, int64_t bytes, uint8_t *to, int64_t room, const uint8_t *begin,
                    const uint8_t *farEnd, int64_t farBytes) {
    if (bytes < BLOCK_HEADER_BYTES) {
        return REFUSED;
    }
    uint32_t type = block[0] >> 1 & 3;
    int64_t size = load24(block) >> 3;
    const uint8_t *content = block + BLOCK_HEADER_BYTES;
    room = room < BLOCK_BYTES_MAX ? room : BLOCK_BYTES_MAX;
    if (bytes != BLOCK_HEADER_BYTES + (type == RUN_BLOCK ? 1 : size)) {
        return REFUSED;
    }
    if ((uintptr_t)begin < ADDRESS_MIN) {
        return REFUSED;
    }
    if (type == COMPRESSED_BLOCK) {
        Run run = {.out = to, .end = to + room, .begin = begin, .farEnd = farEnd, .farBytes = (uint64_t)farBytes};
        return size <= BLOCK_BYTES_MAX ? decodeCompressed(state, content, size, &run) : REFUSED;
    }
    if (type > COMPRESSED_BLOCK || size > room) {
        return REFUSED;
    }
    if (type == RUN_BLOCK) {
        fillBytes(to, content[0], (uint64_t)size);
    } else {
        copyBytes(to, content, (uint64_t)size);
    }
    return size;
}

/*
 * Returns the size of a frame's header, and sets the size of its content if the header has it; REFUSED if that exceeds
 * the room.
 */
static int64_t readHeader(const uint8_t *frame, int64_t bytes, int64_t room, int64_t *contentBytes) {
    if (bytes < 9 || load32(frame) != MAGIC_NUMBER) { /* with a block's header */
        return REFUSED;
    }
    uint32_t descriptor = frame[4];
    uint32_t singleSegment = descriptor >> 5 & 1;
    uint32_t flag = descriptor >> 6;
    int64_t at = 5 + !singleSegment;
    int64_t width = flag == 0 ? singleSegment : 1u << flag;
    if ((descriptor & 0x0b) != 0 || at + width > bytes) { /* a dictionary, or the reserved bit */
        return REFUSED;
    }
    if (!singleSegment && frame[5] >> 3 > WINDOW_LOG_MAX - 10) {
        return REFUSED;
    }
    uint64_t content = 0;
    for (int64_t k = 0; k < width; k++) {
        content |= (uint64_t)frame[at + k] << (8 * k);
    }
    content += width == 2 ? 256 : 0;
    *contentBytes = width == 0 ? -1 : (int64_t)content;
    return width > 0 && content > (uint64_t)room ? REFUSED : at + width;
}

/*
 * Decodes a frame, which must end where its bytes end. Compares the checksum if required.
 * Returns the decoded size, or REFUSED. In both cases any byte of the room may have been written.
 */
int64_t decodeFrame(int64_t bytes, const uint8_t *frame, int64_t room, int64_t verifiesChecksum, State *state, uint8_t *to) {
    int64_t contentBytes;
    int64_t at = readHeader(frame, bytes, room, &contentBytes);
    if (at < 0) {
        return REFUSED;
    }
    beginFrame(state);
    int64_t done = 0;
    for (int isLast = 0; !isLast;) {
        if (at + BLOCK_HEADER_BYTES > bytes) {
            return REFUSED;
        }
        uint32_t header = load24(frame + at);
        isLast = header & 1;
        int64_t block = BLOCK_HEADER_BYTES + ((header >> 1 & 3) == RUN_BLOCK ? 1 : (int64_t)(header >> 3));
        if (at + block > bytes) {
            return REFUSED;
        }
        int64_t decoded = decodeBlock(state, frame + at, block, to + done, room - done, to, to, 0);
        if (decoded < 0) {
            return REFUSED;
        }
        at += block;
        done += decoded;
    }
    if (contentBytes >= 0 && done != contentBytes) {
        return REFUSED;
    }
    int64_t checksum = frame[4] & 4 ? CHECKSUM_BYTES : 0;
    if (at + checksum != bytes) {
        return REFUSED;
    }
    return checksum && verifiesChecksum && (uint32_t)xxh64(to, (uint64_t)done) != load32(frame + at) ? REFUSED : done;
}
