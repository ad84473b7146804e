/*
 * The CUDA runtime 13: devices, memory, streams, events and kernels from a library image.
 *
 * Source: CUDA Runtime API reference, 13.0. cudaMemcpyBatchAsync has another signature in 12.x, so
 * only libcudart.so.13 is bound.
 */
#include "../convention.h"

typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
typedef struct CUmemPoolHandle_st *cudaMemPool_t;
typedef struct CUlib_st *cudaLibrary_t;
typedef struct CUkern_st *cudaKernel_t;

#define ZE_CUDA_ERRORS(X) \
    X(cudaSuccess, 0) \
    X(cudaErrorInvalidValue, 1) \
    X(cudaErrorMemoryAllocation, 2) \
    X(cudaErrorInitializationError, 3) \
    X(cudaErrorCudartUnloading, 4) \
    X(cudaErrorInsufficientDriver, 35) \
    X(cudaErrorCallRequiresNewerDriver, 36) \
    X(cudaErrorDevicesUnavailable, 46) \
    X(cudaErrorNoDevice, 100) \
    X(cudaErrorInvalidDevice, 101) \
    X(cudaErrorInvalidKernelImage, 200) \
    X(cudaErrorNoKernelImageForDevice, 209) \
    X(cudaErrorECCUncorrectable, 214) \
    X(cudaErrorNvlinkUncorrectable, 220) \
    X(cudaErrorUnsupportedPtxVersion, 222) \
    X(cudaErrorNotReady, 600) \
    X(cudaErrorIllegalAddress, 700) \
    X(cudaErrorLaunchOutOfResources, 701) \
    X(cudaErrorLaunchTimeout, 702) \
    X(cudaErrorContextIsDestroyed, 709) \
    X(cudaErrorAssert, 710) \
    X(cudaErrorHostMemoryAlreadyRegistered, 712) \
    X(cudaErrorHostMemoryNotRegistered, 713) \
    X(cudaErrorHardwareStackError, 714) \
    X(cudaErrorIllegalInstruction, 715) \
    X(cudaErrorMisalignedAddress, 716) \
    X(cudaErrorInvalidAddressSpace, 717) \
    X(cudaErrorInvalidPc, 718) \
    X(cudaErrorLaunchFailure, 719) \
    X(cudaErrorNotSupported, 801) \
    X(cudaErrorSystemNotReady, 802) \
    X(cudaErrorStreamCaptureUnsupported, 900) \
    X(cudaErrorStreamCaptureInvalidated, 901) \
    X(cudaErrorStreamCaptureImplicit, 906) \
    X(cudaErrorCapturedEvent, 907) \
    X(cudaErrorUnknown, 999)
ZE_ENUM(cudaError, ZE_CUDA_ERRORS)

#define ZE_CUDA_DEVICE_ATTRIBUTES(X) \
    X(cudaDevAttrMultiProcessorCount, 16) \
    X(cudaDevAttrL2CacheSize, 38) \
    X(cudaDevAttrAsyncEngineCount, 40) \
    X(cudaDevAttrComputeCapabilityMajor, 75) \
    X(cudaDevAttrComputeCapabilityMinor, 76) \
    X(cudaDevAttrHostRegisterReadOnlySupported, 113) \
    X(cudaDevAttrMemoryPoolsSupported, 115)
ZE_ENUM(cudaDeviceAttr, ZE_CUDA_DEVICE_ATTRIBUTES)

#define ZE_CUDA_MEMCPY_KINDS(X) \
    X(cudaMemcpyHostToDevice, 1) \
    X(cudaMemcpyDeviceToHost, 2) \
    X(cudaMemcpyDeviceToDevice, 3)
ZE_ENUM(cudaMemcpyKind, ZE_CUDA_MEMCPY_KINDS)

#define ZE_CUDA_MEM_POOL_ATTRIBUTES(X) \
    X(cudaMemPoolAttrReleaseThreshold, 4) \
    X(cudaMemPoolAttrReservedMemCurrent, 5) \
    X(cudaMemPoolAttrUsedMemCurrent, 7)
ZE_ENUM(cudaMemPoolAttr, ZE_CUDA_MEM_POOL_ATTRIBUTES)

#define ZE_CUDA_MEM_ALLOCATION_TYPES(X) X(cudaMemAllocationTypePinned, 1)
ZE_ENUM(cudaMemAllocationType, ZE_CUDA_MEM_ALLOCATION_TYPES)

#define ZE_CUDA_MEM_ALLOCATION_HANDLE_TYPES(X) X(cudaMemHandleTypeNone, 0)
ZE_ENUM(cudaMemAllocationHandleType, ZE_CUDA_MEM_ALLOCATION_HANDLE_TYPES)

#define ZE_CUDA_MEM_LOCATION_TYPES(X) X(cudaMemLocationTypeDevice, 1)
ZE_ENUM(cudaMemLocationType, ZE_CUDA_MEM_LOCATION_TYPES)

#define ZE_CUDA_MEMCPY_SRC_ACCESS_ORDERS(X) X(cudaMemcpySrcAccessOrderStream, 1)
ZE_ENUM(cudaMemcpySrcAccessOrder, ZE_CUDA_MEMCPY_SRC_ACCESS_ORDERS)

#define ZE_CUDA_STREAM_CAPTURE_MODES(X) X(cudaStreamCaptureModeRelaxed, 2)
ZE_ENUM(cudaStreamCaptureMode, ZE_CUDA_STREAM_CAPTURE_MODES)

