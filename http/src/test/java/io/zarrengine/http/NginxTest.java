package io.zarrengine.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.objectstore.ObjectRead;
import io.zarrengine.zarr.objectstore.ServerContract;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * The store on nginx, in each way to reach it. nginx ends connections after 100 requests; a request
 * that meets such an end has to be repeated.
 */
final class NginxTest {
    /** The contract. */
    abstract static class Contract extends ServerContract<Nginx, HttpStore> {
        abstract HttpStoreBuilder builder() throws Exception;

        @Override
        protected Nginx startServer() throws IOException {
            return new Nginx();
        }

        @Override
        protected HttpStore openStore() throws Exception {
            return builder().open();
        }

        /** nginx refuses to show a folder, which is no object that is missing. */
        @Override
        @Test
        public void saysWhatIsMissing() throws Exception {
            put("a/c/0", new byte[1]);
            for (long offset : new long[] {0, -4}) {
                assertTrue(start("a/c/1", offset, 4).get().isMissing());
            }
        }
    }

    @Nested
    final class Plain extends Contract {
        @Override
        HttpStoreBuilder builder() {
            return HttpStore.builder(server.url());
        }
    }

    @Nested
    final class SecureHttp1 extends Contract {
        @Override
        HttpStoreBuilder builder() {
            return server.secure(Map.of());
        }

        /** Fault: another server with a certificate that is trusted can answer. */
        @Test
        void refusesACertificateOfAnotherHost() throws Exception {
            URI otherName =
                    URI.create(server.secureUrl().toString().replace("localhost", "127.0.0.1"));
            Map<String, String> variables = Map.of("SSL_CERT_FILE", server.certificate());
            reopen(new HttpStoreBuilder(otherName, variables).open());
            IOException e = assertThrows(IOException.class, () -> read("a", 0, ObjectRead.WHOLE));
            assertTrue(e.getMessage().contains("not trusted"), e::getMessage);
        }

        /** Fault: a server that nobody vouches for is trusted, or the error does not say why. */
        @Test
        void refusesAnUnknownAuthority() throws Exception {
            reopen(HttpStore.builder(server.secureUrl()).open());
            IOException e = assertThrows(IOException.class, () -> read("a", 0, ObjectRead.WHOLE));
            assertTrue(e.getMessage().contains("not trusted"), e::getMessage);
            assertEquals(1, store.metrics().requests(), "repeated, though it cannot help");
        }
    }

    @Nested
    final class SecureHttp2 extends Contract {
        @Override
        HttpStoreBuilder builder() {
            return server.secure(Map.of()).version(HttpClient.Version.HTTP_2);
        }
    }

    /** By a proxy, which passes a tunnel on. */
    @Nested
    final class SecureByProxy extends Contract {
        private TestProxy proxy;

        @Override
        HttpStoreBuilder builder() throws IOException {
            proxy = new TestProxy();
            return server.secure(Map.of("HTTPS_PROXY", proxy.url()));
        }

        @AfterEach
        void closeProxy() throws IOException {
            if (proxy != null) { // null without nginx
                assertTrue(proxy.tunnels() > 0);
                proxy.close();
            }
        }
    }
}
