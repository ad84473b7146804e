package io.zarrengine.s3;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import io.zarrengine.zarr.ZarrEngine;
import io.zarrengine.zarr.errors.NodeNotFoundException;
import io.zarrengine.zarr.errors.ZarrException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The requests, and where they are sent, without a server that checks them. */
final class S3StoreTest {
    private static final String SECRET = "the/secret+key";

    private final List<Map<String, List<String>>> requests = new CopyOnWriteArrayList<>();
    private HttpServer server;

    @BeforeEach
    void serve() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext(
                "/",
                exchange -> {
                    requests.add(Map.copyOf(exchange.getRequestHeaders()));
                    exchange.getResponseHeaders().add("x-amz-bucket-region", "eu-north-1");
                    exchange.sendResponseHeaders(404, -1);
                    exchange.close();
                });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private URI endpoint() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    private void read(S3StoreBuilder builder) {
        try (ZarrEngine engine = ZarrEngine.open();
                S3Store store = builder.open()) {
            var e = assertThrows(NodeNotFoundException.class, () -> engine.openArray(store, "a"));
            assertFalse(e.toString().contains(SECRET), e::toString);
            assertTrue(e.toString().contains("s3://bucket/a"), e::toString);
        }
    }

    private String sent(String header) {
        return requests.getFirst().getOrDefault(header, List.of("")).getFirst();
    }

    /**
     * Fault: buckets of one name at two servers are the same one on disk, or a key is in the name.
     */
    @Test
    void cacheNamesHaveTheServer() {
        S3StoreBuilder here = S3Store.builder("bucket").endpoint(endpoint()).accessKey("x", SECRET);
        S3StoreBuilder there = S3Store.builder("bucket").endpoint(URI.create("http://there"));
        try (S3Store a = here.open();
                S3Store b = there.anonymous().open()) {
            assertEquals(Optional.of(endpoint() + "/bucket"), a.cacheName());
            assertEquals(Optional.of("http://there/bucket"), b.cacheName());
        }
    }

    /** Fault: the bucket is asked for at a host that does not know it, or has no certificate. */
    @ParameterizedTest
    @CsvSource(
            textBlock =
                    """
                    bucket,     ,           https://bucket.s3.amazonaws.com
                    my.bucket,  ,           https://s3.amazonaws.com/my.bucket
                    bucket,     eu-west-1,  https://bucket.s3.amazonaws.com
                    bucket,     cn-north-1, https://bucket.s3.cn-north-1.amazonaws.com.cn
                    """)
    void namesAmazonsHosts(String bucket, String region, URI expected) {
        Map<String, String> environment = region == null ? Map.of() : Map.of("AWS_REGION", region);
        assertEquals(expected, new S3StoreBuilder(bucket, environment).base());
    }

    @Test
    void namesOtherHosts() {
        Map<String, String> environment =
                Map.of("AWS_ENDPOINT_URL", "http://a:1/", "AWS_ENDPOINT_URL_S3", "http://b:2/");
        S3StoreBuilder builder = new S3StoreBuilder("bucket", environment);
        assertEquals(URI.create("http://b:2/bucket"), builder.base());
        assertEquals(URI.create("http://bucket.b:2"), builder.bucketInHost(true).base());
        builder.endpoint(URI.create("https://c")).bucketInHost(false);
        assertEquals(URI.create("https://c/bucket"), builder.base());
        assertEquals(
                URI.create("https://bucket.s3.eu-west-1.amazonaws.com"),
                new S3StoreBuilder("bucket", Map.of()).region("eu-west-1").base());
    }

    @Test
    void signsForTheRegion() {
        var environment = Map.of("AWS_REGION", "eu-west-3");
        read(
                new S3StoreBuilder("bucket", environment)
                        .endpoint(endpoint())
                        .requesterPays(true)
                        .accessKey("ID", SECRET));
        String authorization = sent("Authorization");
        assertTrue(
                authorization.matches(
                        "AWS4-HMAC-SHA256 Credential=ID/\\d{8}/eu-west-3/s3/aws4_request,"
                                + " SignedHeaders=host;.*x-amz-request-payer.*,"
                                + " Signature=[0-9a-f]{64}"),
                authorization);
        assertEquals("requester", sent("X-amz-request-payer"));
    }

