package io.zarrengine.azure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.zarr.objectstore.ObjectServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.Map;

/** A container of Azurite, Microsoft's emulator, which {@code bin/azurite.sh} starts. */
public final class Azurite implements ObjectServer {
    static final String ACCOUNT = "devstoreaccount1";

    /** That of every Azurite: public. */
    public static final String KEY =
            "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

    private final String container = "test-" + Long.toString(System.nanoTime(), 36);
    private final HttpClient client = HttpClient.newHttpClient();
    private final String endpoint;

    /** Creates a container; skips the test where no Azurite runs. */
    public Azurite() throws Exception {
        String server = System.getProperty("io.zarrengine.azurite");
        assumeTrue(server != null, "no Azurite runs: bin/test-stores starts it");
        assumeTrue(AzureLibraries.areThere(), "azure-storage-common is not there");
        endpoint = server + "/" + ACCOUNT;
        put("/" + container + "?restype=container", Map.of(), new byte[0]);
    }

    String container() {
        return container;
    }

    URI endpoint() {
        return URI.create(endpoint);
    }

    public AzureStoreBuilder builder() {
        return new AzureStoreBuilder(container, Map.of()).account(ACCOUNT).endpoint(endpoint());
    }

    @Override
    public void put(String key, byte[] bytes) throws Exception {
        URI path = new URI("http", null, "h", 80, "/" + container + "/" + key, null, null);
        put(
                URI.create(path.toASCIIString()).getRawPath(),
                Map.of("x-ms-blob-type", "BlockBlob"),
                bytes);
    }

    private void put(String path, Map<String, String> headers, byte[] bytes)
            throws IOException, InterruptedException {
        URI url = URI.create(endpoint + path);
        Map<String, String> all = new HashMap<>(headers);
        all.put("x-ms-version", "2021-12-02");
        Map<String, String> signed = new HashMap<>(all);
        signed.put("Content-Length", Integer.toString(bytes.length));
        all.putAll(AzureTestSupport.sign("PUT", url, signed));
        HttpRequest.Builder request =
                HttpRequest.newBuilder(url).PUT(HttpRequest.BodyPublishers.ofByteArray(bytes));
        all.forEach(request::header);
        var response = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        assertEquals(201, response.statusCode(), response::body);
    }

    @Override
    public void close() {
        client.close();
    }
}
