/*
 * Decodes the wanted part of a blosc1 chunk and writes its rows to their places, in one call. Java does the same, in
 * many calls, with everything that is refused here; it reports the errors (BloscCodec).
 */
#include "blosc.h"

enum { HEADER = 16, VERSION = 2, FORMAT_VERSION = 1 };
enum { BYTE_SHUFFLED = 0x1, STORED = 0x2, BIT_SHUFFLED = 0x4, RESERVED = 0x8, NOT_SPLIT = 0x10, FORMAT_SHIFT = 5 };
enum { BLOSCLZ, LZ4 };
enum { NUMBER = 4, SPLITS_MAX = 16, SPLIT_BYTES_MIN = 128, BLOCK_BYTES_MAX = (INT32_MAX - 255 * 4) / 3 };

typedef struct {
    const Call *call;
    const uint8_t *bytes;
    int64_t end; /* of the encoded bytes */
    int64_t flags;
    int64_t typeBytes;
    int64_t blockBytes;
    Decode *decode;
    uint8_t *target;
} Chunk;

/* The rows of a box that are not placed yet. */
typedef struct {
    int64_t index[OUTER_MAX]; /* of the next row */
    int64_t cut; /* bytes of the next row that were in earlier blocks */
    int isOver;
} Rows;

static int64_t number(const uint8_t *at) {
    return at[0] | at[1] << 8 | at[2] << 16 | (int64_t) at[3] << 24;
}

static int64_t least(int64_t a, int64_t b) {
    return a < b ? a : b;
}

static int64_t bytesOfBlock(const Chunk *chunk, int64_t block) {
    return least(chunk->blockBytes, chunk->call->decodedBytes - block * chunk->blockBytes);
}

static int64_t splits(const Chunk *chunk, int64_t block) {
    int isSplit = (chunk->flags & NOT_SPLIT) == 0 && bytesOfBlock(chunk, block) == chunk->blockBytes
        && chunk->typeBytes <= SPLITS_MAX && chunk->blockBytes / chunk->typeBytes >= SPLIT_BYTES_MIN;
    return isSplit ? chunk->typeBytes : 1;
}

/* Reads and checks the header, as BloscChunk does. Returns whether this file decodes the chunk. */
static int begin(Chunk *chunk, int64_t bytes) {
    const uint8_t *header = chunk->bytes;
    int64_t decodedBytes = chunk->call->decodedBytes;
    if (bytes < HEADER || header[0] != VERSION || number(header + 4) != decodedBytes) {
        return 0;
    }
    chunk->flags = header[2];
    chunk->typeBytes = header[3];
    chunk->blockBytes = number(header + 8);
    chunk->end = number(header + 12);
    if (chunk->end < HEADER || chunk->end > bytes || chunk->blockBytes <= 0
        || chunk->blockBytes > least(decodedBytes, BLOCK_BYTES_MAX) || chunk->typeBytes == 0
        || (chunk->flags & RESERVED) != 0) {
        return 0;
    }
    if ((chunk->flags & STORED) != 0) {
        return chunk->end == HEADER + decodedBytes;
    }
    int64_t format = chunk->flags >> FORMAT_SHIFT;
    if (header[1] != FORMAT_VERSION || (format != LZ4 && format != BLOSCLZ)) {
        return 0;
    }
    chunk->decode = format == LZ4 ? chunk->call->lz4 : chunk->call->blosclz;
    int64_t blocks = (decodedBytes + chunk->blockBytes - 1) / chunk->blockBytes;
    return HEADER + NUMBER * blocks <= chunk->end && chunk->blockBytes % splits(chunk, 0) == 0;
}

static void copyBytes(uint8_t *to, const uint8_t *from, int64_t bytes) {
    __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(bytes) : : "memory");
}

/*
 * Decodes the next stream, or its first `front` bytes, to `to`; one that is stored as it is stays where it is. Sets
 * stream to where its bytes are, and returns the number of decoded bytes, or REFUSED.
 */
