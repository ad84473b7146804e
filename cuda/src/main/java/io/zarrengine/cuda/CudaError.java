package io.zarrengine.cuda;

/**
 * What a CUDA call answers, as far as we act on it. An answer that is none of these is {@link
 * #OTHER}; the exception keeps its number.
 *
 * @see <a
 *     href="https://docs.nvidia.com/cuda/cuda-runtime-api/group__CUDART__TYPES.html">cudaError_t</a>
 */
public enum CudaError {
    /** An argument is wrong: our bug. */
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
    /** Another process has the device for itself, or it is broken. */
    DEVICES_UNAVAILABLE(46, "cudaErrorDevicesUnavailable"),
    /** There is none. */
    NO_DEVICE(100, "cudaErrorNoDevice"),
    /** There are fewer devices. */
    INVALID_DEVICE(101, "cudaErrorInvalidDevice"),
    /** This is no fatbin. */
    INVALID_KERNEL_IMAGE(200, "cudaErrorInvalidKernelImage"),
    /** The fatbin has nothing for this device. */
    NO_KERNEL_IMAGE_FOR_DEVICE(209, "cudaErrorNoKernelImageForDevice"),
    /** The device's memory is damaged. */
    ECC_UNCORRECTABLE(214, "cudaErrorECCUncorrectable", true),
    /** A link between devices is damaged. */
    NVLINK_UNCORRECTABLE(220, "cudaErrorNvlinkUncorrectable", true),
    /** The driver is older than the fatbin's intermediate code. */
    UNSUPPORTED_PTX_VERSION(222, "cudaErrorUnsupportedPtxVersion"),
    /** Work is under way: not an error. */
    NOT_READY(600, "cudaErrorNotReady"),
    /** A kernel touched memory that is not its own. */
    ILLEGAL_ADDRESS(700, "cudaErrorIllegalAddress", true),
    /** The device has too few registers for such a launch. */
    LAUNCH_OUT_OF_RESOURCES(701, "cudaErrorLaunchOutOfResources"),
    /** A kernel ran for too long. */
    LAUNCH_TIMEOUT(702, "cudaErrorLaunchTimeout", true),
    /** Someone reset the device. */
    CONTEXT_IS_DESTROYED(709, "cudaErrorContextIsDestroyed", true),
    /** A kernel's assertion failed. */
    ASSERT(710, "cudaErrorAssert", true),
    /** This memory is pinned already. */
    HOST_MEMORY_ALREADY_REGISTERED(712, "cudaErrorHostMemoryAlreadyRegistered"),
    /** This memory is not pinned. */
    HOST_MEMORY_NOT_REGISTERED(713, "cudaErrorHostMemoryNotRegistered"),
    /** A kernel's stack is damaged. */
    HARDWARE_STACK_ERROR(714, "cudaErrorHardwareStackError", true),
    /** A kernel has an instruction that this device does not know. */
    ILLEGAL_INSTRUCTION(715, "cudaErrorIllegalInstruction", true),
    /** A kernel touched an address that its access must not have. */
    MISALIGNED_ADDRESS(716, "cudaErrorMisalignedAddress", true),
    /** A kernel touched an address of the wrong kind. */
    INVALID_ADDRESS_SPACE(717, "cudaErrorInvalidAddressSpace", true),
    /** A kernel's program counter went astray. */
    INVALID_PC(718, "cudaErrorInvalidPc", true),
    /** A kernel failed in another way. */
    LAUNCH_FAILURE(719, "cudaErrorLaunchFailure", true),
    /** This device or driver cannot do it. */
    NOT_SUPPORTED(801, "cudaErrorNotSupported"),
    /** The machine is not ready for CUDA yet. */
    SYSTEM_NOT_READY(802, "cudaErrorSystemNotReady"),
    /** Something inside the driver. It says nothing of the device's state, so we trust neither. */
    UNKNOWN(999, "cudaErrorUnknown", true),
    /** A number that is none of the above. */
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
     * @param code what a call answered, not 0
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

    /**
     * {@return whether every later call of this process to the device will fail too} Only a new
     * process helps.
     */
    public boolean isSticky() {
        return sticky;
    }
}
