package io.zarrengine.s3;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.zarr.objectstore.ObjectServer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** A bucket of the server that {@code bin/s3.sh} starts; it keeps objects as files. */
public final class S3Server implements ObjectServer {
    static final String KEY = "tests";
    static final String SECRET = "of-zarr-engine";

    private final String bucket = "test-" + Long.toString(System.nanoTime(), 36);
    private final URI endpoint;
    private final Path folder;

    /** Creates a bucket; skips the test where no such server runs. */
    public S3Server() throws IOException {
        String server = System.getProperty("io.zarrengine.s3"); // URL,FOLDER
        assumeTrue(server != null, "no S3 server runs: bin/test-stores starts it");
        String[] parts = server.split(",", 2);
        endpoint = URI.create(parts[0]);
        folder = Path.of(parts[1], bucket);
        Files.createDirectory(folder);
    }

    S3StoreBuilder builder() {
        return new S3StoreBuilder(bucket, Map.of()).endpoint(endpoint);
    }

    /** {@return a store that signs its requests} */
    public S3Store open() {
        return builder().accessKey(KEY, SECRET).open();
    }

    @Override
    public void put(String key, byte[] bytes) throws IOException {
        Path file = folder.resolve(key);
        Files.createDirectories(file.getParent());
        Files.write(file, bytes);
    }
}
