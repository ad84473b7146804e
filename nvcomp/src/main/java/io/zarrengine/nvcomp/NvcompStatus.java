package io.zarrengine.nvcomp;

/** What nvCOMP answers: a call, and for each chunk of a batch. */
public enum NvcompStatus {
    /** All is well. */
    SUCCESS(0),
    /** An argument is wrong: our bug. */
    INVALID_VALUE(10),
    /** This release or device cannot do it. */
    NOT_SUPPORTED(11),
    /** The chunk is damaged; zstd also says so if the target is too small. */
    CANNOT_DECOMPRESS(12),
    /** A checksum differs. */
    BAD_CHECKSUM(13),
    /** A checksum is there and cannot be computed. */
    CANNOT_VERIFY_CHECKSUMS(14),
    /** The target is too small. */
    OUTPUT_BUFFER_TOO_SMALL(15),
    /** The chunk's header is damaged. */
    WRONG_HEADER_LENGTH(16),
    /** An address is not aligned: our bug. */
    ALIGNMENT(17),
    /** A chunk is larger than the format allows. */
    CHUNK_SIZE_TOO_LARGE(18),
    /** It cannot be encoded. */
    CANNOT_COMPRESS(19),
    /** The chunk ends too early or too late. */
    WRONG_INPUT_LENGTH(20),
    /** There are more chunks than a batch may have. */
    BATCH_SIZE_TOO_LARGE(21),
    /** A CUDA call inside nvCOMP failed. */
    CUDA_ERROR(1000),
    /** Anything else inside nvCOMP. */
    INTERNAL(10000),
    /** The device never got to this chunk. */
    NOT_REACHED(-1),
    /** A number that is none of the above. */
    OTHER(-2);

    private final int code;

    NvcompStatus(int code) {
        this.code = code;
    }

    /**
     * {@return the status with a number}
     *
     * @param code what a call or a chunk answered
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
