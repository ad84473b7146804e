package io.zarrengine.http;

import java.io.IOException;

/** A proxy refuses the way to a server. */
final class NoTunnelException extends IOException {
    private static final long serialVersionUID = 1L;

    private final int status;

    NoTunnelException(int status) {
        super("the proxy opens no tunnel: status " + status);
        this.status = status;
    }

    /** {@return the status of the proxy's answer} */
    int status() {
        return status;
    }
}
