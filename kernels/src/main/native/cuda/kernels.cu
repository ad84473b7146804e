/*
 * zarr-engine's kernels. They undo shuffling, place pieces of decoded chunks, undo filters by converting numbers, and
 * compute transforms of samples.
 *
 * bin/machine-code compiles this file to kernels.fatbin, which the jar contains.
 *
 * Each launch processes an array of descriptors, which Java fills (PieceBatch). A descriptor's work is cut into tiles
 * of 1,024 units. Tiles are numbered consecutively over all descriptors, so thousands of small pieces fill the device
 * as well as one large piece.
 *
 * No thread waits for another one and there is no shared memory: the tests' simulated runtime compiles the same file as
 * C++ and runs one thread after the other.
 */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

namespace {

constexpr int unitsPerTile = 1024;

enum Mode : uint8_t { plain = 0, byteShuffled = 1, bitShuffled = 2, fill = 3 };

/* A box of elements and its strided target. PieceBatch in Java has the same layout. */
struct Piece {
    uint64_t source;          /* address; with fill: the value's first 8 bytes */
    uint64_t target;          /* address */
    uint64_t firstTile;
    uint64_t unitCount;
    uint8_t rank;             /* 0 to 8 */
    uint8_t mode;
    uint8_t unitBytes;        /* moved by one thread: 1, 2, 4, 8 or 16; if shuffled, an element or consecutive
                                 elements: 16 bytes of byte-shuffled ones; 8 bit-shuffled ones, which are 8 to 64
                                 bytes; if converted, 1 or 4 stored numbers */
    uint8_t elementBytes;
    uint32_t swapBytes;       /* 0, or the size of the numbers whose bytes are reversed: 2, 4 or 8 */
    uint64_t sourceElements;  /* shuffled: in the whole buffer; with fill: the value's next 8 bytes */
    uint64_t blockElements;   /* shuffled: elements of a block that is shuffled on its own */
    uint64_t firstElement;    /* shuffled: index of the piece's first element in the buffer */
    /* In a converted piece, the last two of each hold a Conversion, so it has at most 6 dimensions. */
    uint64_t shape[8];        /* in units; blocks, begins and strides are multiples of a unit */
    int64_t sourceStrides[8]; /* bytes; elements if shuffled */
    int64_t targetStrides[8]; /* bytes */
};
static_assert(sizeof(Piece) == 256 && offsetof(Piece, rank) == 32 && offsetof(Piece, swapBytes) == 36
        && offsetof(Piece, firstElement) == 56 && offsetof(Piece, shape) == 64 && offsetof(Piece, targetStrides) == 192, "PieceBatch");

struct alignas(16) Unit16 {
    uint32_t words[4];
};

/* A division of 32 bits, which is enough for most numbers here, costs a third. */
__device__ uint64_t divide(uint64_t dividend, uint64_t divisor) {
    return ((dividend | divisor) >> 32) == 0
            ? static_cast<uint32_t>(dividend) / static_cast<uint32_t>(divisor)
            : dividend / divisor;
}

/* Returns the piece of a tile: the last piece that begins at or before it. */
__device__ const Piece &owner(const Piece *pieces, uint64_t count, uint64_t tile) {
    uint64_t low = 0;
    uint64_t high = count;
    while (high - low > 1) {
        uint64_t middle = (low + high) / 2;
        if (pieces[middle].firstTile <= tile) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return pieces[low];
}

__device__ uint32_t swapPairs(uint32_t word) {
    return ((word & 0x00ff00ffu) << 8) | ((word >> 8) & 0x00ff00ffu);
}

__device__ uint32_t swapWord(uint32_t word) {
    uint32_t pairs = swapPairs(word);
    return (pairs << 16) | (pairs >> 16);
}

__device__ uint16_t swapped(uint16_t value, uint32_t swapBytes) {
    return swapBytes == 2 ? static_cast<uint16_t>(value << 8 | value >> 8) : value;
}

__device__ uint32_t swapped(uint32_t value, uint32_t swapBytes) {
    return swapBytes == 2 ? swapPairs(value) : swapBytes == 4 ? swapWord(value) : value;
}

__device__ uint64_t swapped(uint64_t value, uint32_t swapBytes) {
    uint32_t low = swapped(static_cast<uint32_t>(value), swapBytes == 8 ? 4 : swapBytes);
    uint32_t high = swapped(static_cast<uint32_t>(value >> 32), swapBytes == 8 ? 4 : swapBytes);
    return swapBytes == 8 ? static_cast<uint64_t>(low) << 32 | high : static_cast<uint64_t>(high) << 32 | low;
}

__device__ Unit16 swapped(Unit16 value, uint32_t swapBytes) {
    Unit16 result;
    for (int half = 0; half < 4; half += 2) {
        uint64_t both = static_cast<uint64_t>(value.words[half + 1]) << 32 | value.words[half];
        both = swapped(both, swapBytes);
        result.words[half] = static_cast<uint32_t>(both);
        result.words[half + 1] = static_cast<uint32_t>(both >> 32);
    }
    return result;
}

template <typename T>
__device__ void move(const uint8_t *source, uint8_t *target, uint32_t swapBytes) {
    *reinterpret_cast<T *>(target) = swapped(*reinterpret_cast<const T *>(source), swapBytes);
}

__device__ void moveUnit(const Piece &piece, const uint8_t *source, uint8_t *target) {
    switch (piece.unitBytes) {
        case 16: move<Unit16>(source, target, piece.swapBytes); break;
        case 8: move<uint64_t>(source, target, piece.swapBytes); break;
        case 4: move<uint32_t>(source, target, piece.swapBytes); break;
        case 2: move<uint16_t>(source, target, piece.swapBytes); break;
        default: *target = *source;
    }
}

__device__ Unit16 unitOf(uint64_t low, uint64_t high) {
    Unit16 unit;
    memcpy(unit.words, &low, sizeof low);
    memcpy(unit.words + 2, &high, sizeof high);
    return unit;
}

/* Stores the first bytes of a value of at most 16. The target is aligned to their number. */
__device__ void store(uint8_t *target, int bytes, uint64_t low, uint64_t high, uint32_t swapBytes) {
    switch (bytes) {
        case 16: *reinterpret_cast<Unit16 *>(target) = swapped(unitOf(low, high), swapBytes); break;
        case 8: *reinterpret_cast<uint64_t *>(target) = swapped(low, swapBytes); break;
        case 4: *reinterpret_cast<uint32_t *>(target) = swapped(static_cast<uint32_t>(low), swapBytes); break;
        case 2: *reinterpret_cast<uint16_t *>(target) = swapped(static_cast<uint16_t>(low), swapBytes); break;
        default: *target = static_cast<uint8_t>(low);
    }
}

/* A block that is shuffled on its own, and an element in it. */
struct Block {
    const uint8_t *bytes;
    uint64_t elements;
    uint64_t element;
};

__device__ Block blockOf(const Piece &piece, uint64_t index) {
    uint64_t first = divide(index, piece.blockElements) * piece.blockElements;
    uint64_t left = piece.sourceElements - first;
    Block block;
    block.bytes = reinterpret_cast<const uint8_t *>(piece.source) + first * piece.elementBytes;
    block.elements = left < piece.blockElements ? left : piece.blockElements;
    block.element = index - first;
    return block;
}

/* Returns one byte of one element of a bit-shuffled block. Its 8 bits are in 8 rows. */
__device__ uint8_t gatherBits(const Block &block, int byte) {
    uint64_t rowBytes = block.elements / 8;
    const uint8_t *row = block.bytes + byte * 8 * rowBytes + block.element / 8;
    uint32_t bits = 0;
    for (int bit = 0; bit < 8; bit++) {
        bits |= ((row[bit * rowBytes] >> (block.element % 8)) & 1u) << bit;
    }
    return static_cast<uint8_t>(bits);
}

/*
 * Returns a byte of an element. c-blosc bit-shuffles only if 8 divides the number of elements; otherwise the bytes are
 * unchanged.
 */
__device__ uint8_t shuffledByte(const Piece &piece, const Block &block, int byte) {
    if (piece.mode == byteShuffled) {
        return block.bytes[byte * block.elements + block.element];
    }
    return block.elements % 8 == 0 ? gatherBits(block, byte)
                                   : block.bytes[block.element * piece.elementBytes + byte];
}

template <typename Bytes>
__device__ Bytes bytesOf(const uint8_t *rows, uint64_t elements, int byte) {
    return *reinterpret_cast<const Bytes *>(rows + byte * elements);
}

/* Joins 8 elements of 2 bytes: row 0 has their low bytes, row 1 their high bytes. */
__device__ Unit16 join8(const uint8_t *rows, uint64_t elements) {
    uint64_t low = bytesOf<uint64_t>(rows, elements, 0);
    uint64_t high = bytesOf<uint64_t>(rows, elements, 1);
    Unit16 joined;
    for (int half = 0; half < 2; half++) {
        uint32_t a = static_cast<uint32_t>(low >> (32 * half));
        uint32_t b = static_cast<uint32_t>(high >> (32 * half));
        joined.words[2 * half] = __byte_perm(a, b, 0x5140);
        joined.words[2 * half + 1] = __byte_perm(a, b, 0x7362);
    }
    return joined;
}

/* Joins 4 elements of 4 bytes. */
__device__ Unit16 join4(const uint8_t *rows, uint64_t elements) {
    uint32_t a = bytesOf<uint32_t>(rows, elements, 0);
    uint32_t b = bytesOf<uint32_t>(rows, elements, 1);
    uint32_t c = bytesOf<uint32_t>(rows, elements, 2);
    uint32_t d = bytesOf<uint32_t>(rows, elements, 3);
    Unit16 joined;
    for (int half = 0; half < 2; half++) {
        uint32_t selector = half == 0 ? 0x5140 : 0x7362;
        uint32_t ab = __byte_perm(a, b, selector);
        uint32_t cd = __byte_perm(c, d, selector);
        joined.words[2 * half] = __byte_perm(ab, cd, 0x5410);
        joined.words[2 * half + 1] = __byte_perm(ab, cd, 0x7632);
    }
    return joined;
}

/* Joins 2 elements of 8 bytes. */
__device__ Unit16 join2(const uint8_t *rows, uint64_t elements) {
    Unit16 joined;
    for (int half = 0; half < 2; half++) {
        uint32_t pairs[2];
        for (int i = 0; i < 2; i++) {
            int byte = 4 * half + 2 * i;
            pairs[i] = bytesOf<uint16_t>(rows, elements, byte)
                    | static_cast<uint32_t>(bytesOf<uint16_t>(rows, elements, byte + 1)) << 16;
        }
        joined.words[half] = __byte_perm(pairs[0], pairs[1], 0x6420);
        joined.words[2 + half] = __byte_perm(pairs[0], pairs[1], 0x7531);
    }
    return joined;
}

__device__ void moveJoined(const Piece &piece, const uint8_t *rows, uint64_t elements, uint8_t *target) {
    Unit16 joined = piece.elementBytes == 2 ? join8(rows, elements)
            : piece.elementBytes == 4 ? join4(rows, elements) : join2(rows, elements);
    *reinterpret_cast<Unit16 *>(target) = swapped(joined, piece.swapBytes);
}

/*
 * Transposes an 8 x 8 matrix of bits, one row per byte.
 * Source: Hacker's Delight, section 7-3.
 */
__device__ uint64_t transpose(uint64_t rows) {
    uint64_t x = rows;
    uint64_t swap = (x ^ (x >> 7)) & 0x00aa00aa00aa00aaull;
    x ^= swap ^ (swap << 7);
    swap = (x ^ (x >> 14)) & 0x0000cccc0000ccccull;
    x ^= swap ^ (swap << 14);
    swap = (x ^ (x >> 28)) & 0x00000000f0f0f0f0ull;
    return x ^ swap ^ (swap << 28);
}

/* Returns one byte of each of 8 elements whose bits begin at the first row. */
__device__ uint64_t gatherColumn(const uint8_t *rows, uint64_t rowBytes, int byte) {
    uint64_t bits = 0;
    for (int bit = 0; bit < 8; bit++) {
        bits |= static_cast<uint64_t>(rows[(byte * 8 + bit) * rowBytes]) << (8 * bit);
    }
    return transpose(bits);
}

/* Puts 8 elements of a bit-shuffled block together in registers. */
template <typename T>
__device__ void moveGroup(const uint8_t *rows, uint64_t rowBytes, uint8_t *target, uint32_t swapBytes) {
    T elements[8] = {};
    for (int byte = 0; byte < static_cast<int>(sizeof(T)); byte++) {
        uint64_t column = gatherColumn(rows, rowBytes, byte);
        for (int i = 0; i < 8; i++) {
            elements[i] |= static_cast<T>(static_cast<T>(column >> (8 * i) & 0xff) << (8 * byte));
        }
    }
    constexpr int perUnit = sizeof(Unit16) / sizeof(T);
    for (int i = 0; i < 8; i += perUnit) {
        Unit16 unit;
        memcpy(&unit, elements + i, sizeof unit);
        *reinterpret_cast<Unit16 *>(target + i * sizeof(T)) = swapped(unit, swapBytes);
    }
}

__device__ void moveGroupOf(const Piece &piece, const uint8_t *rows, uint64_t rowBytes, uint8_t *target) {
    switch (piece.elementBytes) {
        case 8: moveGroup<uint64_t>(rows, rowBytes, target, piece.swapBytes); break;
        case 4: moveGroup<uint32_t>(rows, rowBytes, target, piece.swapBytes); break;
        case 2: moveGroup<uint16_t>(rows, rowBytes, target, piece.swapBytes); break;
        default: *reinterpret_cast<uint64_t *>(target) = gatherColumn(rows, rowBytes, 0);
    }
}

__device__ void moveShuffled(const Piece &piece, const Block &block, uint8_t *target) {
    if (piece.unitBytes > piece.elementBytes) {
        if (piece.mode == byteShuffled) {
            moveJoined(piece, block.bytes + block.element, block.elements, target);
        } else {
            moveGroupOf(piece, block.bytes + block.element / 8, block.elements / 8, target);
        }
        return;
    }
    uint64_t halves[2] = {0, 0};
    for (int byte = 0; byte < piece.elementBytes; byte++) {
        uint64_t value = shuffledByte(piece, block, byte);
        halves[byte / 8] |= value << (byte % 8 * 8);
    }
    store(target, piece.elementBytes, halves[0], halves[1], piece.swapBytes);
}

/* Computes the positions of a unit in the source and in the target, in the units of their strides. */
__device__ void findUnit(const Piece &piece, uint64_t unit, int64_t &from, int64_t &to) {
    from = 0;
    to = 0;
    uint64_t rest = unit;
    for (int dimension = piece.rank - 1; dimension >= 0; dimension--) {
        uint64_t outer = divide(rest, piece.shape[dimension]);
        int64_t index = static_cast<int64_t>(rest - outer * piece.shape[dimension]);
        from += index * piece.sourceStrides[dimension];
        to += index * piece.targetStrides[dimension];
        rest = outer;
    }
}

__device__ void placeUnit(const Piece &piece, uint64_t unit) {
    int64_t from;
    int64_t to;
    findUnit(piece, unit, from, to);
    uint8_t *target = reinterpret_cast<uint8_t *>(piece.target) + to;
    if (piece.mode == plain) {
        moveUnit(piece, reinterpret_cast<const uint8_t *>(piece.source) + from, target);
    } else if (piece.mode == fill) {
        store(target, piece.unitBytes, piece.source, piece.sourceElements, 0);
    } else {
        moveShuffled(piece, blockOf(piece, piece.firstElement + static_cast<uint64_t>(from)), target);
    }
}

/* The numbers of Conversion.NumberType; the types before float32 are integers. */
enum Type : uint8_t { int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64 };

/* A byte of a conversion's steps: 0 for the end, a type from 1 to 10 for a cast, or this. */
constexpr uint8_t scaling = 11;

/*
 * The bits of a number during conversion: an integer has 64, with its sign; a float32 has 32.
 * All results equal those of the host, where Java's arithmetic is float64, rounded to nearest, and rounded again to
 * float32 for numbers of that type. NaNs are computed on their bits, because a GPU does not keep their payload. An
 * operation sets their quiet bit, and Java (PieceBatch) allows no operation that creates new ones.
 */
__device__ float asFloat(uint64_t bits) {
    uint32_t low = static_cast<uint32_t>(bits);
    float value;
    memcpy(&value, &low, sizeof value);
    return value;
}

__device__ uint64_t bitsOf(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

__device__ double asDouble(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

__device__ uint64_t bitsOf(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

__device__ bool isNan(uint64_t bits, int type) {
    return type == float32 ? (bits & 0x7fffffffu) > 0x7f800000u
                           : (bits & 0x7fffffffffffffffull) > 0x7ff0000000000000ull;
}

__device__ uint64_t quietNan(uint64_t bits, int type) {
    return bits | (type == float32 ? 0x400000ull : 0x8000000000000ull);
}

__device__ uint64_t castNan(uint64_t bits, int from, int to) {
    uint64_t quiet = quietNan(bits, from);
    if (from == to) { /* Java converts a float32 by way of float64. */
        return from == float32 ? quiet : bits;
    }
    return from == float32
            ? (quiet & 0x80000000u) << 32 | 0x7ff0000000000000ull | (quiet & 0x7fffffu) << 29
            : (quiet >> 32 & 0x80000000u) | 0x7f800000u | (quiet >> 29 & 0x7fffffu);
}

/* Returns the low bits of an integer, extended by the sign of its type. */
__device__ uint64_t extended(uint64_t bits, int type) {
    switch (type) {
        case int8: return static_cast<uint64_t>(static_cast<int64_t>(static_cast<int8_t>(bits)));
        case int16: return static_cast<uint64_t>(static_cast<int64_t>(static_cast<int16_t>(bits)));
        case int32: return static_cast<uint64_t>(static_cast<int64_t>(static_cast<int32_t>(bits)));
        case uint8: return bits & 0xff;
        case uint16: return bits & 0xffff;
        case uint32: return bits & 0xffffffffu;
        default: return bits;
    }
}

/* Returns Java's (long) of a number other than NaN: the nearest one if it is beyond the type. */
__device__ uint64_t toInt64(double value) {
    constexpr double limit = 9223372036854775808.0; /* 2^63 */
    if (value >= limit) {
        return 0x7fffffffffffffffull;
    }
    return value < -limit ? 0x8000000000000000ull : static_cast<uint64_t>(static_cast<int64_t>(value));
}

__device__ uint64_t ofFloat(double value, int to) {
    constexpr double limit = 9223372036854775808.0; /* 2^63 */
    if (to == float64) {
        return bitsOf(value);
    }
    if (to == float32) {
        return bitsOf(__double2float_rn(value));
    }
    bool isLarge = to == uint64 && value >= limit;
    uint64_t whole = isLarge ? toInt64(value - limit) ^ 0x8000000000000000ull : toInt64(value);
    return extended(whole, to);
}

__device__ uint64_t ofInteger(uint64_t bits, int from, int to) {
    if (to == float32) { /* Rounded once, not first to float64. */
        return bitsOf(from == uint64 ? __ull2float_rn(bits) : __ll2float_rn(static_cast<int64_t>(bits)));
    }
    if (to == float64) {
        return bitsOf(from == uint64 ? __ull2double_rn(bits) : __ll2double_rn(static_cast<int64_t>(bits)));
    }
    return extended(bits, to);
}

__device__ uint64_t cast(uint64_t bits, int from, int to) {
    if (from < float32) {
        return ofInteger(bits, from, to);
    }
    if (isNan(bits, from)) {
        return to < float32 ? 0 : castNan(bits, from, to);
    }
    return ofFloat(from == float32 ? asFloat(bits) : asDouble(bits), to);
}

/*
 * Divides a float, then adds to it; after each operation the result has its type, which divisor and addend have too.
 * For float32, float64 has enough bits that rounding to it first, as the host does, changes nothing (Figueroa, When is
 * double rounding innocuous?, SIGNUM Newsletter 30 (3), 1995). This holds for subnormal float32 too: no quotient is so
 * close to the middle between two of them, and sums are exact there.
 */
__device__ uint64_t scale(uint64_t bits, int type, double divisor, double addend) {
    if (isNan(bits, type)) {
        return quietNan(bits, type);
    }
    if (type == float32) {
        float quotient = __fdiv_rn(asFloat(bits), static_cast<float>(divisor));
        return bitsOf(__fadd_rn(quotient, static_cast<float>(addend)));
    }
    return bitsOf(__dadd_rn(__ddiv_rn(asDouble(bits), divisor), addend));
}

/* Reverses the bytes of a stored number in the low bits. */
__device__ uint64_t swappedNumber(uint64_t bits, uint32_t swapBytes) {
    return swapBytes == 0 ? bits : swapped(bits, 8) >> (64 - 8 * swapBytes);
}

/* Consecutive numbers that one thread converts step by step. */
template <int count>
struct Numbers {
    uint64_t bits[count];
};

/* Converts stored numbers; returns their new type. */
template <int count>
__device__ int convert(const Piece &piece, Numbers<count> &numbers) {
    uint64_t codes = piece.shape[6];
    int type = codes & 0xff;
    for (uint64_t &bits : numbers.bits) {
        bits = extended(swappedNumber(bits, piece.swapBytes), type);
    }
    int scalings = 0;
    for (codes >>= 8; codes != 0; codes >>= 8) {
        int step = codes & 0xff;
        if (step == scaling) {
            int pair = 6 + scalings++;
            double divisor = asDouble(static_cast<uint64_t>(piece.sourceStrides[pair]));
            double addend = asDouble(static_cast<uint64_t>(piece.targetStrides[pair]));
            for (uint64_t &bits : numbers.bits) {
                bits = scale(bits, type, divisor, addend);
            }
        } else {
            for (uint64_t &bits : numbers.bits) {
                bits = cast(bits, type, step - 1);
            }
            type = step - 1;
        }
    }
    return type;
}

__device__ void loadPlain(const uint8_t *source, int bytes, Numbers<1> &numbers) {
    uint64_t &bits = numbers.bits[0];
    switch (bytes) {
        case 8: bits = *reinterpret_cast<const uint64_t *>(source); break;
        case 4: bits = *reinterpret_cast<const uint32_t *>(source); break;
        case 2: bits = *reinterpret_cast<const uint16_t *>(source); break;
        default: bits = *source;
    }
}

/* Joins two numbers of 4 bytes. */
__device__ uint64_t join(uint64_t low, uint64_t high) {
    return (low & 0xffffffffu) | high << 32;
}

/* Splits a word into numbers of 1 or 2 bytes. */
__device__ void split(uint64_t all, int bytes, Numbers<4> &numbers) {
    for (int i = 0; i < 4; i++) {
        numbers.bits[i] = all >> (8 * bytes * i) & (bytes == 1 ? 0xff : 0xffff);
    }
}

/* Loads 4 numbers. The source is aligned to all 4, up to 16 bytes. */
__device__ void loadPlain(const uint8_t *source, int bytes, Numbers<4> &numbers) {
    const Unit16 *units = reinterpret_cast<const Unit16 *>(source);
    switch (bytes) {
        case 8:
            for (int i = 0; i < 4; i += 2) {
                Unit16 two = units[i / 2]; /* as one load */
                numbers.bits[i] = join(two.words[0], two.words[1]);
                numbers.bits[i + 1] = join(two.words[2], two.words[3]);
            }
            break;
        case 4: {
            Unit16 all = *units;
            for (int i = 0; i < 4; i++) {
                numbers.bits[i] = all.words[i];
            }
            break;
        }
        case 2: split(*reinterpret_cast<const uint64_t *>(source), bytes, numbers); break;
        default: split(*reinterpret_cast<const uint32_t *>(source), bytes, numbers);
    }
}

__device__ void loadShuffled(const Piece &piece, const Block &block, Numbers<1> &numbers) {
    numbers = {};
    for (int byte = 0; byte < piece.elementBytes; byte++) {
        numbers.bits[0] |= static_cast<uint64_t>(shuffledByte(piece, block, byte)) << (8 * byte);
    }
}

/* Returns one byte of each of 4 elements. The rows of bytes are aligned to 4, those of bits hold whole bytes. */
__device__ uint32_t shuffledBytes(const Piece &piece, const Block &block, int byte) {
    if (piece.mode == byteShuffled) {
        return bytesOf<uint32_t>(block.bytes + block.element, block.elements, byte);
    }
    uint64_t column = gatherColumn(block.bytes + block.element / 8, block.elements / 8, byte);
    return static_cast<uint32_t>(column >> (8 * (block.element % 8)));
}

__device__ void loadShuffled(const Piece &piece, const Block &block, Numbers<4> &numbers) {
    numbers = {};
    for (int byte = 0; byte < piece.elementBytes; byte++) {
        uint32_t bytes = shuffledBytes(piece, block, byte);
        for (int i = 0; i < 4; i++) {
            numbers.bits[i] |= static_cast<uint64_t>(bytes >> (8 * i) & 0xff) << (8 * byte);
        }
    }
}

__device__ int bytesOfType(int type) {
    return type == float32 ? 4 : type == float64 ? 8 : 1 << (type & 3);
}

__device__ void storeNumbers(uint8_t *target, int bytes, const Numbers<1> &numbers) {
    store(target, bytes, numbers.bits[0], 0, 0);
}

/* Stores 4 numbers. The target is aligned to all 4, up to 16 bytes. */
__device__ void storeNumbers(uint8_t *target, int bytes, const Numbers<4> &numbers) {
    const uint64_t *bits = numbers.bits;
    switch (bytes) {
        case 8:
            store(target, 16, bits[0], bits[1], 0);
            store(target + 16, 16, bits[2], bits[3], 0);
            break;
        case 4: store(target, 16, join(bits[0], bits[1]), join(bits[2], bits[3]), 0); break;
        default: {
            uint64_t all = 0;
            for (int i = 0; i < 4; i++) {
                all |= (bits[i] & (bytes == 2 ? 0xffff : 0xff)) << (8 * bytes * i);
            }
            store(target, 4 * bytes, all, 0, 0);
        }
    }
}

template <int count>
__device__ void convertNumbers(const Piece &piece, uint64_t index, uint8_t *target) {
    Numbers<count> numbers;
    if (piece.mode == plain) {
        loadPlain(reinterpret_cast<const uint8_t *>(piece.source) + index * piece.elementBytes, piece.elementBytes, numbers);
    } else {
        loadShuffled(piece, blockOf(piece, index), numbers);
    }
    int type = convert(piece, numbers);
    storeNumbers(target, bytesOfType(type), numbers);
}

/* Converts a unit of 1 or 4 elements; both kinds of source strides count elements. */
__device__ void convertUnit(const Piece &piece, uint64_t unit) {
    int64_t from;
    int64_t to;
    findUnit(piece, unit, from, to);
    uint64_t index = piece.firstElement + static_cast<uint64_t>(from);
    uint8_t *target = reinterpret_cast<uint8_t *>(piece.target) + to;
    if (piece.unitBytes > piece.elementBytes) {
        convertNumbers<4>(piece, index, target);
    } else {
        convertNumbers<1>(piece, index, target);
    }
}

template <void (*doUnit)(const Piece &, uint64_t)>
__device__ void doTiles(const Piece *pieces, uint64_t pieceCount, uint64_t tileCount) {
    for (uint64_t tile = blockIdx.x; tile < tileCount; tile += gridDim.x) {
        const Piece &piece = owner(pieces, pieceCount, tile);
        uint64_t first = (tile - piece.firstTile) * unitsPerTile;
        uint64_t left = piece.unitCount - first;
        uint64_t end = first + (left < unitsPerTile ? left : unitsPerTile);
        for (uint64_t unit = first + threadIdx.x; unit < end; unit += blockDim.x) {
            doUnit(piece, unit);
        }
    }
}

#include "transform.cuh"

} // namespace

extern "C" __global__ void zarr_place(const Piece *pieces, uint64_t pieceCount, uint64_t tileCount) {
    doTiles<placeUnit>(pieces, pieceCount, tileCount);
}

extern "C" __global__ void zarr_convert(const Piece *pieces, uint64_t pieceCount, uint64_t tileCount) {
    doTiles<convertUnit>(pieces, pieceCount, tileCount);
}

/* Without means. With 4 blocks of 256 threads a multiprocessor hides the latency of its memory. */
extern "C" __global__ void __launch_bounds__(256, 4) zarr_transform(__grid_constant__ const Transform transform, const uint8_t *sources,
        uint8_t *target, uint64_t units) {
    if (transform.together == 4) {
        transformAll<0, 4>(transform, sources, target, units);
    } else {
        transformAll<0, 1>(transform, sources, target, units);
    }
}

extern "C" __global__ void zarr_transform_means(__grid_constant__ const Transform transform, const uint8_t *sources,
        uint8_t *target, uint64_t units) {
    if (transform.levels == 2) {
        transformAll<1, 1>(transform, sources, target, units);
    } else {
        transformAll<2, 1>(transform, sources, target, units);
    }
}
