package io.zarrengine.zarr.errors;

/** There is no such GPU, or what is needed to use it is missing. */
public final class DeviceUnavailableException extends ZarrException {
    private static final long serialVersionUID = 1L;

    private final String reason;

    /**
     * Creates the exception.
     *
     * @param device which, e.g. {@code cuda:0}
     * @param reason what is missing; one line
     * @param cause what said so, or null
     */
    public DeviceUnavailableException(String device, String reason, Throwable cause) {
        super(device + ": " + reason, cause);
        this.reason = reason;
    }

    /** {@return what is missing; one line} */
    public String reason() {
        return reason;
    }
}
