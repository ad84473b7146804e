package io.zarrengine.bench.http;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * The server that the clients ask.
 *
 * @param url of its file
 * @param authority certificate that is trusted, in PEM; empty without TLS
 * @param context trusts it
 */
record Server(URI url, Optional<Path> authority, Optional<SSLContext> context) {
    static Server plain(URI url) {
        return new Server(url, Optional.empty(), Optional.empty());
    }

    static Server secure(URI url, Path authority) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        try (InputStream pem = Files.newInputStream(authority)) {
            store.setCertificateEntry(
                    "authority", CertificateFactory.getInstance("X.509").generateCertificate(pem));
        }
        TrustManagerFactory trust =
                TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return new Server(url, Optional.of(authority), Optional.of(context));
    }

    /** {@return the head of a request, except the range} */
    String requestHead() {
        return "GET "
                + url.getRawPath()
                + " HTTP/1.1\r\nHost: "
                + url.getRawAuthority()
                + "\r\nAccept-Encoding: identity\r\n";
    }
}
