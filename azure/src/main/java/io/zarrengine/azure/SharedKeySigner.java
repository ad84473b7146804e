package io.zarrengine.azure;

import com.azure.storage.common.StorageSharedKeyCredential;
import io.zarrengine.http.RequestSigner;
import java.io.IOException;
import java.net.URI;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** Signs requests with the key of an account, by Azure's own library. */
final class SharedKeySigner implements RequestSigner {
    /** As in RFC 9110, which asks for two digits of the day. */
    private static final DateTimeFormatter DATE =
            DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT);

    private final String account;
    private final String key;

    SharedKeySigner(String account, String key) {
        this.account = account;
        this.key = key;
    }

    @Override
    public Map<String, String> sign(URI url, Map<String, String> headers) throws IOException {
        String date = DATE.format(ZonedDateTime.now(ZoneOffset.UTC));
        Map<String, String> signed = new HashMap<>(headers);
        signed.put("x-ms-date", date);
        signed.put("Content-Length", "0"); // Without it, the library signs "null".
        try {
            String authorization =
                    new StorageSharedKeyCredential(account, key)
                            .generateAuthorizationHeader(url.toURL(), "GET", signed);
            return Map.of("x-ms-date", date, "Authorization", authorization);
        } catch (IllegalArgumentException e) { // Its message may repeat the key.
            throw new IOException("the key of the storage account " + account + " is not Base64");
        } catch (NoClassDefFoundError e) {
            throw new IOException(
                    "shared keys need com.azure:azure-storage-common on the class path", e);
        }
    }
}
