package io.zarrengine.zarr.errors;

/** A GPU failed and is unusable for this process. Its memory is lost. */
public final class DeviceLostException extends ZarrException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param device the device, e.g. {@code cuda:0}
     * @param cause the error of the driver
     */
    public DeviceLostException(String device, Throwable cause) {
        super(device + " is out of service: " + cause.getMessage(), cause);
    }
}