static int64_t decodeStream(
    const Chunk *chunk, int64_t *at, int64_t streamBytes, int64_t front, uint8_t *to, const uint8_t **stream) {
    if (*at + NUMBER > chunk->end) {
        return REFUSED;
    }
    int64_t length = number(chunk->bytes + *at);
    const uint8_t *from = chunk->bytes + *at + NUMBER;
    if (length > chunk->end - *at - NUMBER) {
        return REFUSED;
    }
    *at += NUMBER + length;
    *stream = from;
    if (length == streamBytes) {
        return front;
    }
    *stream = to;
    if (front < streamBytes) {
        int64_t decoded = chunk->decode(length, from, streamBytes, front, chunk->call->state, to);
        return decoded < front ? REFUSED : decoded;
    }
    int64_t decoded = chunk->decode(length, from, streamBytes, INT64_MAX, chunk->call->state, to);
    return decoded == streamBytes ? decoded : REFUSED;
}

/* Sets at to a block's first stream. */
static int findBlock(const Chunk *chunk, int64_t block, int64_t *at) {
    *at = number(chunk->bytes + HEADER + NUMBER * block);
    return *at >= HEADER && *at <= chunk->end;
}

/* Moves on by some rows along the last dimension. */
static void advance(const Box *box, Rows *next, int64_t rows) {
    int64_t d = box->outer - 1;
    if (d >= 0) {
        next->index[d] += rows;
    }
    while (d >= 0 && next->index[d] == box->dimensions[d].count) {
        next->index[d] = 0;
        d--;
        if (d >= 0) {
            next->index[d]++;
        }
    }
    next->isOver = d < 0;
}

/* Writes the rows, or parts of rows, that are in a block of shuffled elements (RowRuns). */
static void putRows(
    const Chunk *chunk, const Box *box, Rows *next, int64_t begin, int64_t end, const uint8_t *const p[]) {
    const Dimension one = {1, 0, 0};
    const Dimension *last = box->outer == 0 ? &one : &box->dimensions[box->outer - 1];
    int64_t unit = chunk->typeBytes;
    while (!next->isOver) {
        int64_t from = box->sourceOffset + next->cut;
        int64_t to = box->targetOffset + next->cut;
        for (int64_t d = 0; d < box->outer; d++) {
            from += next->index[d] * box->dimensions[d].sourceStride;
            to += next->index[d] * box->dimensions[d].targetStride;
        }
        if (from >= end) {
            return;
        }
        int64_t bytes = least(box->rowBytes - next->cut, end - from);
        int64_t rows = 1;
        if (bytes < box->rowBytes) {
            next->cut = (next->cut + bytes) % box->rowBytes;
        } else if (box->outer > 0) {
            int64_t behind = (end - from - bytes) / last->sourceStride;
            rows = least(1 + behind, last->count - next->index[box->outer - 1]);
        }
        int64_t at = (from - begin) / unit;
        chunk->call->unshuffle(chunk->target + to, last->targetStride, rows, bytes / unit, last->sourceStride / unit,
            unit, p[0] + at, p[1] + at, p[2] + at, p[3] + at, p[4] + at, p[5] + at, p[6] + at, p[7] + at);
        if (next->cut == 0) {
            advance(box, next, rows);
        }
    }
}

/* Decodes a block of shuffled elements up to its byte `wanted`, and places what is wanted of it. */
static int64_t placeShuffled(const Chunk *chunk, Rows next[], int64_t block, int64_t wanted) {
    int64_t unit = chunk->typeBytes;
    int64_t bytes = bytesOfBlock(chunk, block);
    int64_t elements = bytes / unit;
    int64_t streams = splits(chunk, block);
    int64_t streamBytes = bytes / streams;
    int64_t end = (wanted + unit - 1) / unit;
    int64_t others = streams == 1 ? (unit - 1) * elements : 0;
    int64_t front = end < elements ? others + end : streamBytes;
    const uint8_t *planes[PLANES_MAX];
    int64_t at;
    if (!findBlock(chunk, block, &at)) {
        return REFUSED;
    }
    int64_t decoded = 0;
    for (int64_t i = 0; i < streams; i++) {
        int64_t some =
            decodeStream(chunk, &at, streamBytes, front, chunk->call->buffer + i * streamBytes, &planes[i]);
        if (some < 0) {
            return REFUSED;
        }
        decoded += some;
    }
    for (int64_t i = streams; i < PLANES_MAX; i++) {
        planes[i] = i < unit ? planes[0] + i * elements : planes[0];
    }
    int64_t begin = block * chunk->blockBytes;
    for (int64_t i = 0; i < chunk->call->boxCount; i++) {
        putRows(chunk, &chunk->call->boxes[i], &next[i], begin, begin + bytes, planes);
    }
    return decoded;
}

