package io.zarrengine.http;

import io.netty.handler.ssl.NotSslRecordException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.security.cert.CertificateException;
import java.util.concurrent.CompletionException;
import javax.net.ssl.SSLException;

/**
 * The reason why a request got no answer.
 *
 * @param message for the caller
 * @param isRefusal whether the server, or the lack of one, refused the connection
 * @param refusalsMax number of refusals in a row after which the read fails
 */
record NoAnswer(String message, boolean isRefusal, int refusalsMax) {
    /** Connections in a row that may be refused: within some two seconds. */
    private static final int REFUSED_MAX = 5;

    /** A name server may fail once; a name that is wrong stays so. */
    private static final int UNKNOWN_MAX = 2;

    /** {@return why the client reports an error} */
    static NoAnswer of(Throwable error) {
        Throwable cause =
                error instanceof CompletionException && error.getCause() != null
                        ? error.getCause()
                        : error;
        if (cause instanceof UnknownHostException
                || cause.getCause() instanceof UnresolvedAddressException) {
            return new NoAnswer("unknown host", true, UNKNOWN_MAX);
        }
        if (cause instanceof SSLException) {
            return ofTls(cause);
        }
        if (cause instanceof NoTunnelException noTunnel) {
            int refusalsMax = AnswerReader.mayRecover(noTunnel.status()) ? REFUSED_MAX : 1;
            return new NoAnswer(noTunnel.getMessage(), true, refusalsMax);
        }
        boolean isRefusal =
                cause instanceof ConnectException
                        && !(cause instanceof HttpConnectTimeoutException);
        String message = cause.getMessage();
        if (isRefusal && (message == null || message.startsWith("Connection refused"))) {
            message = "connection refused";
        }
        return new NoAnswer(
                message == null || message.isEmpty() ? cause.getClass().getSimpleName() : message,
                isRefusal,
                REFUSED_MAX);
    }

    /** The message of Netty's exception has all that the server sent. */
    private static NoAnswer ofTls(Throwable cause) {
        if (cause instanceof NotSslRecordException) {
            return new NoAnswer("the server answers without TLS (is it http: ?)", true, 1);
        }
        for (Throwable each = cause; each != null; each = each.getCause()) {
            if (each instanceof CertificateException) {
                String why =
                        "the server's certificate is not trusted (SSL_CERT_FILE names others): ";
                return new NoAnswer(why + each.getMessage(), true, 1);
            }
        }
        return new NoAnswer("TLS: " + cause.getMessage(), true, REFUSED_MAX);
    }
}
