package io.zarrengine.cuda;

/** Results of cuFile calls. */
public enum GdsStatus {
    /** The call succeeded. */
    SUCCESS(0, "success"),
    /** Direct reads need a kernel module that is not loaded. */
    DRIVER_NOT_INITIALIZED(5001, "nvidia-fs is not loaded: it needs a machine of its own"),
    /** The library and the kernel module have different versions. */
    DRIVER_VERSION_MISMATCH(5004, "nvidia-fs is of another version"),
    /** The machine does not support direct reads. */
    PLATFORM_NOT_SUPPORTED(5007, "not supported on this machine"),
    /** The file system does not support direct reads. */
    IO_NOT_SUPPORTED(5008, "not supported on this file's file system"),
    /** The GPU does not support direct reads. */
    DEVICE_NOT_SUPPORTED(5009, "not supported on this GPU"),
    /** The kernel module failed. */
    NVFS_DRIVER_ERROR(5010, "nvidia-fs fails"),
    /** The CUDA driver failed. */
    CUDA_DRIVER_ERROR(5011, "the CUDA driver fails"),
    /** The memory is no device memory, which is a bug of ours. */
    CUDA_POINTER_INVALID(5012, "not device memory"),
    /** The kind of device memory is not supported. */
    CUDA_MEMORY_TYPE_INVALID(5013, "device memory of a kind that it does not take"),
    /** The file is not a regular file. */
    INVALID_FILE_TYPE(5018, "not a regular file"),
    /** The file was opened with the wrong flags. */
    INVALID_FILE_OPEN_FLAG(5019, "the file was not opened for direct reads"),
    /** The file was not opened for direct reads. */
    DIO_NOT_SET(5020, "the file was not opened for direct reads"),
    /** An argument is wrong, which is a bug of ours. */
    INVALID_VALUE(5022, "invalid arguments"),
    /** The process may not use the kernel module or the file. */
    PERMISSION_DENIED(5025, "permission denied"),
    /**
     * The file was not registered, although it was requested. Happens with drives of virtual
     * machines.
     */
    HANDLE_NOT_REGISTERED(5027, "does not take this file"),
    /** cuFile failed internally. */
    INTERNAL_ERROR(5030, "internal error"),
    /** The kernel module failed to start. */
    NVFS_SETUP_ERROR(5033, "nvidia-fs cannot be set up"),
    /** cufile.json disables direct reads of the file. */
    IO_DISABLED(5034, "disabled for this file by its configuration"),
    /** The device memory could not be pinned. */
    GPU_MEMORY_PINNING_FAILED(5036, "device memory cannot be pinned"),
    /**
     * The file system failed. The cause is in errno, which is overwritten before Java can read it.
     */
    SYSTEM(-1, "the file system fails"),
    /** A number that is not listed here. */
    OTHER(-2, "unknown");

    private final int code;
    private final String meaning;

    GdsStatus(int code, String meaning) {
        this.code = code;
        this.meaning = meaning;
    }

    /**
     * {@return the status with a number}
     *
     * @param code an error of cuFile, or -1
     */
    public static GdsStatus of(int code) {
        for (GdsStatus status : values()) {
            if (status.code == code && status != OTHER) {
                return status;
            }
        }
        return OTHER;
    }

    /** {@return the number; -2 for {@link #OTHER}} */
    public int code() {
        return code;
    }

    /** {@return the meaning of the number, for messages} */
    public String meaning() {
        return meaning;
    }
}
