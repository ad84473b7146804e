package io.zarrengine.gpu.batch;

import java.io.IOException;

/** Thrown when a device has not answered for so long that it is considered hung. */
final class DeviceHungException extends IOException {
    private static final long serialVersionUID = 1;

    DeviceHungException(String message) {
        super(message);
    }
}
