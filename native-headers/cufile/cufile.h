/*
 * cuFile 1.13 and later (GPUDirect Storage): reads of files to device memory.
 *
 * Statuses are structs of two ints, returned by value: an error of cuFile's own, and one of the CUDA
 * driver. A read returns bytes, -1 with errno, or an error of cuFile's, negated. The driver is never
 * closed: libcufile does that when the process ends.
 *
 * Source: cufile.h of cuFile 1.15.1, CUDA 13.0.
 */
#include <stdbool.h>
#include <sys/types.h>

#include "../convention.h"

#define ZE_CUFILE_ERRORS(X) \
    X(CU_FILE_SUCCESS, 0) \
    X(CU_FILE_DRIVER_NOT_INITIALIZED, 5001) \
    X(CU_FILE_DRIVER_VERSION_MISMATCH, 5004) \
    X(CU_FILE_PLATFORM_NOT_SUPPORTED, 5007) \
    X(CU_FILE_IO_NOT_SUPPORTED, 5008) \
    X(CU_FILE_DEVICE_NOT_SUPPORTED, 5009) \
    X(CU_FILE_NVFS_DRIVER_ERROR, 5010) \
    X(CU_FILE_CUDA_DRIVER_ERROR, 5011) \
    X(CU_FILE_CUDA_POINTER_INVALID, 5012) \
    X(CU_FILE_CUDA_MEMORY_TYPE_INVALID, 5013) \
    X(CU_FILE_INVALID_FILE_TYPE, 5018) \
    X(CU_FILE_INVALID_FILE_OPEN_FLAG, 5019) \
    X(CU_FILE_DIO_NOT_SET, 5020) \
    X(CU_FILE_INVALID_VALUE, 5022) \
    X(CU_FILE_PERMISSION_DENIED, 5025) \
    X(CU_FILE_HANDLE_NOT_REGISTERED, 5027) \
    X(CU_FILE_INTERNAL_ERROR, 5030) \
    X(CU_FILE_NVFS_SETUP_ERROR, 5033) \
    X(CU_FILE_IO_DISABLED, 5034) \
    X(CU_FILE_GPU_MEMORY_PINNING_FAILED, 5036)
ZE_ENUM(CUfileOpError, ZE_CUFILE_ERRORS)

#define ZE_CUFILE_BOOL_PARAMETERS(X) \
    X(CUFILE_PARAM_PROPERTIES_ALLOW_COMPAT_MODE, 1)
ZE_ENUM(CUFileBoolConfigParameter_t, ZE_CUFILE_BOOL_PARAMETERS)
#ifndef ZE_CHECK
typedef enum CUFileBoolConfigParameter_t CUFileBoolConfigParameter_t;
#endif

ZE_CONSTANT(CU_FILE_HANDLE_TYPE_OPAQUE_FD, 1);

typedef struct ZE_NAME(CUfileError_t) {
    int err;
    int cu_err;
} ZE_NAME(CUfileError_t);

typedef struct ZE_NAME(CUfileDescr_t) {
    int type;
    union {
        int fd;
        void *handle;
    } handle;
    const void *fs_ops;
} ZE_NAME(CUfileDescr_t);

typedef void *CUfileHandle_t;

CUfileError_t cuFileGetVersion(int *version);
CUfileError_t cuFileSetParameterBool(CUFileBoolConfigParameter_t param, bool value);
CUfileError_t cuFileDriverOpen(void);
CUfileError_t cuFileHandleRegister(CUfileHandle_t *fh, CUfileDescr_t *descr);
void cuFileHandleDeregister(CUfileHandle_t fh);
CUfileError_t cuFileBufRegister(const void *bufPtr_base, size_t length, int flags);
CUfileError_t cuFileBufDeregister(const void *bufPtr_base);
ssize_t cuFileRead(CUfileHandle_t fh, void *bufPtr_base, size_t size, off_t file_offset, off_t bufPtr_offset);
