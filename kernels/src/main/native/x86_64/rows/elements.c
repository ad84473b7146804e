/*
 * Copies planes of elements of 1, 2, 4, 8 or 16 bytes, at any distance from each other. If the elements of a plane are
 * adjacent in the target, and those of one row of all planes adjacent in the source, this transposes a matrix, in tiles
 * of a cache line from each of 64 rows. The lines are copied once to a place where they do not evict each other, at any
 * distance of rows, and transposed block by block in registers, so that a line of the target is written at once too.
 * SSE2 alone.
 */
#include <emmintrin.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

enum {
    LINE_BYTES = 64, /* of a cache */
    TILE_ROWS = 64,
    AHEAD_PLANES = 4,
    TURNED_BYTES_MIN = 16, /* with fewer planes or rows, e.g. three colours, elements are copied one by one */
    SHORT_ROWS = 8
};

register void *frame __asm__("r15"); /* set by elements.s; no function here may change it */

typedef uint8_t __attribute__((may_alias)) Bytes1;
typedef uint16_t __attribute__((aligned(1), may_alias)) Bytes2;
typedef uint32_t __attribute__((aligned(1), may_alias)) Bytes4;
typedef uint64_t __attribute__((aligned(1), may_alias)) Bytes8;
typedef __m128i_u Bytes16;

typedef struct {
    char *target;
    const char *source;
    size_t rows;
    ptrdiff_t targetRow; /* from a row to the next one */
    ptrdiff_t sourceRow;
    size_t planes;
    ptrdiff_t targetPlane;
    ptrdiff_t sourcePlane;
} Planes;

/* Copies elements in groups of four, which do not depend on each other. */
#define LINE(Type)                                                                                                     \
    static inline void line##Type(char *to, ptrdiff_t toStep, const char *from, ptrdiff_t fromStep, size_t count) {    \
        for (; count >= 4; count -= 4, to += 4 * toStep, from += 4 * fromStep) {                                       \
            Type first = *(const Type *) from;                                                                         \
            Type second = *(const Type *) (from + fromStep);                                                           \
            Type third = *(const Type *) (from + 2 * fromStep);                                                        \
            Type fourth = *(const Type *) (from + 3 * fromStep);                                                       \
            *(Type *) to = first;                                                                                      \
            *(Type *) (to + toStep) = second;                                                                          \
            *(Type *) (to + 2 * toStep) = third;                                                                       \
            *(Type *) (to + 3 * toStep) = fourth;                                                                      \
        }                                                                                                              \
        for (; count > 0; count--, to += toStep, from += fromStep) {                                                   \
            *(Type *) to = *(const Type *) from;                                                                       \
        }                                                                                                              \
    }

LINE(Bytes1)
LINE(Bytes2)
LINE(Bytes4)
LINE(Bytes8)
LINE(Bytes16)

static inline __m128i row(const char *from) {
    return _mm_loadu_si128((const __m128i *) from);
}

static inline __m128i halfRow(const char *from) {
    return _mm_loadl_epi64((const __m128i *) from);
}

static inline void put(char *to, __m128i elements) {
    _mm_storeu_si128((__m128i *) to, elements);
}

/* Stores the low half to one plane, the high half to the next one. */
static inline void putHalves(char *to, ptrdiff_t plane, __m128i elements) {
    _mm_storel_epi64((__m128i *) to, elements);
    _mm_storel_epi64((__m128i *) (to + plane), _mm_unpackhi_epi64(elements, elements));
}

/* 8 rows of 8 planes */
static inline void blockBytes1(char *to, ptrdiff_t plane, const char *from, ptrdiff_t step) {
    __m128i rows01 = _mm_unpacklo_epi8(halfRow(from), halfRow(from + step));
    __m128i rows23 = _mm_unpacklo_epi8(halfRow(from + 2 * step), halfRow(from + 3 * step));
    __m128i rows45 = _mm_unpacklo_epi8(halfRow(from + 4 * step), halfRow(from + 5 * step));
    __m128i rows67 = _mm_unpacklo_epi8(halfRow(from + 6 * step), halfRow(from + 7 * step));
    __m128i low03 = _mm_unpacklo_epi16(rows01, rows23); /* rows 0 to 3 of planes 0 to 3 */
    __m128i high03 = _mm_unpackhi_epi16(rows01, rows23);
    __m128i low47 = _mm_unpacklo_epi16(rows45, rows67);
    __m128i high47 = _mm_unpackhi_epi16(rows45, rows67);
    putHalves(to, plane, _mm_unpacklo_epi32(low03, low47));
    putHalves(to + 2 * plane, plane, _mm_unpackhi_epi32(low03, low47));
    putHalves(to + 4 * plane, plane, _mm_unpacklo_epi32(high03, high47));
    putHalves(to + 6 * plane, plane, _mm_unpackhi_epi32(high03, high47));
}

