package io.zarrengine.gcs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpServer;
import io.zarrengine.http.BucketContract;
import io.zarrengine.http.BucketStore;
import io.zarrengine.http.TestServer;
import io.zarrengine.zarr.objectstore.ObjectStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The requests that the store sends to a web server of the tests. */
final class GcsStoreTest extends BucketContract {
    private static final String SECRET = "s3cret";

    @Override
    protected String bucket() {
        return "b";
    }

    @Override
    protected BucketStore openStore() {
        return builder(Map.of()).anonymous().open();
    }

    private GcsStoreBuilder builder(Map<String, String> environment) {
        return new GcsStoreBuilder("b", environment)
                .endpoint(server.url(""))
                .http(options -> options.deadline(Duration.ofSeconds(5)));
    }

    /** Fault: a second page is not asked for, or special characters do not return as they went. */
    @Test
    void listsByPages() throws IOException {
        String question = "b?list-type=2&prefix=a +%#ü/&delimiter=/&max-keys=";
        String first =
                "<?xml version='1.0' encoding='UTF-8'?><ListBucketResult"
                        + " xmlns='http://doc.s3.amazonaws.com/2006-03-01'><Name>b</Name>"
                        + "<Prefix>a +%#ü/</Prefix><NextContinuationToken>t+/=</NextContinuationToken>"
                        + "<IsTruncated>true</IsTruncated>"
                        + "<Contents><Key>a +%#ü/</Key></Contents>"
                        + "<Contents><Key>a +%#ü/x &amp; y</Key><Owner><ID>i</ID></Owner></Contents>"
                        + "<CommonPrefixes><Prefix>a +%#ü/c%20d/</Prefix></CommonPrefixes>"
                        + "</ListBucketResult>";
        String second =
                "<ListBucketResult><CommonPrefixes><Prefix>a +%#ü/漢/</Prefix></CommonPrefixes>"
                        + "</ListBucketResult>";
        for (int max : List.of(1000, 3, 2)) {
            server.put(question + max, first.getBytes(UTF_8));
            server.put(question + max + "&continuation-token=t+/=", second.getBytes(UTF_8));
        }
        List<String> all = List.of("x & y", "c%20d", "漢");
        assertEquals(Optional.of(all), store.list("a +%#ü/", 5000));
        assertEquals(Optional.of(all), store.list("a +%#ü/", 3));
        server.forgetRequests();
        assertEquals(Optional.of(all.subList(0, 2)), store.list("a +%#ü/", 2));
        assertEquals(1, server.requests().size(), "the first page was enough");
    }

    /** Fault: a page that is no list, of a proxy for example, is taken for an empty group. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "<html><body>log in</body></html>",
                "<ListBucketResult><Contents>",
                "",
                "<!DOCTYPE x [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><ListBucketResult>"
                        + "<Contents><Key>&e;</Key></Contents></ListBucketResult>",
                "<ListBucketResult><NextContinuationToken>t</NextContinuationToken></ListBucketResult>"
            })
    void refusesWhatIsNoList(String page) {
        String question = "b?list-type=2&prefix=&delimiter=/&max-keys=9";
        server.put(question, page.getBytes(UTF_8));
        server.put(question + "&continuation-token=t", page.getBytes(UTF_8));
        var e = assertThrows(IOException.class, () -> store.list("", 9));
        assertTrue(e.getMessage().contains("list of keys"), e::getMessage);
    }

    @Test
    void saysThatThereIsNoBucket() {
        var e = assertThrows(IOException.class, () -> store.list("", 9));
        assertTrue(e.getMessage().contains("no such bucket"), e::getMessage);
    }

    @Test
    void sendsTokensAndTheProjectThatPays() throws Exception {
        reopen(builder(Map.of()).token(() -> SECRET).userProject("payer").open());
        put("a", new byte[1]);
        read("a", 0, 1);
        assertEquals(List.of("Bearer " + SECRET), sent("authorization"));
        assertEquals(List.of("payer"), sent("x-goog-user-project"));
    }

    /** Fault: an error repeats the token. */
    @ParameterizedTest
    @ValueSource(strings = {"STATUS_401", "STATUS_403"})
    void refusesWrongTokensWithoutTellingThem(String fault) {
        reopen(builder(Map.of("GOOGLE_OAUTH_ACCESS_TOKEN", SECRET)).open());
        server.faults(request -> TestServer.Fault.valueOf(fault));
        var e = assertThrows(IOException.class, () -> read("a", 0, 1));
        assertEquals(List.of("Bearer " + SECRET), sent("authorization"));
        assertTrue(e.getMessage().contains("status " + fault.substring(7)), e::getMessage);
        assertTrue(e.getMessage().contains("application default"), e::getMessage);
        assertFalse(e.toString().contains(SECRET), e::getMessage);
        e = assertThrows(IOException.class, () -> store.list("", 9));
        assertFalse(e.toString().contains(SECRET), e::getMessage);
    }

