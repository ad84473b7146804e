/* Reads the literals section of a block, RFC 8878 3.1.1.3.1. */
#include "zstd.h"

enum { RAW, RUN_OF_ONE, COMPRESSED, TREELESS }; /* Literals_Block_Type */

/* Reads plain bytes, or one repeated byte. */
static int64_t readPlain(State *state, const uint8_t *from, int64_t bytes, Literals *literals) {
    uint32_t format = from[0] >> 2 & 3;
    int64_t header = format == 1 ? 2 : format == 3 ? 3 : 1;
    if (header >= bytes) { /* more must follow, at least the header of the sequences */
        return REFUSED;
    }
    literals->bytes = header == 1 ? from[0] >> 3 : header == 2 ? load16(from) >> 4 : load24(from) >> 4;
    literals->from = state->literalBytes;
    if (literals->bytes > BLOCK_BYTES_MAX) {
        return REFUSED;
    }
    if ((from[0] & 3) == RUN_OF_ONE) {
        fillBytes(state->literalBytes, from[header], literals->bytes);
        return header + 1;
    }
    int64_t used = header + literals->bytes;
    if (used > bytes) {
        return REFUSED;
    }
    if (bytes - used >= PADDING) {
        literals->from = from + header;
    } else {
        copyBytes(state->literalBytes, from + header, literals->bytes);
    }
    return used;
}

/* Returns the size of the section in bytes, or REFUSED. */
int64_t readLiterals(State *state, const uint8_t *from, int64_t bytes, Literals *literals) {
    if (bytes < 1) {
        return REFUSED;
    }
    uint32_t type = from[0] & 3;
    uint32_t format = from[0] >> 2 & 3;
    if (type == RAW || type == RUN_OF_ONE) {
        return readPlain(state, from, bytes, literals);
    }
    if (bytes < 5) { /* a header, a table and a stream take more */
        return REFUSED;
    }
    uint64_t sizes = (load32(from) | (uint64_t)from[4] << 32) >> 4;
    uint32_t width = format == 3 ? 18 : format == 2 ? 14 : 10;
    int64_t header = format == 3 ? 5 : format == 2 ? 4 : 3;
    uint64_t mask = (1u << width) - 1;
    literals->bytes = (uint32_t)(sizes & mask);
    literals->from = state->literalBytes;
    int64_t encoded = (int64_t)(sizes >> width & mask);
    if (literals->bytes == 0 || literals->bytes > BLOCK_BYTES_MAX || header + encoded > bytes) {
        return REFUSED;
    }
    int64_t table = type == COMPRESSED ? readHuffmanTable(state, from + header, encoded) : 0;
    if (table < 0 || state->huffmanLog == NO_TABLE) {
        return REFUSED;
    }
    int refused = (format == 0 ? decodeOneStream : decodeFourStreams)(
        state, from + header + table, encoded - table, state->literalBytes, literals->bytes);
    return refused ? REFUSED : header + encoded;
}
