package io.zarrengine.http;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.zarr.objectstore.ObjectServer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** A folder of the nginx that {@code bin/test-stores} starts, with a private authority. */
public final class Nginx implements ObjectServer {
    private static final AtomicLong SECONDS = new AtomicLong(1_000_000_000);

    private final String name = "test-" + Long.toString(System.nanoTime(), 36);
    private final int port;
    private final int securePort;
    private final Path folder;
    private final Path certificate;

    /** Creates the folder; skips the test where no nginx runs. */
    public Nginx() throws IOException {
        String server = System.getProperty("io.zarrengine.nginx"); // PORT,SECURE PORT,FOLDER
        assumeTrue(server != null, "no nginx runs: bin/test-stores starts it");
        String[] parts = server.split(",", 3);
        port = Integer.parseInt(parts[0]);
        securePort = Integer.parseInt(parts[1]);
        folder = Path.of(parts[2], "root", name);
        certificate = Path.of(parts[2], "certificate.pem");
        Files.createDirectory(folder);
    }

    /** {@return the URL of the folder} */
    URI url() {
        return URI.create("http://127.0.0.1:" + port + "/" + name);
    }

    /** {@return the URL of the folder by TLS} */
    URI secureUrl() {
        return URI.create("https://localhost:" + securePort + "/" + name);
    }

    /** {@return the file with the certificate of the authority} */
    String certificate() {
        return certificate.toString();
    }

    /** {@return a store by TLS that trusts the authority} */
    public HttpStore openSecure() {
        return secure(Map.of()).open();
    }

    /** {@code variables}: of the environment, with which it trusts the authority. */
    HttpStoreBuilder secure(Map<String, String> variables) {
        Map<String, String> all = new HashMap<>(variables);
        all.put("SSL_CERT_FILE", certificate());
        return new HttpStoreBuilder(secureUrl(), all);
    }

    /** Puts an object into the folder; a new version has another time, and so another ETag. */
    @Override
    public void put(String key, byte[] bytes) throws IOException {
        Path file = folder.resolve(key);
        Files.createDirectories(file.getParent());
        Files.write(file, bytes);
        Files.setLastModifiedTime(
                file, FileTime.from(Instant.ofEpochSecond(SECONDS.getAndIncrement())));
    }
}
