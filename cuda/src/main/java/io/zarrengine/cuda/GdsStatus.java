package io.zarrengine.cuda;

/** What cuFile answers. */
public enum GdsStatus {
    /** All is well. */
    SUCCESS(0, "success"),
    /** There is no way around the host's memory. */
    DRIVER_NOT_INITIALIZED(5001, "nvidia-fs is not loaded: it needs a machine of its own"),
    /** Library and kernel module do not fit. */
    DRIVER_VERSION_MISMATCH(5004, "nvidia-fs is of another version"),
    /** The machine cannot. */
    PLATFORM_NOT_SUPPORTED(5007, "not supported on this machine"),
    /** The file system cannot. */
    IO_NOT_SUPPORTED(5008, "not supported on this file's file system"),
    /** The GPU cannot. */
    DEVICE_NOT_SUPPORTED(5009, "not supported on this GPU"),
    /** The kernel module fails. */
    NVFS_DRIVER_ERROR(5010, "nvidia-fs fails"),
    /** CUDA fails. */
    CUDA_DRIVER_ERROR(5011, "the CUDA driver fails"),
    /** Our bug. */
    CUDA_POINTER_INVALID(5012, "not device memory"),
    /** Memory that it does not take. */
    CUDA_MEMORY_TYPE_INVALID(5013, "device memory of a kind that it does not take"),
    /** No regular file. */
    INVALID_FILE_TYPE(5018, "not a regular file"),
    /** Not opened as it wants. */
    INVALID_FILE_OPEN_FLAG(5019, "the file was not opened for direct reads"),
    /** Not opened for direct reads. */
    DIO_NOT_SET(5020, "the file was not opened for direct reads"),
    /** Our bug. */
    INVALID_VALUE(5022, "invalid arguments"),
    /** No right to use the module or the file. */
    PERMISSION_DENIED(5025, "permission denied"),
    /** It does not know the file, though it was asked to: of virtual machines' drives, for one. */
    HANDLE_NOT_REGISTERED(5027, "does not take this file"),
    /** Anything else inside cuFile. */
    INTERNAL_ERROR(5030, "internal error"),
    /** The kernel module does not start. */
    NVFS_SETUP_ERROR(5033, "nvidia-fs cannot be set up"),
    /** cufile.json says no. */
    IO_DISABLED(5034, "disabled for this file by its configuration"),
    /** The GPU's memory cannot be pinned. */
    GPU_MEMORY_PINNING_FAILED(5036, "device memory cannot be pinned"),
    /** The file system failed; errno says how, and is gone when Java could look. */
    SYSTEM(-1, "the file system fails"),
    /** A number that is none of the above. */
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
     * @param code an error of cuFile's, or -1
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

    /** {@return what the number means, for people} */
    public String meaning() {
        return meaning;
    }
}
