package io.zarrengine.zarr.errors;

/** A GPU failed, and this process can no longer use it. The contents of its memory are lost. */
public final class DeviceLostException extends ZarrException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param device the device's name, e.g. {@code cuda:0}
     * @param cause the driver's error
     */
    public DeviceLostException(String device, Throwable cause) {
        super(device + " is out of service: " + cause.getMessage(), cause);
    }

    /**
     * Creates the exception of work that needed the device later.
     *
     * @param reason names the device and its error
     */
    public DeviceLostException(String reason) {
        super(reason, null);
    }
}