    /** Fault: the token of a key that expires is lost, or is not signed; Amazon refuses both. */
    @Test
    void signsWithAToken() {
        read(
                new S3StoreBuilder("bucket", Map.of("AWS_REGION", "eu-west-3"))
                        .endpoint(endpoint())
                        .accessKey("ID", SECRET, "token"));
        assertEquals("token", sent("X-amz-security-token"));
        assertTrue(sent("Authorization").contains("x-amz-security-token"), sent("Authorization"));
    }

    /** Fault: credentials are sent though the caller wants none. */
    @Test
    void sendsNoCredentialsIfAnonymous() {
        read(new S3StoreBuilder("bucket", Map.of()).endpoint(endpoint()).anonymous());
        assertEquals("", sent("Authorization"));
    }

    /** Fault: only one of the ways is known in which other libraries write it. */
    @ParameterizedTest
    @CsvSource({
        "AWS_SKIP_SIGNATURE,true",
        "AWS_SKIP_SIGNATURE,1",
        "AWS_NO_SIGN_REQUEST,YES",
        "AWS_NO_SIGN_REQUEST,true"
    })
    void sendsNoCredentialsIfTheEnvironmentSaysSo(String name, String value) {
        var environment = Map.of(name, value, "AWS_PROFILE", "none-of-this-name");
        read(new S3StoreBuilder("bucket", environment).endpoint(endpoint()));
        assertEquals("", sent("Authorization"));
    }

    /** Fault: a bucket whose requesters pay cannot be read where nobody can call Java. */
    @Test
    void paysIfTheEnvironmentSaysSo() {
        var environment = Map.of("AWS_REQUEST_PAYER", "requester", "AWS_SKIP_SIGNATURE", "true");
        read(new S3StoreBuilder("bucket", environment).endpoint(endpoint()));
        assertEquals("requester", sent("X-amz-request-payer"));
        requests.clear();
        read(new S3StoreBuilder("bucket", environment).endpoint(endpoint()).requesterPays(false));
        assertEquals("", sent("X-amz-request-payer"));
    }

    /** Fault: a request for each signature, or without the proxy and the headers of the store. */
    @Test
    void asksOnceForTheRegion() throws IOException {
        S3StoreBuilder builder =
                new S3StoreBuilder("bucket", Map.of())
                        .endpoint(endpoint())
                        .http(http -> http.header("x-of-caller", "yes"));
        BucketRegion region = BucketRegion.asked(builder::unsigned, "us-east-1");
        assertEquals("eu-north-1", region.get());
        assertEquals("eu-north-1", region.get());
        assertEquals(1, requests.size());
        assertEquals("yes", sent("X-of-caller"));
    }

    /** Fault: one busy answer, or one without a region, fails what would work otherwise. */
    @Test
    void asksAgainForTheRegionOrDoesWithoutIt() throws IOException {
        Queue<Integer> statuses = new ConcurrentLinkedQueue<>(List.of(503, 403));
        server.removeContext("/");
        server.createContext(
                "/",
                exchange -> {
                    int status = statuses.remove();
                    if (status == 403) {
                        exchange.getResponseHeaders().add("x-amz-bucket-region", "eu-north-1");
                    }
                    exchange.sendResponseHeaders(status, -1);
                    exchange.close();
                });
        var builder = new S3StoreBuilder("bucket", Map.of()).endpoint(endpoint());
        assertEquals("eu-north-1", BucketRegion.asked(builder::unsigned, "us-east-1").get());
        answer(403, "");
        assertEquals("us-east-1", BucketRegion.asked(builder::unsigned, "us-east-1").get());
        URI gone = endpoint();
        server.stop(0);
        var nobody = new S3StoreBuilder("bucket", Map.of()).endpoint(gone);
        var e =
                assertThrows(
                        IOException.class,
                        () -> BucketRegion.asked(nobody::unsigned, "us-east-1").get());
        assertTrue(
                e.getMessage().startsWith("the bucket's region cannot be asked for: connection"),
                e::getMessage);
    }

