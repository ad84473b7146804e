package io.zarrengine.zarr.metadata;

/**
 * A metadata document.
 *
 * @param name its file, for messages
 * @param text UTF-8; not copied; null if it cannot be read
 * @param problem why it cannot be read; null if it can
 */
@SuppressWarnings("ArrayRecordComponent") // Read once; never compared.
public record Document(String name, byte[] text, RuntimeException problem) {
    /**
     * A document that was read.
     *
     * @param name its file, for messages
     * @param text UTF-8; not copied
     */
    public Document(String name, byte[] text) {
        this(name, text, null);
    }

    /**
     * {@return a document that is there, but cannot be read}
     *
     * @param name its file, for messages
     * @param problem why
     */
    public static Document unreadable(String name, RuntimeException problem) {
        return new Document(name, null, problem);
    }
}