/* Stores 4 bytes of each of 4 rows, for each of 4 planes: elements, or two rows of elements of 2 bytes. */
static inline void putQuarters(
        char *to, ptrdiff_t plane, __m128i first, __m128i second, __m128i third, __m128i fourth) {
    __m128i low = _mm_unpacklo_epi32(first, second);
    __m128i high = _mm_unpackhi_epi32(first, second);
    __m128i lowNext = _mm_unpacklo_epi32(third, fourth);
    __m128i highNext = _mm_unpackhi_epi32(third, fourth);
    put(to, _mm_unpacklo_epi64(low, lowNext));
    put(to + plane, _mm_unpackhi_epi64(low, lowNext));
    put(to + 2 * plane, _mm_unpacklo_epi64(high, highNext));
    put(to + 3 * plane, _mm_unpackhi_epi64(high, highNext));
}

/* 8 rows of 8 planes */
static inline void blockBytes2(char *to, ptrdiff_t plane, const char *from, ptrdiff_t step) {
    __m128i row0 = row(from), row1 = row(from + step), row2 = row(from + 2 * step), row3 = row(from + 3 * step);
    const char *next = from + 4 * step;
    __m128i row4 = row(next), row5 = row(next + step), row6 = row(next + 2 * step), row7 = row(next + 3 * step);
    putQuarters(
            to, plane, _mm_unpacklo_epi16(row0, row1), _mm_unpacklo_epi16(row2, row3),
            _mm_unpacklo_epi16(row4, row5), _mm_unpacklo_epi16(row6, row7));
    putQuarters(
            to + 4 * plane, plane, _mm_unpackhi_epi16(row0, row1), _mm_unpackhi_epi16(row2, row3),
            _mm_unpackhi_epi16(row4, row5), _mm_unpackhi_epi16(row6, row7));
}

/* 4 rows of 4 planes */
static inline void blockBytes4(char *to, ptrdiff_t plane, const char *from, ptrdiff_t step) {
    putQuarters(to, plane, row(from), row(from + step), row(from + 2 * step), row(from + 3 * step));
}

/* 2 rows of 2 planes */
static inline void blockBytes8(char *to, ptrdiff_t plane, const char *from, ptrdiff_t step) {
    __m128i row0 = row(from), row1 = row(from + step);
    put(to, _mm_unpacklo_epi64(row0, row1));
    put(to + plane, _mm_unpackhi_epi64(row0, row1));
}

static inline void copyRun(char *to, const char *from, size_t bytes) {
    if (bytes >= 16) {
        for (size_t at = 0; at + 16 < bytes; at += 16) {
            put(to + at, row(from + at));
        }
        put(to + bytes - 16, row(from + bytes - 16)); /* may overlap the others */
    } else {
        lineBytes1(to, 1, from, 1, bytes);
    }
}

/* Prefetches lines of the target while others are written. */
static inline void fetch(const char *to, ptrdiff_t plane, size_t planes, size_t bytes) {
    for (; planes > 0; planes--, to += plane) {
        for (size_t at = 0; at < bytes; at += LINE_BYTES) {
            __builtin_prefetch(to + at, 1);
        }
    }
}

/*
 * Blocks of 1 and 2 bytes are 8 planes wide. The first-level cache has 8 places for lines at distances of a power of
 * two, which planes often have, and the tile needs some of them. Such blocks are therefore staged on the stack.
 */
static inline int isStaged(size_t bytes) {
    return bytes <= 2;
}

/* Transposes a tile in cache lines; blocks have `count` rows and `count` planes. */
#define TRANSPOSE(Type, count)                                                                                         \
    static void turn##Type(const Planes *tile) {                                                                       \
        const ptrdiff_t bytes = sizeof(Type), plane = tile->targetPlane;                                               \
        char *target = tile->target;                                                                                   \
        const char *source = tile->source;                                                                             \
        size_t planes = tile->planes;                                                                                  \
        for (; planes >= (count); planes -= (count), target += (count) * plane, source += (count) * bytes) {           \
            char *to = target;                                                                                         \
            const char *from = source;                                                                                 \
            size_t left = tile->rows;                                                                                  \
            if (!isStaged(bytes) && planes >= 2 * (count)) {                                                           \
                fetch(to + (count) * plane, plane, (count), left * bytes);                                             \
            }                                                                                                          \
            for (; left >= (count); left -= (count), to += (count) * bytes, from += (count) * LINE_BYTES) {            \
                block##Type(to, plane, from, LINE_BYTES);                                                              \
            }                                                                                                          \
            for (; left > 0; left--, to += bytes, from += LINE_BYTES) {                                                \
                line##Type(to, plane, from, bytes, (count));                                                           \
            }                                                                                                          \
        }                                                                                                              \
        for (; planes > 0; planes--, target += plane, source += bytes) {                                               \
            line##Type(target, bytes, source, LINE_BYTES, tile->rows);                                                 \
        }                                                                                                              \
    }

