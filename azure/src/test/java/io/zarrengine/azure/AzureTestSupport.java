package io.zarrengine.azure;

import com.azure.core.credential.AccessToken;
import com.azure.core.credential.TokenCredential;
import com.azure.identity.CredentialUnavailableException;
import com.azure.storage.common.StorageSharedKeyCredential;
import com.azure.storage.common.sas.AccountSasPermission;
import com.azure.storage.common.sas.AccountSasResourceType;
import com.azure.storage.common.sas.AccountSasService;
import com.azure.storage.common.sas.AccountSasSignatureValues;
import io.zarrengine.http.RequestSigner;
import java.io.IOException;
import java.net.URI;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import reactor.core.publisher.Mono;

/** Signatures by Azure's library; test classes without it can still be loaded. */
final class AzureTestSupport {
    private AzureTestSupport() {}

    static Map<String, String> sign(String method, URI url, Map<String, String> headers)
            throws IOException {
        String date =
                DateTimeFormatter.RFC_1123_DATE_TIME.format(ZonedDateTime.now(ZoneOffset.UTC));
        Map<String, String> all = new HashMap<>(headers);
        all.put("x-ms-date", date);
        String authorization =
                new StorageSharedKeyCredential(Azurite.ACCOUNT, Azurite.KEY)
                        .generateAuthorizationHeader(url.toURL(), method, all);
        return Map.of("x-ms-date", date, "Authorization", authorization);
    }

    /** {@return a signature that allows reading and listing} */
    @SuppressWarnings("deprecation") // Its successor is in azure-storage-blob, which is large.
    static String sas(OffsetDateTime expiry) {
        var values =
                new AccountSasSignatureValues(
                        expiry,
                        AccountSasPermission.parse("rl"),
                        AccountSasService.parse("b"),
                        AccountSasResourceType.parse("co"));
        return values.generateSasQueryParameters(
                        new StorageSharedKeyCredential(Azurite.ACCOUNT, Azurite.KEY))
                .encode();
    }

    /**
     * {@return a signer whose identity gives {@code token-1}, {@code token-2} and so on}
     *
     * @param seconds how long each one is valid; without any there is no identity
     */
    static RequestSigner identity(Map<String, Integer> seconds) {
        AtomicInteger count = new AtomicInteger();
        TokenCredential credential =
                request -> {
                    if (seconds.isEmpty()) {
                        return Mono.error(new CredentialUnavailableException("none"));
                    }
                    String token = "token-" + count.incrementAndGet();
                    OffsetDateTime end =
                            OffsetDateTime.now(ZoneOffset.UTC).plusSeconds(seconds.get(token));
                    return Mono.just(new AccessToken(token, end));
                };
        return new IdentitySigner(credential);
    }
}
