package io.zarrengine.cuda;

/**
 * Results of CUDA calls that this code distinguishes. All others are {@link #OTHER}; the exception
 * keeps their number.
 *
 * @see <a
 *     href="https://docs.nvidia.com/cuda/cuda-runtime-api/group__CUDART__TYPES.html">cudaError_t</a>
 */
public enum CudaError {
    /** An argument is wrong, which is a bug of ours. */
    INVALID_VALUE(1, "cudaErrorInvalidValue"),
    /** There is not enough memory. */
    MEMORY_ALLOCATION(2, "cudaErrorMemoryAllocation"),
    /** The driver could not be started. */
    INITIALIZATION(3, "cudaErrorInitializationError"),
    /** The process is ending. */
    CUDART_UNLOADING(4, "cudaErrorCudartUnloading"),
    /** The driver is older than the runtime. */
    INSUFFICIENT_DRIVER(35, "cudaErrorInsufficientDriver"),
    /** The call is newer than the driver. */
    CALL_REQUIRES_NEWER_DRIVER(36, "cudaErrorCallRequiresNewerDriver"),
    /** Another process uses the device exclusively, or the device is broken. */
    DEVICES_UNAVAILABLE(46, "cudaErrorDevicesUnavailable"),
    /** There is no device. */
    NO_DEVICE(100, "cudaErrorNoDevice"),
    /** The device number is too large. */
    INVALID_DEVICE(101, "cudaErrorInvalidDevice"),
    /** The code is no valid fatbin. */
    INVALID_KERNEL_IMAGE(200, "cudaErrorInvalidKernelImage"),
    /** The fatbin has no code for this device. */
    NO_KERNEL_IMAGE_FOR_DEVICE(209, "cudaErrorNoKernelImageForDevice"),
    /** The device's memory is damaged. */
    ECC_UNCORRECTABLE(214, "cudaErrorECCUncorrectable", true),
    /** A link between devices is damaged. */
    NVLINK_UNCORRECTABLE(220, "cudaErrorNvlinkUncorrectable", true),
    /** The driver is older than the fatbin's intermediate code. */
    UNSUPPORTED_PTX_VERSION(222, "cudaErrorUnsupportedPtxVersion"),
    /** Work is under way. Not an error. */
    NOT_READY(600, "cudaErrorNotReady"),
    /** A kernel accessed memory outside its allocations. */
    ILLEGAL_ADDRESS(700, "cudaErrorIllegalAddress", true),
    /** The device has too few registers for the launch. */
    LAUNCH_OUT_OF_RESOURCES(701, "cudaErrorLaunchOutOfResources"),
    /** A kernel ran for too long. */
    LAUNCH_TIMEOUT(702, "cudaErrorLaunchTimeout", true),
    /** The device was reset. */
    CONTEXT_IS_DESTROYED(709, "cudaErrorContextIsDestroyed", true),
    /** A kernel's assertion failed. */
    ASSERT(710, "cudaErrorAssert", true),
    /** The memory is pinned already. */
    HOST_MEMORY_ALREADY_REGISTERED(712, "cudaErrorHostMemoryAlreadyRegistered"),
    /** The memory is not pinned. */
    HOST_MEMORY_NOT_REGISTERED(713, "cudaErrorHostMemoryNotRegistered"),
    /** A kernel's stack is damaged. */
    HARDWARE_STACK_ERROR(714, "cudaErrorHardwareStackError", true),
    /** A kernel has an instruction that the device does not support. */
    ILLEGAL_INSTRUCTION(715, "cudaErrorIllegalInstruction", true),
    /** A kernel accessed a misaligned address. */
    MISALIGNED_ADDRESS(716, "cudaErrorMisalignedAddress", true),
    /** A kernel touched an address of the wrong kind. */
    INVALID_ADDRESS_SPACE(717, "cudaErrorInvalidAddressSpace", true),
    /** A kernel's program counter is invalid. */
    INVALID_PC(718, "cudaErrorInvalidPc", true),
    /** A kernel failed in another way. */
    LAUNCH_FAILURE(719, "cudaErrorLaunchFailure", true),
    /** The device or driver does not support the operation. */
    NOT_SUPPORTED(801, "cudaErrorNotSupported"),
    /** The machine is not ready for CUDA yet. */
    SYSTEM_NOT_READY(802, "cudaErrorSystemNotReady"),
    /** The call is not permitted while a stream captures a graph. */
    STREAM_CAPTURE_UNSUPPORTED(900, "cudaErrorStreamCaptureUnsupported"),
    /** The stream captures a graph, which an earlier call has made invalid. */
    STREAM_CAPTURE_INVALIDATED(901, "cudaErrorStreamCaptureInvalidated"),
    /** The legacy default stream would wait for a stream that captures a graph. */
    STREAM_CAPTURE_IMPLICIT(906, "cudaErrorStreamCaptureImplicit"),
    /** The event was last recorded in a stream that captured a graph. */
    CAPTURED_EVENT(907, "cudaErrorCapturedEvent"),
    /**
     * The driver failed internally. The state of the device is unknown, so it is treated as lost.
     */
    UNKNOWN(999, "cudaErrorUnknown", true),
    /** A number that is not listed here. */
    OTHER(-1, "a CUDA error");

    private final int code;
    private final String cName;
    private final boolean sticky;

    CudaError(int code, String cName) {
        this(code, cName, false);
    }

    CudaError(int code, String cName, boolean sticky) {
        this.code = code;
        this.cName = cName;
        this.sticky = sticky;
    }

    /**
     * {@return the error with a number}
     *
     * @param code the result of a call, not 0
     */
    public static CudaError of(int code) {
        for (CudaError error : values()) {
            if (error.code == code) {
                return error;
            }
        }
        return OTHER;
    }

    /** {@return the number; -1 for {@link #OTHER}} */
    public int code() {
        return code;
    }

    /** {@return the name in C, e.g. {@code "cudaErrorIllegalAddress"}} */
    public String cName() {
        return cName;
    }

    /** {@return whether the call failed because a stream or an event belongs to a capture} */
    public boolean isOfCapture() {
        return switch (this) {
            case STREAM_CAPTURE_UNSUPPORTED,
                    STREAM_CAPTURE_INVALIDATED,
                    STREAM_CAPTURE_IMPLICIT,
                    CAPTURED_EVENT ->
                    true;
            default -> false;
        };
    }

    /**
     * {@return whether every later call of this process to the device also fails} Only a new
     * process can use the device again.
     */
    public boolean isSticky() {
        return sticky;
    }
}
