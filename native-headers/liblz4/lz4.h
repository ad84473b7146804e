/*
 * liblz4 1.9 and later: the raw block format.
 *
 * Source: lz4.h, "Simple Functions" and "Advanced Functions".
 */
#include "../convention.h"

int LZ4_versionNumber(void);
int LZ4_decompress_safe(const char *src, char *dst, int compressedSize, int dstCapacity);
int LZ4_decompress_safe_partial(const char *src, char *dst, int srcSize, int targetOutputSize, int dstCapacity);
int LZ4_compress_default(const char *src, char *dst, int srcSize, int dstCapacity);
int LZ4_compressBound(int inputSize);