TRANSPOSE(Bytes1, 8)
TRANSPOSE(Bytes2, 8)
TRANSPOSE(Bytes4, 4)
TRANSPOSE(Bytes8, 2)

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

static void transpose(const Planes *all, size_t bytes, void (*turn)(const Planes *tile)) {
    char lines[TILE_ROWS * LINE_BYTES] __attribute__((aligned(LINE_BYTES)));
    char turned[sizeof lines] __attribute__((aligned(LINE_BYTES)));
    size_t planesMax = LINE_BYTES / bytes;
    Planes tile = *all;
    tile.source = lines;
    tile.targetPlane = isStaged(bytes) ? (ptrdiff_t) (TILE_ROWS * bytes) : all->targetPlane;
    for (size_t plane = 0; plane < all->planes; plane += planesMax) {
        tile.planes = least(planesMax, all->planes - plane);
        for (size_t first = 0; first < all->rows; first += TILE_ROWS) {
            const char *from = all->source + plane * bytes + first * all->sourceRow;
            char *to = all->target + plane * all->targetPlane + first * bytes;
            tile.rows = least(TILE_ROWS, all->rows - first);
            for (size_t i = 0; i < tile.rows; i++, from += all->sourceRow) {
                _mm_prefetch(from + LINE_BYTES, _MM_HINT_T0); /* of the next planes */
                copyRun(lines + i * LINE_BYTES, from, tile.planes * bytes);
            }
            tile.target = isStaged(bytes) ? turned : to;
            turn(&tile);
            for (size_t i = 0; isStaged(bytes) && i < tile.planes; i++, to += all->targetPlane) {
                if (i + AHEAD_PLANES < tile.planes) {
                    fetch(to + AHEAD_PLANES * all->targetPlane, 0, 1, tile.rows * bytes);
                }
                copyRun(to, turned + i * tile.targetPlane, tile.rows * bytes);
            }
        }
    }
}

static void copyEach(const Planes *all, void (*line)(char *, ptrdiff_t, const char *, ptrdiff_t, size_t)) {
    char *to = all->target;
    const char *from = all->source;
    for (size_t left = all->planes; left > 0; left--, to += all->targetPlane, from += all->sourcePlane) {
        line(to, all->targetRow, from, all->sourceRow, all->rows);
    }
}

/* Swaps planes and rows if rows are short, because the inner loop should be long. */
static Planes withLongRows(Planes all) {
    if (all.rows >= SHORT_ROWS || all.planes <= all.rows) {
        return all;
    }
    return (Planes) {all.target,      all.source,    all.planes,   all.targetPlane,
                     all.sourcePlane, all.rows,      all.targetRow, all.sourceRow};
}

/* Copies as frame.inc describes; bytes is 1, 2, 4, 8 or 16. */
void copyPlanes(
        char *target, const char *source, size_t bytes, size_t rows, ptrdiff_t targetRow, ptrdiff_t sourceRow,
        size_t planes, ptrdiff_t targetPlane, ptrdiff_t sourcePlane) {
    Planes all = {target, source, rows, targetRow, sourceRow, planes, targetPlane, sourcePlane};
    int isMatrix = targetRow == (ptrdiff_t) bytes && sourcePlane == (ptrdiff_t) bytes;
    int isWide = rows * bytes >= TURNED_BYTES_MIN && planes * bytes >= TURNED_BYTES_MIN;
    switch (isMatrix && isWide ? bytes : 0) {
        case 1: transpose(&all, 1, turnBytes1); return;
        case 2: transpose(&all, 2, turnBytes2); return;
        case 4: transpose(&all, 4, turnBytes4); return;
        case 8: transpose(&all, 8, turnBytes8); return;
    }
    Planes lines = withLongRows(all);
    switch (bytes) {
        case 1: copyEach(&lines, lineBytes1); return;
        case 2: copyEach(&lines, lineBytes2); return;
        case 4: copyEach(&lines, lineBytes4); return;
        case 8: copyEach(&lines, lineBytes8); return;
        default: copyEach(&lines, lineBytes16);
    }
}
