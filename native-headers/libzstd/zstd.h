/*
 * libzstd 1.4 and later: one-shot compression and decompression with contexts that are reused, and
 * decompression that stops early, or goes block by block.
 *
 * Source: zstd.h, "Simple API", "Explicit context", "Streaming decompression" and "Buffer-less streaming
 * decompression". The last part is for static linking only, so NativeLibrary.has says whether a library has it.
 */
#include "../convention.h"

typedef struct ZSTD_CCtx_s ZSTD_CCtx;
typedef struct ZSTD_DCtx_s ZSTD_DCtx;

#define ZE_ZSTD_C_PARAMETERS(X) \
    X(ZSTD_c_compressionLevel, 100) \
    X(ZSTD_c_checksumFlag, 201)
ZE_ENUM(ZSTD_cParameter, ZE_ZSTD_C_PARAMETERS)

/* ZSTD_d_experimentalParam2 is ZSTD_d_stableOutBuffer in all releases that have it. */
#define ZE_ZSTD_D_PARAMETERS(X) \
    X(ZSTD_d_windowLogMax, 100) \
    X(ZSTD_d_experimentalParam2, 1001)
ZE_ENUM(ZSTD_dParameter, ZE_ZSTD_D_PARAMETERS)

#define ZE_ZSTD_RESETS(X) \
    X(ZSTD_reset_session_only, 1)
ZE_ENUM(ZSTD_ResetDirective, ZE_ZSTD_RESETS)
#ifndef ZE_CHECK
typedef enum ZSTD_cParameter ZSTD_cParameter;
typedef enum ZSTD_dParameter ZSTD_dParameter;
typedef enum ZSTD_ResetDirective ZSTD_ResetDirective;
#endif

struct ZE_NAME(ZSTD_inBuffer_s) {
    const void *src;
    size_t size;
    size_t pos;
};

struct ZE_NAME(ZSTD_outBuffer_s) {
    void *dst;
    size_t size;
    size_t pos;
};
#ifndef ZE_CHECK
typedef struct ZSTD_inBuffer_s ZSTD_inBuffer;
typedef struct ZSTD_outBuffer_s ZSTD_outBuffer;
#endif

unsigned ZSTD_versionNumber(void);
unsigned ZSTD_isError(size_t code);
const char *ZSTD_getErrorName(size_t code);

ZSTD_DCtx *ZSTD_createDCtx(void);
size_t ZSTD_freeDCtx(ZSTD_DCtx *dctx);
size_t ZSTD_decompressDCtx(ZSTD_DCtx *dctx, void *dst, size_t dstCapacity, const void *src, size_t srcSize);
size_t ZSTD_DCtx_setParameter(ZSTD_DCtx *dctx, ZSTD_dParameter param, int value);
size_t ZSTD_DCtx_reset(ZSTD_DCtx *dctx, ZSTD_ResetDirective reset);
size_t ZSTD_decompressStream(ZSTD_DCtx *zds, ZSTD_outBuffer *output, ZSTD_inBuffer *input);

size_t ZSTD_decompressBegin(ZSTD_DCtx *dctx);
size_t ZSTD_nextSrcSizeToDecompress(ZSTD_DCtx *dctx);
size_t ZSTD_decompressContinue(ZSTD_DCtx *dctx, void *dst, size_t dstCapacity, const void *src, size_t srcSize);

ZSTD_CCtx *ZSTD_createCCtx(void);
size_t ZSTD_freeCCtx(ZSTD_CCtx *cctx);
size_t ZSTD_CCtx_setParameter(ZSTD_CCtx *cctx, ZSTD_cParameter param, int value);
size_t ZSTD_compress2(ZSTD_CCtx *cctx, void *dst, size_t dstCapacity, const void *src, size_t srcSize);
size_t ZSTD_compressBound(size_t srcSize);
