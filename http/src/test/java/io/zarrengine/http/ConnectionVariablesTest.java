package io.zarrengine.http;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.objectstore.ObjectStoreContract;
import java.io.IOException;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Environment variables that choose a proxy and certificates. */
final class ConnectionVariablesTest {
    private static String proxyOf(String url, Map<String, String> variables) {
        URI asked = URI.create(url);
        return ProxyVariables.of(asked.getScheme(), new StoreVariables(variables))
                .map(selector -> first(selector, asked))
                .orElse("DIRECT");
    }

    private static String first(ProxySelector selector, URI url) {
        return selector.select(url).getFirst().toString().replace("/<unresolved>", "");
    }

    /** Fault: another variable is read than curl reads, or its port is lost. */
    @ParameterizedTest
    @CsvSource({
        "https://host/a, https_proxy, http://proxy:3128, HTTP @ proxy:3128",
        "https://host/a, HTTPS_PROXY, proxy:3128, HTTP @ proxy:3128",
        "https://host/a, all_proxy, proxy, HTTP @ proxy:1080",
        "https://host/a, all_proxy, me:s3cret@proxy, HTTP @ proxy:1080",
        "http://host/a, http_proxy, http://proxy:80/, HTTP @ proxy:80",
        "http://host/a, HTTP_PROXY, http://proxy:80, DIRECT",
        "http://host/a, https_proxy, http://proxy:80, DIRECT"
    })
    void choosesAProxy(String url, String variable, String value, String expected) {
        assertEquals(expected, proxyOf(url, Map.of(variable, value)));
    }

    /** Fault: a host that is excepted, or in a domain that is, is asked by the proxy. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "host; true",
                "a,HOST b; true",
                "example.org; false",
                ".org; false",
                "ost; false",
                "host:8080; true",
                "host:80; false",
                "*; true"
            })
    void exceptsHosts(String list, Boolean isDirect) {
        Map<String, String> variables =
                Map.of("all_proxy", "proxy:1", "no_proxy", list == null ? "" : list);
        String expected = Boolean.TRUE.equals(isDirect) ? "DIRECT" : "HTTP @ proxy:1";
        assertEquals(expected, proxyOf("http://host:8080/a", variables));
    }

    @Test
    void exceptsDomains() {
        Map<String, String> variables = Map.of("all_proxy", "proxy:1", "no_proxy", ".org, b.net");
        assertEquals("DIRECT", proxyOf("http://a.org/x", variables));
        assertEquals("DIRECT", proxyOf("http://a.b.net/x", variables));
        assertEquals("HTTP @ proxy:1", proxyOf("http://ab.net/x", variables));
    }

    /** Fault: a proxy that cannot be used is passed by, or a message has its password. */
    @ParameterizedTest
    @ValueSource(
            strings = {"socks5://me:s3cret@proxy:1", "me:s3@cret@proxy:1", "http://", "a b:s3cret"})
    void refusesOtherProxies(String value) {
        HttpStoreBuilder builder =
                new HttpStoreBuilder(URI.create("http://host/"), Map.of("http_proxy", value));
        String message = assertThrows(IllegalArgumentException.class, builder::open).getMessage();
        assertTrue(message.contains("http_proxy"), message);
        assertFalse(message.contains("s3") || message.contains("cret@"), message);
    }

    /** Fault: the variable does not reach the client. */
    @Test
    void readsByAProxy() throws Exception {
        try (TestServer server = new TestServer();
                TestProxy proxy = new TestProxy();
                HttpStore store =
                        new HttpStoreBuilder(server.url(""), Map.of("http_proxy", proxy.url()))
                                .open()) {
            server.put("a", new byte[] {1, 2, 3});
            ObjectStoreContract.Read read = new ObjectStoreContract.Read("a", 1, 2);
            store.read(List.of(read));
            assertArrayEquals(new byte[] {2, 3}, read.get().bytes());
            assertTrue(proxy.plain() > 0);
        }
    }

    /** Fault: a variable wins over the caller's choice, or a message shows the password. */
    @Test
    void readsByTheProxyOfTheCaller() throws Exception {
        Map<String, String> variables =
                Map.of("http_proxy", "http://host.invalid", "no_proxy", "127.0.0.1");
        try (TestServer server = new TestServer();
                TestProxy proxy = new TestProxy()) {
            server.put("a?", new byte[1]);
            HttpStoreBuilder builder = new HttpStoreBuilder(server.url(""), variables);
            try (HttpStore store = builder.proxy(URI.create(proxy.url())).open()) {
                store.ask("a", Map.of());
                assertTrue(proxy.plain() > 0);
            }
            URI other = URI.create("socks5://me:s3cret@host:1");
            String message =
                    assertThrows(IllegalArgumentException.class, () -> builder.proxy(other))
                            .getMessage();
            assertFalse(message.contains("s3cret"), message);
        }
    }

    /** Fault: the password does not reach the proxy, or a message or an option shows it. */
    @ParameterizedTest
    @ValueSource(strings = {"http", "https"})
    void tellsThePasswordToTheProxyOnly(String scheme) throws Exception {
        String answer = "HTTP/1.1 407 No\r\nContent-Length: 0\r\n\r\n";
        try (ScriptedServer proxy = new ScriptedServer(ScriptedServer.always(answer))) {
            Map<String, String> variables =
                    Map.of(scheme + "_proxy", "http://me:s3cret@127.0.0.1:" + proxy.port());
            URI url = URI.create(scheme + "://host.invalid/");
            HttpStoreBuilder builder = new HttpStoreBuilder(url, variables);
            try (HttpStore store = builder.open()) {
                IOException e = assertThrows(IOException.class, () -> store.ask("x", Map.of()));
                assertTrue(
                        e.getMessage().startsWith("status 407, the proxy refuses"), e::getMessage);
                assertFalse(e.toString().contains("s3cret"), e::getMessage);
            }
            String head = proxy.heads().getFirst();
            assertTrue(head.contains("proxy-authorization: Basic bWU6czNjcmV0\n"), head);
            builder.version(HttpClient.Version.HTTP_2);
            String refusal =
                    assertThrows(IllegalArgumentException.class, builder::open).getMessage();
            assertTrue(refusal.contains("needs HTTP/1.1"), refusal);
        }
    }

    /** Fault: a server that is asked without a proxy gets the proxy's password. */
    @Test
    void tellsThePasswordToNoServer() throws Exception {
        Map<String, String> variables =
                Map.of("http_proxy", "http://me:s3cret@host.invalid:1", "no_proxy", "127.0.0.1");
        try (TestServer server = new TestServer();
                HttpStore store = new HttpStoreBuilder(server.url(""), variables).open()) {
            server.put("a?", new byte[1]);
            store.ask("a", Map.of());
            assertFalse(server.requests().toString().contains("Basic"));
        }
    }

    /** Fault: a file that cannot be used is passed by, and the JDK's certificates are trusted. */
    @Test
    void refusesAFileWithoutCertificates(@TempDir Path folder) throws Exception {
        Path empty = Files.writeString(folder.resolve("empty.pem"), "");
        for (Path file : List.of(empty, folder.resolve("missing.pem"))) {
            Map<String, String> variables = Map.of("SSL_CERT_FILE", file.toString());
            new HttpStoreBuilder(URI.create("http://host/"), variables).open().close();
            HttpStoreBuilder secure = new HttpStoreBuilder(URI.create("https://host/"), variables);
            String message =
                    assertThrows(IllegalArgumentException.class, secure::open).getMessage();
            assertTrue(message.contains("SSL_CERT_FILE names " + file), message);
        }
    }
}
