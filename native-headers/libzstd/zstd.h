/*
 * libzstd 1.4 and later: one-shot compression and decompression with contexts that are reused.
 *
 * Source: zstd.h, "Simple API" and "Explicit context".
 */
#include "../convention.h"

typedef struct ZSTD_CCtx_s ZSTD_CCtx;
typedef struct ZSTD_DCtx_s ZSTD_DCtx;

#define ZE_ZSTD_C_PARAMETERS(X) \
    X(ZSTD_c_compressionLevel, 100) \
    X(ZSTD_c_checksumFlag, 201)
ZE_ENUM(ZSTD_cParameter, ZE_ZSTD_C_PARAMETERS)
#ifndef ZE_CHECK
typedef enum ZSTD_cParameter ZSTD_cParameter;
#endif

unsigned ZSTD_versionNumber(void);
unsigned ZSTD_isError(size_t code);
const char *ZSTD_getErrorName(size_t code);

ZSTD_DCtx *ZSTD_createDCtx(void);
size_t ZSTD_freeDCtx(ZSTD_DCtx *dctx);
size_t ZSTD_decompressDCtx(ZSTD_DCtx *dctx, void *dst, size_t dstCapacity, const void *src, size_t srcSize);

ZSTD_CCtx *ZSTD_createCCtx(void);
size_t ZSTD_freeCCtx(ZSTD_CCtx *cctx);
size_t ZSTD_CCtx_setParameter(ZSTD_CCtx *cctx, ZSTD_cParameter param, int value);
size_t ZSTD_compress2(ZSTD_CCtx *cctx, void *dst, size_t dstCapacity, const void *src, size_t srcSize);
size_t ZSTD_compressBound(size_t srcSize);
