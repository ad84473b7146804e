package io.zarrengine.zarr.errors;

/**
 * A chunk decodes to more than its target holds, as far as it was decoded. If the decoded size is
 * known, the chunk is corrupt; if not, a larger target may do.
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
     * Creates the exception for a chunk that says how long it is.
     *
     * @param codec the codec's name
     * @param statedBytes the decoded size that the chunk's header has
     * @param targetBytes size of the target
     */
    public TargetTooSmallException(String codec, long statedBytes, long targetBytes) {
        super(
                codec,
                "header says " + statedBytes + " decoded bytes, expected at most " + targetBytes);
    }
}
