package io.zarrengine.zarr.errors;

/** The GPU does not exist, or a driver or library that it needs is missing. */
public final class DeviceUnavailableException extends ZarrException {
    private static final long serialVersionUID = 1L;

    private final String reason;

    /**
     * Creates the exception.
     *
     * @param device the device's name, e.g. {@code cuda:0}
     * @param reason the missing thing, in one line
     * @param cause the original error, or null
     */
    public DeviceUnavailableException(String device, String reason, Throwable cause) {
        super(device + ": " + reason, cause);
        this.reason = reason;
    }

    /** {@return the missing thing, in one line} */
    public String reason() {
        return reason;
    }
}