    /** Fault: a local server of tests gets the credentials of the user. */
    @Test
    void sendsNothingToAnEmulator() throws Exception {
        String host = server.url("").toString().replaceAll("^http://|/$", "");
        var provider =
                new GcsStoreProvider(
                        Map.of("STORAGE_EMULATOR_HOST", host, "GOOGLE_OAUTH_ACCESS_TOKEN", SECRET));
        put("a", new byte[] {4});
        try (ObjectStore opened = provider.open(URI.create("gs://b/a")).orElseThrow()) {
            assertEquals("gs://b", opened.name());
            Read read = new Read("a", 0, 1);
            opened.read(List.of(read));
            assertArrayEquals(new byte[] {4}, read.get().bytes());
        }
        assertEquals(List.of(), sent("authorization"));
        assertTrue(provider.open(URI.create("https://host/x")).isEmpty());
    }

    @ParameterizedTest
    @ValueSource(strings = {"me:" + SECRET + "@b", "b:80"})
    void refusesOtherAuthorities(String authority) {
        var provider = new GcsStoreProvider(Map.of());
        var e =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> provider.open(URI.create("gs://" + authority + "/a")));
        assertFalse(e.getMessage().contains(SECRET), e::getMessage);
    }

    /** Fault: a token is used after its end, or each request asks for one. */
    @Test
    void renewsTokensThatExpire() throws Exception {
        assumeTrue(GcsStoreBuilder.hasGoogleLibrary(), "Google's library is not there");
        reopen(builder(Map.of()).signer(GoogleTestSupport.expiring()).open());
        put("a", new byte[1]);
        for (int i = 0; i < 3; i++) {
            read("a", 0, 1);
        }
        assertEquals(
                List.of("Bearer token-1", "Bearer token-2", "Bearer token-2"),
                sent("authorization"));
    }

    /** Fault: a token that is revoked fails reads until its end. */
    @Test
    void renewsATokenThatTheServerRefuses() throws Exception {
        assumeTrue(GcsStoreBuilder.hasGoogleLibrary(), "Google's library is not there");
        reopen(builder(Map.of()).signer(GoogleTestSupport.expiring()).open());
        put("a", new byte[1]);
        read("a", 0, 1);
        server.faults(request ->
                request.headers().get("authorization").equals("Bearer token-3")
                        ? TestServer.Fault.NONE
                        : TestServer.Fault.STATUS_401);
        read("a", 0, 1);
        assertEquals(
                List.of("Bearer token-1", "Bearer token-2", "Bearer token-3"),
                sent("authorization"));
    }

    /** Fault: Google's library cannot get a token with what this module gives it. */
    @Test
    void readsWithAServiceAccount() throws Exception {
        assumeTrue(GcsStoreBuilder.hasGoogleLibrary(), "Google's library is not there");
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        HttpServer tokens = HttpServer.create(any, 0);
        AtomicReference<String> asked = new AtomicReference<>();
        tokens.createContext(
                "/token",
                exchange -> {
                    asked.set(new String(exchange.getRequestBody().readAllBytes(), UTF_8));
                    byte[] answer = "{\"access_token\":\"t1\",\"expires_in\":3600}".getBytes(UTF_8);
                    exchange.getResponseHeaders().add("Content-Type", "application/json");
                    exchange.sendResponseHeaders(200, answer.length);
                    exchange.getResponseBody().write(answer);
                    exchange.close();
                });
        tokens.start();
        try {
            URI url = URI.create("http://127.0.0.1:" + tokens.getAddress().getPort() + "/token");
            reopen(builder(Map.of()).signer(GoogleTestSupport.serviceAccount(url)).open());
            put("a", new byte[1]);
            read("a", 0, 1);
            read("a", 0, 1);
            assertEquals(List.of("Bearer t1", "Bearer t1"), sent("authorization"));
            assertEquals(List.of("payer", "payer"), sent("x-goog-user-project"));
            String claims = asked.get().replaceFirst(".*assertion=[^.]*\\.([^.]*)\\..*", "$1");
            String decoded = new String(Base64.getUrlDecoder().decode(claims), UTF_8);
            assertTrue(decoded.contains("devstorage.read_only"), decoded);
        } finally {
            tokens.stop(0);
        }
    }

    /** Fault: a file of credentials that is broken is taken for none. */
    @Test
    void isAnonymousOnlyWithoutCredentials() throws Exception {
        assumeTrue(GcsStoreBuilder.hasGoogleLibrary(), "Google's library is not there");
        String none = "Your default credentials were not found. See https://example.org";
        reopen(builder(Map.of()).signer(GoogleTestSupport.failing(none)).open());
        put("a", new byte[1]);
        read("a", 0, 1);
        assertEquals(List.of(), sent("authorization"));
        reopen(builder(Map.of()).signer(GoogleTestSupport.failing("no valid JSON")).open());
        var e = assertThrows(IOException.class, () -> read("a", 0, 1));
        assertTrue(e.getMessage().contains("Google's credentials: no valid JSON"), e::getMessage);
    }

    /** Fault: who names a file of credentials reads without them. */
    @Test
    void saysThatCredentialsNeedALibrary() {
        assumeFalse(GcsStoreBuilder.hasGoogleLibrary(), "Google's library is there");
        GcsStoreBuilder builder = builder(Map.of("GOOGLE_APPLICATION_CREDENTIALS", "/x.json"));
        var e = assertThrows(IllegalArgumentException.class, builder::open);
        assertTrue(e.getMessage().contains("google-auth-library-oauth2-http"), e::getMessage);
    }
}
