package io.zarrengine.zarr.metadata;

/**
 * A metadata document.
 *
 * @param name its file, for messages
 * @param text UTF-8; not copied; null if it cannot be read
 * @param problem the reason why it cannot be read; null if it can be read
 */
@SuppressWarnings("ArrayRecordComponent") // Read once; never compared.
public record Document(String name, byte[] text, RuntimeException problem) {
    /**
     * Creates a document that was read.
     *
     * @param name its file, for messages
     * @param text UTF-8; not copied
     */
    public Document(String name, byte[] text) {
        this(name, text, null);
    }

    /**
     * {@return a document that exists but cannot be read}
     *
     * @param name its file, for messages
     * @param problem the reason
     */
    public static Document unreadable(String name, RuntimeException problem) {
        return new Document(name, null, problem);
    }
}