    /** Fault: who names a wrong region learns that the request is malformed, or has moved. */
    @Test
    void saysInWhichRegionTheBucketIs() {
        answer(
                400,
                "<Error><Code>AuthorizationHeaderMalformed</Code><Message>the region 'us-east-1' is"
                        + " wrong</Message><Region>eu-north-1</Region></Error>");
        readFails("status 400, AuthorizationHeaderMalformed, the bucket is in region eu-north-1 (");
        server.removeContext("/");
        server.createContext(
                "/",
                exchange -> {
                    exchange.getResponseHeaders().add("x-amz-bucket-region", "eu-north-1");
                    exchange.sendResponseHeaders(301, -1);
                    exchange.close();
                });
        readFails("status 301 to a place that is not followed, the bucket is in region eu-north-1");
    }

    @ParameterizedTest
    @CsvSource({"s3://a%20b/c", "s3://user:" + "secret@bucket/c", "gs://bucket/c"})
    void opensOnlyBucketsOfItsScheme(URI url) {
        S3StoreProvider provider = new S3StoreProvider(Map.of());
        if (url.getScheme().equals("gs")) {
            assertEquals(Optional.empty(), provider.open(url));
        } else {
            var e = assertThrows(IllegalArgumentException.class, () -> provider.open(url));
            assertFalse(e.getMessage().contains("secret"), e::getMessage);
        }
    }

    /** Fault: nobody learns why, or the body, which may be a secret, is repeated. */
    @Test
    void saysTheServersNameOfTheError() {
        answer(403, "<Error><Code>ExpiredToken</Code><Token>abc</Token></Error>");
        String message = readFails("status 403, forbidden, ExpiredToken");
        assertFalse(message.contains("abc"), message);
    }

    private void answer(int status, String body) {
        byte[] bytes = body.getBytes(UTF_8);
        server.removeContext("/");
        server.createContext(
                "/",
                exchange -> {
                    exchange.sendResponseHeaders(status, bytes.length);
                    exchange.getResponseBody().write(bytes);
                    exchange.close();
                });
    }

    private String readFails(String expected) {
        S3StoreBuilder builder = new S3StoreBuilder("bucket", Map.of()).endpoint(endpoint());
        try (ZarrEngine engine = ZarrEngine.open();
                S3Store store = builder.anonymous().open()) {
            var e = assertThrows(ZarrException.class, () -> engine.openArray(store, "a"));
            assertTrue(e.getMessage().contains(expected), e::getMessage);
            return e.getMessage();
        }
    }

    /**
     * Fault: who names credentials that do not exist reads without any, and wonders about a 403.
     */
    @Test
    void missesCredentialsThatAreWanted() {
        Map<String, String> environment = Map.of("AWS_PROFILE", "none-of-this-name");
        S3StoreBuilder chosen = new S3StoreBuilder("bucket", Map.of()).profile("none-of-this-name");
        for (S3StoreBuilder builder : List.of(chosen, new S3StoreBuilder("bucket", environment))) {
            try (ZarrEngine engine = ZarrEngine.open();
                    S3Store store = builder.endpoint(endpoint()).open()) {
                var e = assertThrows(ZarrException.class, () -> engine.openArray(store, "a"));
                assertTrue(e.getMessage().contains("Amazon's credentials"), e::getMessage);
            }
        }
        assertEquals(List.of(), requests);
    }

    /** Fault: a bucket that does not exist is taken for an empty one. */
    @Test
    void saysThatThereIsNoSuchBucket() {
        answer(404, "<Error><Code>NoSuchBucket</Code></Error>");
        readFails("status 404, there is no such bucket");
    }

    @Test
    void keyHasNoSecretInItsText() {
        assertFalse(new AccessKey("ID", SECRET, Optional.of(SECRET)).toString().contains(SECRET));
    }
}