#define ZE_CUDA_STREAM_CAPTURE_STATUSES(X) X(cudaStreamCaptureStatusNone, 0)
ZE_ENUM(cudaStreamCaptureStatus, ZE_CUDA_STREAM_CAPTURE_STATUSES)

#define ZE_CUDA_MEMORY_TYPES(X) \
    X(cudaMemoryTypeUnregistered, 0) \
    X(cudaMemoryTypeHost, 1) \
    X(cudaMemoryTypeDevice, 2) \
    X(cudaMemoryTypeManaged, 3)
ZE_ENUM(cudaMemoryType, ZE_CUDA_MEMORY_TYPES)

#ifndef ZE_CHECK
typedef enum cudaError cudaError_t;
#endif

ZE_CONSTANT(cudaStreamNonBlocking, 1);
ZE_CONSTANT(cudaEventBlockingSync, 1);
ZE_CONSTANT(cudaEventDisableTiming, 2);
ZE_CONSTANT(cudaHostRegisterPortable, 1);
ZE_CONSTANT(cudaHostRegisterReadOnly, 8);

struct ZE_NAME(cudaMemLocation) {
    enum cudaMemLocationType type;
    int id;
};

struct ZE_NAME(cudaMemPoolProps) {
    enum cudaMemAllocationType allocType;
    enum cudaMemAllocationHandleType handleTypes;
    struct ZE_NAME(cudaMemLocation) location;
    void *win32SecurityAttributes;
    size_t maxSize;
    unsigned short usage;
    unsigned char reserved[54];
};

struct ZE_NAME(cudaMemcpyAttributes) {
    enum cudaMemcpySrcAccessOrder srcAccessOrder;
    struct ZE_NAME(cudaMemLocation) srcLocHint;
    struct ZE_NAME(cudaMemLocation) dstLocHint;
    unsigned int flags;
};

struct ZE_NAME(cudaPointerAttributes) {
    enum cudaMemoryType type;
    int device;
    void *devicePointer;
    void *hostPointer;
    long reserved[8];
};

struct ZE_NAME(dim3) {
    unsigned int x;
    unsigned int y;
    unsigned int z;
};

struct ZE_NAME(cudaLaunchConfig_st) {
    struct ZE_NAME(dim3) gridDim;
    struct ZE_NAME(dim3) blockDim;
    size_t dynamicSmemBytes;
    cudaStream_t stream;
    struct cudaLaunchAttribute_st *attrs;
    unsigned int numAttrs;
};
#ifndef ZE_CHECK
typedef struct cudaLaunchConfig_st cudaLaunchConfig_t;
enum cudaJitOption { ZE_cudaJitOption_unused };
enum cudaLibraryOption { ZE_cudaLibraryOption_unused };
#endif

cudaError_t cudaRuntimeGetVersion(int *runtimeVersion);
cudaError_t cudaDriverGetVersion(int *driverVersion);
const char *cudaGetErrorName(cudaError_t error);
const char *cudaGetErrorString(cudaError_t error);
cudaError_t cudaGetLastError(void);

cudaError_t cudaGetDeviceCount(int *count);
cudaError_t cudaGetDevice(int *device);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attr, int device);
cudaError_t cudaDeviceGetPCIBusId(char *pciBusId, int len, int device);
cudaError_t cudaDeviceSynchronize(void);
cudaError_t cudaMemGetInfo(size_t *free, size_t *total);

cudaError_t cudaHostRegister(void *ptr, size_t size, unsigned int flags);
cudaError_t cudaHostUnregister(void *ptr);
cudaError_t cudaMalloc(void **devPtr, size_t size);
cudaError_t cudaFree(void *devPtr);
cudaError_t cudaMemPoolCreate(cudaMemPool_t *memPool, const struct cudaMemPoolProps *poolProps);
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t memPool, enum cudaMemPoolAttr attr, void *value);
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t memPool, enum cudaMemPoolAttr attr, void *value);
cudaError_t cudaMemPoolDestroy(cudaMemPool_t memPool);
cudaError_t cudaMallocFromPoolAsync(void **ptr, size_t size, cudaMemPool_t memPool, cudaStream_t stream);
cudaError_t cudaFreeAsync(void *devPtr, cudaStream_t hStream);
cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *ptr);

cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind,
        cudaStream_t stream);
cudaError_t cudaMemcpyBatchAsync(void *const *dsts, const void *const *srcs, const size_t *sizes,
        size_t count, struct cudaMemcpyAttributes *attrs, size_t *attrsIdxs, size_t numAttrs,
        cudaStream_t stream);
cudaError_t cudaMemsetAsync(void *devPtr, int value, size_t count, cudaStream_t stream);

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *pStream, unsigned int flags);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags);

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *pCaptureStatus);
cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode);

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream);
cudaError_t cudaEventQuery(cudaEvent_t event);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end);

cudaError_t cudaLibraryLoadData(cudaLibrary_t *library, const void *code,
        enum cudaJitOption *jitOptions, void **jitOptionsValues, unsigned int numJitOptions,
        enum cudaLibraryOption *libraryOptions, void **libraryOptionValues,
        unsigned int numLibraryOptions);
cudaError_t cudaLibraryGetKernel(cudaKernel_t *pKernel, cudaLibrary_t library, const char *name);
cudaError_t cudaLibraryUnload(cudaLibrary_t library);
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *func, void **args);
