package io.zarrengine.http;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.HostTensor;
import io.zarrengine.zarr.Selection;
import io.zarrengine.zarr.ZarrArray;
import io.zarrengine.zarr.ZarrEngine;
import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Keeps on disk what a web server has. */
final class HttpDiskCacheTest {
    private static final String SECRET = "s3cret";
    private static final String QUERY = "?X-Amz-Signature=" + SECRET;

    @TempDir private Path folder;
    private TestServer server;
    private byte[] elements;

    @BeforeEach
    void serve() throws IOException {
        server = new TestServer();
        Path local = folder.resolve("local");
        try (ZarrEngine engine = ZarrEngine.open()) {
            ArrayMetadata metadata =
                    ArrayMetadata.builder(NumericType.UINT8, 300, 400)
                            .chunkShape(150, 200)
                            .codecs(
                                    List.of(
                                            CodecSpec.sharding(
                                                    new long[] {50, 50}, CodecSpec.bytes())))
                            .build();
            engine.createArray(local, metadata)
                    .writeAll((chunk, chunkElements) ->
                            chunkElements.fill((byte) (1 + 2 * chunk[0] + chunk[1])));
            try (ZarrArray array = engine.openArray(local);
                    HostTensor all = array.read(Selection.all())) {
                elements = all.segment().toArray(JAVA_BYTE);
            }
        }
        try (Stream<Path> files = Files.walk(local)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String key = "a/" + local.relativize(file);
                server.put(key, Files.readAllBytes(file));
                server.put(key + QUERY, Files.readAllBytes(file));
            }
        }
    }

    @AfterEach
    void close() throws IOException {
        server.close();
    }

    /** {@return the requests for chunks} */
    private long read(String query) {
        server.forgetRequests();
        try (ZarrEngine engine =
                        ZarrEngine.builder()
                                .diskCache(folder.resolve("cache"), 1 << 30)
                                .diskCacheMaxAge(Duration.ofDays(1))
                                .open();
                ZarrArray array = engine.openArray(URI.create(server.url("a") + query));
                HostTensor all = array.read(Selection.all())) {
            assertArrayEquals(elements, all.segment().toArray(JAVA_BYTE));
        }
        return server.requests().stream().filter(one -> !one.path().contains(".json")).count();
    }

    /**
     * Faults: a second process asks the server again; the signature of a URL is written to the
     * disk, or makes another name of the same object.
     */
    @Test
    void findsWhatAnotherSignatureHasRead() throws IOException {
        assertTrue(read(QUERY) > 0);
        assertEquals(0, read(QUERY));
        assertEquals(0, read(""));
        try (Stream<Path> files = Files.walk(folder.resolve("cache"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String text = Files.readString(file, StandardCharsets.ISO_8859_1);
                assertFalse(text.contains(SECRET) || file.toString().contains(SECRET));
            }
        }
    }

    /** Fault: ranges of two contents, for which one weak ETag may stand, are put together. */
    @Test
    void keepsNothingOfWeakVersions() throws IOException {
        server.withWeakEtags();
        assertTrue(read("") > 0);
        assertTrue(read("") > 0);
        assertFalse(server.requests().toString().contains("if-match"));
    }

    /** Fault: a query that chooses other content is taken for credentials. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "?version=3",
                "?snapshot=2026&sig=x",
                "?X-Amz-Date=1&prefix=b",
                "?a",
                "?sr=b",
                "?policy=2",
                "?sig=x&expires=1",
                "?X-Amz-Date=1"
            })
    void keepsNothingOfOtherQueries(String query) {
        try (HttpStore store = HttpStore.builder(URI.create("http://host/x" + query)).open()) {
            assertEquals(Optional.empty(), store.cacheName());
        }
    }

    /** Fault: tenants that a header chooses read what is kept of each other. */
    @Test
    void namesDifferByHeadersOtherThanAuthorization() {
        assertEquals(nameWith("Authorization", "a"), nameWith("authorization", "b"));
        assertNotEquals(nameWith("X-Tenant", "a"), nameWith("X-Tenant", "b"));
        assertNotEquals(nameWith("X-Tenant", "a"), nameWith("Authorization", "a"));
    }

    private static String nameWith(String header, String value) {
        HttpStoreBuilder builder = HttpStore.builder(URI.create("http://host/x"));
        try (HttpStore store = builder.header(header, value).open()) {
            return store.cacheName().orElseThrow();
        }
    }

    /** Fault: users and tokens are in the name, or an object has two names. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://host/x",
                "http://me:s3cret@host/x/",
                "http://host/x?sv=1&sr=c&sig=s3cret&se=2026",
                "http://host/x?X-Goog-Signature=s3cret"
            })
    void namesHaveNoCredentials(String url) {
        try (HttpStore store = HttpStore.builder(URI.create(url)).open()) {
            assertEquals(Optional.of("http://host/x"), store.cacheName());
        }
    }
}
