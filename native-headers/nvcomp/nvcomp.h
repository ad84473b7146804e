/*
 * nvCOMP 5.1 to 6.x: batched decoders and encoders on the GPU.
 *
 * Options are 64-byte structs, passed by value; all zero means the defaults of decompression. Their
 * first words differ by format and release, so they are opaque here. The scratch-size call is
 * ...GetTempSizeAsync in 5.x; 6.0 renamed it ...GetTempSize and gave it a stream.
 *
 * Source: the headers of nvCOMP 5.1.0 and 6.0.0, nvcomp/<format>.h.
 */
#include "../convention.h"

typedef struct CUstream_st *cudaStream_t;

#define ZE_NVCOMP_STATUSES(X) \
    X(nvcompSuccess, 0) \
    X(nvcompErrorInvalidValue, 10) \
    X(nvcompErrorNotSupported, 11) \
    X(nvcompErrorCannotDecompress, 12) \
    X(nvcompErrorBadChecksum, 13) \
    X(nvcompErrorCannotVerifyChecksums, 14) \
    X(nvcompErrorOutputBufferTooSmall, 15) \
    X(nvcompErrorWrongHeaderLength, 16) \
    X(nvcompErrorAlignment, 17) \
    X(nvcompErrorChunkSizeTooLarge, 18) \
    X(nvcompErrorCannotCompress, 19) \
    X(nvcompErrorWrongInputLength, 20) \
    X(nvcompErrorBatchSizeTooLarge, 21) \
    X(nvcompErrorCudaError, 1000) \
    X(nvcompErrorInternal, 10000)
ZE_ENUM(nvcompStatus_t, ZE_NVCOMP_STATUSES)
#ifndef ZE_CHECK
typedef enum nvcompStatus_t nvcompStatus_t;
#endif

typedef struct ZE_NAME(nvcompProperties_t) {
    uint32_t version;
    uint32_t cudart_version;
} ZE_NAME(nvcompProperties_t);

typedef struct ZE_NAME(nvcompAlignmentRequirements_t) {
    size_t input;
    size_t output;
    size_t temp;
} ZE_NAME(nvcompAlignmentRequirements_t);

nvcompStatus_t nvcompGetProperties(nvcompProperties_t *properties);

#if !defined(ZE_CHECK) || NVCOMP_VER_MAJOR < 6
#define ZE_NVCOMP_5(...) __VA_ARGS__
#else
#define ZE_NVCOMP_5(...)
#endif
#if !defined(ZE_CHECK) || NVCOMP_VER_MAJOR >= 6
#define ZE_NVCOMP_6(...) __VA_ARGS__
#else
#define ZE_NVCOMP_6(...)
#endif

/* The same functions for every format F. */
#define ZE_NVCOMP_FORMAT(F) \
    typedef struct ZE_NAME(nvcompBatched##F##CompressOpts_t) { \
        int32_t words[16]; \
    } ZE_NAME(nvcompBatched##F##CompressOpts_t); \
    typedef struct ZE_NAME(nvcompBatched##F##DecompressOpts_t) { \
        int32_t words[16]; \
    } ZE_NAME(nvcompBatched##F##DecompressOpts_t); \
    nvcompStatus_t nvcompBatched##F##DecompressGetRequiredAlignments( \
            nvcompBatched##F##DecompressOpts_t decompress_opts, \
            nvcompAlignmentRequirements_t *alignment_requirements); \
    ZE_NVCOMP_5(nvcompStatus_t nvcompBatched##F##DecompressGetTempSizeAsync(size_t num_chunks, \
            size_t max_uncompressed_chunk_bytes, \
            nvcompBatched##F##DecompressOpts_t decompress_opts, size_t *temp_bytes, \
            size_t max_total_uncompressed_bytes);) \
    ZE_NVCOMP_6(nvcompStatus_t nvcompBatched##F##DecompressGetTempSize(size_t num_chunks, \
            size_t max_uncompressed_chunk_bytes, \
            nvcompBatched##F##DecompressOpts_t decompress_opts, size_t *temp_bytes, \
            size_t max_total_uncompressed_bytes, cudaStream_t stream);) \
    nvcompStatus_t nvcompBatched##F##GetDecompressSizeAsync( \
            const void *const *device_compressed_chunk_ptrs, \
            const size_t *device_compressed_chunk_bytes, \
            size_t *device_uncompressed_chunk_bytes, size_t num_chunks, cudaStream_t stream); \
    nvcompStatus_t nvcompBatched##F##DecompressAsync( \
            const void *const *device_compressed_chunk_ptrs, \
            const size_t *device_compressed_chunk_bytes, \
            const size_t *device_uncompressed_buffer_bytes, \
            size_t *device_uncompressed_chunk_bytes, size_t num_chunks, \
            void *const device_temp_ptr, size_t temp_bytes, \
            void *const *device_uncompressed_chunk_ptrs, \
            nvcompBatched##F##DecompressOpts_t decompress_opts, nvcompStatus_t *device_statuses, \
            cudaStream_t stream); \
    nvcompStatus_t nvcompBatched##F##CompressGetRequiredAlignments( \
            nvcompBatched##F##CompressOpts_t compress_opts, \
            nvcompAlignmentRequirements_t *alignment_requirements); \
    ZE_NVCOMP_5(nvcompStatus_t nvcompBatched##F##CompressGetTempSizeAsync(size_t num_chunks, \
            size_t max_uncompressed_chunk_bytes, nvcompBatched##F##CompressOpts_t compress_opts, \
            size_t *temp_bytes, size_t max_total_uncompressed_bytes);) \
    ZE_NVCOMP_6(nvcompStatus_t nvcompBatched##F##CompressGetTempSize(size_t num_chunks, \
            size_t max_uncompressed_chunk_bytes, nvcompBatched##F##CompressOpts_t compress_opts, \
            size_t *temp_bytes, size_t max_total_uncompressed_bytes, cudaStream_t stream);) \
    nvcompStatus_t nvcompBatched##F##CompressGetMaxOutputChunkSize( \
            size_t max_uncompressed_chunk_bytes, nvcompBatched##F##CompressOpts_t compress_opts, \
            size_t *max_compressed_chunk_bytes); \
    nvcompStatus_t nvcompBatched##F##CompressAsync( \
            const void *const *device_uncompressed_chunk_ptrs, \
            const size_t *device_uncompressed_chunk_bytes, size_t max_uncompressed_chunk_bytes, \
            size_t num_chunks, void *device_temp_ptr, size_t temp_bytes, \
            void *const *device_compressed_chunk_ptrs, size_t *device_compressed_chunk_bytes, \
            nvcompBatched##F##CompressOpts_t compress_opts, nvcompStatus_t *device_statuses, \
            cudaStream_t stream);

ZE_NVCOMP_FORMAT(LZ4)
ZE_NVCOMP_FORMAT(Snappy)
ZE_NVCOMP_FORMAT(Deflate)
ZE_NVCOMP_FORMAT(Gdeflate)
ZE_NVCOMP_FORMAT(Gzip)
ZE_NVCOMP_FORMAT(Zstd)
ZE_NVCOMP_FORMAT(Bitcomp)
ZE_NVCOMP_FORMAT(Cascaded)
