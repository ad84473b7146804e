package io.zarrengine.gpu.batch;

import java.io.IOException;

/** A device has not answered for so long that it never will. */
final class DeviceHungException extends IOException {
    private static final long serialVersionUID = 1;

    DeviceHungException(String message) {
        super(message);
    }
}
