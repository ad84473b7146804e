package io.zarrengine.azure;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.http.BucketContract;
import io.zarrengine.http.BucketStore;
import io.zarrengine.http.TestServer;
import io.zarrengine.http.TestServer.Request;
import io.zarrengine.zarr.objectstore.ObjectStore;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The requests that the store sends to a web server of the tests. */
final class AzureStoreTest extends BucketContract {
    private static final String SECRET = "c2VjcmV0";

    @Override
    protected String bucket() {
        return "con";
    }

    @Override
    protected BucketStore openStore() {
        return builder(Map.of()).anonymous().open();
    }

    private AzureStoreBuilder builder(Map<String, String> environment) {
        return new AzureStoreBuilder("con", environment)
                .endpoint(server.url(""))
                .http(options -> options.deadline(Duration.ofSeconds(5)));
    }

    /**
     * Fault: a suffix range is sent, which Azure does not know, or the end is of another version.
     */
    @Test
    void readsTheEndByTwoRequests() throws Exception {
        put("a", new byte[100]);
        assertEquals(30, read("a", -30, 30).length);
        List<Request> requests = server.requests();
        assertEquals(
                List.of("bytes=0-0", "bytes=70-99"),
                requests.stream().map(Request::range).toList());
        assertTrue(requests.getLast().headers().containsKey("if-match"));
        assertEquals("2021-12-02", requests.getFirst().headers().get("x-ms-version"));
    }

    /** Fault: the object changes between the two requests, and their bytes are mixed. */
    @Test
    void noticesAnEndOfAnotherVersion() {
        put("a", new byte[100]);
        server.faults(request -> {
            put("a", new byte[50]);
            return TestServer.Fault.NONE;
        });
        var e = assertThrows(IOException.class, () -> read("a", -30, 30));
        assertTrue(e.getMessage().contains("has changed"), e::getMessage);
    }

    /** Fault: a secret of the environment is sent to the account of somebody else. */
    @ParameterizedTest
    @CsvSource({"one, true", "two, false"})
    void sendsSecretsOfTheEnvironmentToItsAccountOnly(String account, boolean isSent)
            throws Exception {
        String sas = "?sv=1&sig=" + SECRET + "%3D";
        Map<String, String> environment =
                Map.of("AZURE_STORAGE_ACCOUNT", "one", "AZURE_STORAGE_SAS_TOKEN", sas);
        AzureStoreBuilder builder = builder(environment).account(account);
        assertEquals(isSent, builder.usedCredentials().query().contains(SECRET));
        if (isSent) {
            reopen(builder.open());
            server.put("con/a?sv=1&sig=" + SECRET + "=", new byte[] {7});
            assertArrayEquals(new byte[] {7}, read("a", 0, 1));
            assertFalse(store.name().contains(SECRET));
        }
    }

    @Test
    void skipsSignaturesIfTold() throws Exception {
        Map<String, String> environment =
                Map.of("AZURE_STORAGE_SAS_TOKEN", "sig=" + SECRET, "AZURE_SKIP_SIGNATURE", "true");
        reopen(builder(environment).account("one").open());
        put("a", new byte[] {7});
        assertArrayEquals(new byte[] {7}, read("a", 0, 1));
    }

