package io.zarrengine.zarr.errors;

/** A GPU failed, and does nothing more for this process. Its memory is gone. */
public final class DeviceLostException extends ZarrException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param device which, e.g. {@code cuda:0}
     * @param cause what it answered
     */
    public DeviceLostException(String device, Throwable cause) {
        super(device + " is out of service: " + cause.getMessage(), cause);
    }
}
