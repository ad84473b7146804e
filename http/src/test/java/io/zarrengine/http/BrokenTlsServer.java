package io.zarrengine.http;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

/** Shakes hands as TLS wants it, reads a request, and answers with bytes that are no record. */
final class BrokenTlsServer extends LoopbackServer {
    private static final char[] PASSWORD = "password".toCharArray();

    private final SSLContext context;

    private BrokenTlsServer(SSLContext context) throws IOException {
        this.context = context;
        start();
    }

    /** {@code folder} receives its key. */
    static BrokenTlsServer open(Path folder) throws Exception {
        return new BrokenTlsServer(context(key(folder.resolve("key.p12"))));
    }

    /** {@return TLS that trusts the server} */
    SSLContext context() {
        return context;
    }

    private static KeyStore key(Path file) throws Exception {
        Process keytool =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin/keytool").toString(),
                                "-genkeypair",
                                "-keyalg",
                                "EC",
                                "-dname",
                                "CN=test",
                                "-ext",
                                "SAN=ip:127.0.0.1",
                                "-storepass",
                                new String(PASSWORD),
                                "-keystore",
                                file.toString())
                        .redirectErrorStream(true)
                        .start();
        String output =
                new String(keytool.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        if (keytool.waitFor() != 0) {
            throw new IOException(output);
        }
        KeyStore key = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            key.load(in, PASSWORD);
        }
        return key;
    }

    private static SSLContext context(KeyStore key) throws GeneralSecurityException {
        KeyManagerFactory own = KeyManagerFactory.getInstance("PKIX");
        own.init(key, PASSWORD);
        TrustManagerFactory trusted = TrustManagerFactory.getInstance("PKIX");
        KeyStore certificates = KeyStore.getInstance("PKCS12");
        try {
            certificates.load(null, null);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        certificates.setCertificateEntry("own", key.getCertificate("mykey"));
        trusted.init(certificates);
        SSLContext made = SSLContext.getInstance("TLS");
        made.init(own.getKeyManagers(), trusted.getTrustManagers(), null);
        return made;
    }

    @Override
    void serve(Socket connection) throws IOException {
        SSLSocket tls =
                (SSLSocket)
                        context.getSocketFactory()
                                .createSocket(connection, "127.0.0.1", port(), false);
        tls.setUseClientMode(false);
        if (tls.getInputStream().read() >= 0) {
            ScriptedServer.write(connection.getOutputStream(), "no record".repeat(10));
        }
    }
}
