/* What Java says of a chunk, and what its header says. */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { REFUSED = -1, OUTER_MAX = 7, BOXES_MAX = 16, PLANES_MAX = 8 };

typedef int64_t Decode(int64_t bytes, const uint8_t *from, int64_t room, int64_t wanted, void *state, uint8_t *to);

typedef void Unshuffle(uint8_t *target, int64_t targetStride, int64_t rows, int64_t elements, int64_t stride,
    int64_t bytes, const uint8_t *p0, const uint8_t *p1, const uint8_t *p2, const uint8_t *p3, const uint8_t *p4,
    const uint8_t *p5, const uint8_t *p6, const uint8_t *p7);

typedef int CopyRows(uint8_t *target, const uint8_t *source, int64_t bytes, int64_t rows, int64_t targetStride,
    int64_t sourceStride, int64_t planes, int64_t targetPlaneStride, int64_t sourcePlaneStride);

typedef struct {
    int64_t count;
    int64_t sourceStride;
    int64_t targetStride;
} Dimension;

/* In the order in which Java writes it (MachineCodeBlosc). Sizes, offsets and strides are in bytes. */
typedef struct {
    CopyRows *copyRows;
    int64_t sourceOffset; /* of the first row in the decoded chunk; the rows are in its order */
    int64_t targetOffset;
    int64_t rowBytes;
    int64_t outer; /* dimensions around a row, the last one varies fastest */
    Dimension dimensions[OUTER_MAX];
} Box;

typedef struct {
    Decode *lz4;
    void *state; /* of lz4 */
    Decode *blosclz;
    Unshuffle *unshuffle;
    uint8_t *buffer; /* as long as the decoded chunk */
    int64_t decodedBytes;
    int64_t elementBytes;
    int64_t from; /* the first wanted byte of the decoded chunk */
    int64_t to; /* the end of the wanted bytes */
    int64_t boxCount;
    Box boxes[BOXES_MAX];
} Call;
