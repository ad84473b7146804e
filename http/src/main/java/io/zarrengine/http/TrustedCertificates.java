package io.zarrengine.http;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Reads certificates that are trusted, as OpenSSL and curl do, from a file in PEM. */
final class TrustedCertificates {
    private TrustedCertificates() {}

    /**
     * {@return TLS that trusts these certificates, and no others}
     *
     * @param variable names the file in messages
     * @param file in PEM
     * @throws IllegalArgumentException if it cannot be read, or has none
     */
    static SSLContext context(String variable, String file) {
        try (InputStream pem = Files.newInputStream(Path.of(file))) {
            KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
            trusted.load(null, null);
            int number = 0;
            CertificateFactory factory = CertificateFactory.getInstance("X.509");
            for (Certificate each : factory.generateCertificates(pem)) {
                trusted.setCertificateEntry(Integer.toString(number), each);
                number++;
            }
            if (number == 0) {
                throw new CertificateException("it has no certificate");
            }
            TrustManagerFactory managers =
                    TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            managers.init(trusted);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, managers.getTrustManagers(), null);
            return context;
        } catch (IOException | GeneralSecurityException | InvalidPathException e) {
            throw new IllegalArgumentException(
                    "the variable %s names %s: %s".formatted(variable, file, e), e);
        }
    }
}