    /** Fault: parts of a connection string are lost, for example the "=" at the end of a key. */
    @Test
    void takesAllFromAConnectionString() throws Exception {
        String text =
                "BlobEndpoint=" + server.url("x") + ";AccountName=x;SharedAccessSignature=sig=a%3D";
        store.close();
        AzureStoreProvider provider =
                new AzureStoreProvider(Map.of("AZURE_STORAGE_CONNECTION_STRING", text));
        try (ObjectStore opened = provider.open(URI.create("az://con/b")).orElseThrow()) {
            assertEquals("az://con", opened.name());
            server.put("x/con/b?sig=a=", new byte[] {3});
            Read read = new Read("b", 0, 1);
            opened.read(List.of(read));
            assertArrayEquals(new byte[] {3}, read.get().bytes());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "AccountName=x;AccountKey" + SECRET,
                "BlobEndpoint=http://h h/" + SECRET,
                "AccountName=x;SharedAccessSignature=" + SECRET
            })
    void refusesBadConnectionStringsWithoutTheirSecrets(String text) {
        var provider = new AzureStoreProvider(Map.of("AZURE_STORAGE_CONNECTION_STRING", text));
        var e =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> provider.open(URI.create("az://con/b")));
        assertFalse(e.getMessage().contains(SECRET), e::getMessage);
    }

    @ParameterizedTest
    @CsvSource({
        "abfs://con@acc.dfs.core.windows.net/x, true",
        "abfss://con@acc.blob.core.chinacloudapi.cn/x, true",
        "abfs://con@evil/x, false",
        "abfs://con:pw@acc.dfs.core.windows.net/x, false",
        "az://con/x, false"
    })
    void findsTheAccount(String url, boolean isValid) {
        AzureStoreProvider provider = new AzureStoreProvider(Map.of());
        URI uri = URI.create(url);
        if (isValid) {
            try (ObjectStore opened = provider.open(uri).orElseThrow()) {
                assertEquals(url.replace("/x", ""), opened.name());
            }
        } else {
            var e = assertThrows(IllegalArgumentException.class, () -> provider.open(uri));
            assertFalse(e.getMessage().contains("pw"), e::getMessage);
        }
    }

    /** Fault: Azure takes the URLs of another server, or leaves its own to plain HTTP. */
    @Test
    void opensUrlsOfAccounts() {
        AzureStoreProvider provider = new AzureStoreProvider(Map.of());
        URI url = URI.create("https://acc.blob.core.windows.net/con/x");
        try (ObjectStore opened = provider.open(url).orElseThrow()) {
            assertEquals("https://acc.blob.core.windows.net", opened.name());
        }
        for (String other : List.of("https://host/x", "https://a.blob.example.org/x")) {
            assertTrue(provider.open(URI.create(other)).isEmpty(), other);
        }
    }

    /** Fault: the container is taken for a part of the prefix. */
    @Test
    void listsInAContainerOfAnAccount() throws IOException {
        reopen(
                new AzureStoreBuilder("", Map.of())
                        .endpoint(server.url(""))
                        .account("acc")
                        .anonymous()
                        .open());
        String page =
                "<EnumerationResults><Blobs><BlobPrefix><Name>g/a/</Name></BlobPrefix></Blobs>"
                        + "<NextMarker/></EnumerationResults>";
        server.put(
                "con?restype=container&comp=list&prefix=g/&delimiter=/&maxresults=9",
                page.getBytes(UTF_8));
        assertEquals(Optional.of(List.of("a")), store.list("con/g/", 9));
        assertEquals(Optional.empty(), store.list("", 9));
    }

    /** Fault: the reader hangs, or does not say which library is missing. */
    @Test
    void saysThatSharedKeysNeedALibrary() {
        assumeFalse(AzureLibraries.areThere(), "azure-storage-common is there");
        reopen(builder(Map.of()).account("one").sharedKey(SECRET).open());
        var e = assertThrows(IOException.class, () -> read("a", 0, 1));
        assertTrue(e.getMessage().contains("com.azure:azure-storage-common"), e::getMessage);
    }

    /** Fault: a token is used after its end, or each request asks for one. */
    @Test
    void renewsTokensThatExpire() throws Exception {
        assumeTrue(AzureLibraries.areThere(), "azure-core is not there");
        Map<String, Integer> seconds = new HashMap<>(Map.of("token-1", 60, "token-2", 3600));
        reopen(builder(Map.of()).signer(AzureTestSupport.identity(seconds)).open());
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
        assumeTrue(AzureLibraries.areThere(), "azure-core is not there");
        Map<String, Integer> seconds = new HashMap<>(Map.of("token-1", 3600, "token-2", 3600));
        reopen(builder(Map.of()).signer(AzureTestSupport.identity(seconds)).open());
        put("a", new byte[1]);
        server.faults(request ->
                request.headers().get("authorization").equals("Bearer token-2")
                        ? TestServer.Fault.NONE
                        : TestServer.Fault.STATUS_401);
        read("a", 0, 1);
        assertEquals(List.of("Bearer token-1", "Bearer token-2"), sent("authorization"));
    }

    /** Fault: the reader hangs, or the request is sent without credentials. */
    @Test
    void saysThatThereIsNoIdentity() {
        assumeTrue(AzureLibraries.areThere(), "azure-core is not there");
        reopen(builder(Map.of()).signer(AzureTestSupport.identity(Map.of())).open());
        var e = assertThrows(IOException.class, () -> read("a", 0, 1));
        assertTrue(e.getMessage().contains("no token of an identity: none"), e::getMessage);
        assertEquals(List.of(), server.requests());
    }

    /** Fault: a machine with an identity reads as if it had none, and says nothing. */
    @Test
    void saysThatIdentitiesNeedALibrary() {
        assumeFalse(AzureLibraries.areThere(), "azure-identity is there");
        AzureStoreBuilder builder = builder(Map.of("AZURE_CLIENT_ID", "x"));
        var e = assertThrows(IllegalArgumentException.class, builder::open);
        assertTrue(e.getMessage().contains("com.azure:azure-identity"), e::getMessage);
    }
}
