package io.zarrengine.zarr.errors;

/** The GPU does not exist, or software to use it is missing. */
public final class DeviceUnavailableException extends ZarrException {
    private static final long serialVersionUID = 1L;

    private final String reason;

    /**
     * Creates the exception.
     *
     * @param device the device, e.g. {@code cuda:0}
     * @param reason the missing part; one line
     * @param cause the cause, or null
     */
    public DeviceUnavailableException(String device, String reason, Throwable cause) {
        super(device + ": " + reason, cause);
        this.reason = reason;
    }

    /** {@return the missing part; one line} */
    public String reason() {
        return reason;
    }
}
