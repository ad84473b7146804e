package io.zarrengine.nvcomp;

/** Results of nvCOMP: of a call, and of each chunk of a batch. */
public enum NvcompStatus {
    /** The call or chunk succeeded. */
    SUCCESS(0),
    /** An argument is wrong, which is a bug of ours. */
    INVALID_VALUE(10),
    /** This release or device does not support the operation. */
    NOT_SUPPORTED(11),
    /** The chunk is damaged. zstd also reports this if the target is too small. */
    CANNOT_DECOMPRESS(12),
    /** A checksum differs. */
    BAD_CHECKSUM(13),
    /** There is a checksum, but it cannot be computed. */
    CANNOT_VERIFY_CHECKSUMS(14),
    /** The target is too small. */
    OUTPUT_BUFFER_TOO_SMALL(15),
    /** The chunk's header is damaged. */
    WRONG_HEADER_LENGTH(16),
    /** An address is not aligned, which is a bug of ours. */
    ALIGNMENT(17),
    /** A chunk is larger than the format allows. */
    CHUNK_SIZE_TOO_LARGE(18),
    /** The chunk cannot be encoded. */
    CANNOT_COMPRESS(19),
    /** The chunk ends too early or too late. */
    WRONG_INPUT_LENGTH(20),
    /** There are more chunks than a batch may have. */
    BATCH_SIZE_TOO_LARGE(21),
    /** A CUDA call inside nvCOMP failed. */
    CUDA_ERROR(1000),
    /** nvCOMP failed internally. */
    INTERNAL(10000),
    /** The device did not process this chunk. */
    NOT_REACHED(-1),
    /** A number that is not listed here. */
    OTHER(-2);

    private final int code;

    NvcompStatus(int code) {
        this.code = code;
    }

    /**
     * {@return the status with a number}
     *
     * @param code the result of a call or a chunk
     */
    public static NvcompStatus of(int code) {
        for (NvcompStatus status : values()) {
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
}
