package io.zarrengine.zarr.errors;

/**
 * A chunk decodes to more bytes than its target holds. Decoding stopped there. If the decoded size
 * is known, the chunk is corrupt; otherwise a larger target may be enough.
 */
public final class TargetTooSmallException extends CodecException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param codec the codec's name
     * @param targetBytes size of the target
     */
    public TargetTooSmallException(String codec, long targetBytes) {
        super(codec, "decodes to more than " + targetBytes + " bytes");
    }

    /**
     * Creates the exception for a chunk whose header states its decoded size.
     *
     * @param codec the codec's name
     * @param statedBytes the decoded size in the chunk's header
     * @param targetBytes size of the target
     */
    public TargetTooSmallException(String codec, long statedBytes, long targetBytes) {
        super(
                codec,
                "header says " + statedBytes + " decoded bytes, expected at most " + targetBytes);
    }
}