/* Decodes a block, up to its byte `wanted`, to its place in the buffer. */
static int64_t decodeBlock(const Chunk *chunk, int64_t block, int64_t wanted) {
    int64_t streams = splits(chunk, block);
    int64_t streamBytes = bytesOfBlock(chunk, block) / streams;
    int64_t front = streams == 1 ? wanted : streamBytes;
    uint8_t *to = chunk->call->buffer + block * chunk->blockBytes;
    int64_t at;
    if (!findBlock(chunk, block, &at)) {
        return REFUSED;
    }
    int64_t decoded = 0;
    for (int64_t i = 0; i < streams; i++, to += streamBytes) {
        const uint8_t *stream;
        int64_t some = decodeStream(chunk, &at, streamBytes, front, to, &stream);
        if (some < 0) {
            return REFUSED;
        }
        if (stream != to) {
            copyBytes(to, stream, front);
        }
        decoded += some;
    }
    return decoded;
}

/* Copies the rows of a box, of three dimensions in each call. */
static int copyBox(const Box *box, int64_t d, const uint8_t *from, uint8_t *to) {
    const Dimension *here = box->dimensions + d;
    int64_t left = box->outer - d;
    if (left > 2) {
        for (int64_t i = 0; i < here->count; i++) {
            if (copyBox(box, d + 1, from + i * here->sourceStride, to + i * here->targetStride) != 0) {
                return REFUSED;
            }
        }
        return 0;
    }
    const Dimension one = {1, 0, 0};
    Dimension row = left > 0 ? here[left - 1] : one;
    Dimension plane = left > 1 ? here[0] : one;
    return box->copyRows(to, from, box->rowBytes, row.count, row.targetStride, row.sourceStride, plane.count,
        plane.targetStride, plane.sourceStride);
}

static int copyBoxes(const Chunk *chunk, const uint8_t *decoded) {
    for (int64_t i = 0; i < chunk->call->boxCount; i++) {
        const Box *box = &chunk->call->boxes[i];
        if (copyBox(box, 0, decoded + box->sourceOffset, chunk->target + box->targetOffset) != 0) {
            return REFUSED;
        }
    }
    return 0;
}

/* Whether blocks hold planes of bytes that this file puts together; -1 if they hold anything else that is shuffled. */
static int isShuffled(const Chunk *chunk) {
    int64_t unit = chunk->typeBytes;
    if ((chunk->flags & BYTE_SHUFFLED) == 0) {
        return (chunk->flags & BIT_SHUFFLED) != 0 ? -1 : 0;
    }
    if (unit == 1) {
        return 0;
    }
    int isPutTogether = unit == 2 || unit == 4 || unit == 8;
    return isPutTogether && chunk->call->elementBytes % unit == 0 && chunk->blockBytes % unit == 0 ? 1 : -1;
}

/* Decodes and places the wanted part. Returns the number of decoded bytes, or REFUSED. */
static int64_t placeBlocks(const Chunk *chunk) {
    const Call *call = chunk->call;
    int shuffled = isShuffled(chunk);
    if (shuffled < 0) {
        return REFUSED;
    }
    Rows next[BOXES_MAX];
    for (int64_t i = 0; i < call->boxCount; i++) {
        next[i] = (Rows) {.isOver = 0};
    }
    int64_t decoded = 0;
    for (int64_t block = call->from / chunk->blockBytes; block * chunk->blockBytes < call->to; block++) {
        int64_t wanted = least(call->to - block * chunk->blockBytes, bytesOfBlock(chunk, block));
        int64_t some = shuffled ? placeShuffled(chunk, next, block, wanted) : decodeBlock(chunk, block, wanted);
        if (some < 0) {
            return REFUSED;
        }
        decoded += some;
    }
    return shuffled || copyBoxes(chunk, call->buffer) == 0 ? decoded : REFUSED;
}

/* Returns the number of decoded bytes, or REFUSED; then rows may have been written. Has a decoder's parameters. */
int64_t placeChunk(
    int64_t bytes, const uint8_t *encoded, int64_t room, int64_t wanted, const Call *call, uint8_t *target) {
    (void) room;
    (void) wanted;
    Chunk chunk = {.call = call, .bytes = encoded, .target = target};
    if (!begin(&chunk, bytes)) {
        return REFUSED;
    }
    if ((chunk.flags & STORED) == 0) {
        return placeBlocks(&chunk);
    }
    return copyBoxes(&chunk, encoded + HEADER) == 0 ? call->to - call->from : REFUSED;
}
