package io.zarrengine.gcs;

import com.google.auth.oauth2.AccessToken;
import com.google.auth.oauth2.GoogleCredentials;
import io.zarrengine.http.RequestSigner;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.KeyPairGenerator;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.concurrent.atomic.AtomicInteger;

/** Credentials of Google's library; test classes without it can still be loaded. */
final class GoogleTestSupport {
    private GoogleTestSupport() {}

    /** {@return a signer with {@code token-1}, which expires soon, then with {@code token-2}} */
    @SuppressWarnings("serial") // never written
    static RequestSigner expiring() {
        AtomicInteger count = new AtomicInteger();
        return new GoogleSigner(() ->
                new GoogleCredentials(GoogleCredentials.newBuilder()) {
                    @Override
                    public AccessToken refreshAccessToken() {
                        int number = count.incrementAndGet();
                        Instant end = Instant.now().plusSeconds(number == 1 ? 60 : 3600);
                        return new AccessToken("token-" + number, Date.from(end));
                    }

                    @Override
                    public GoogleCredentials createScoped(String... scopes) {
                        return this;
                    }
                });
    }

    /** {@return a signer whose search fails} */
    static RequestSigner failing(String message) {
        return new GoogleSigner(() -> {
            throw new IOException(message);
        });
    }

    /** {@return a signer with the file of a service account, whose tokens a server gives} */
    static RequestSigner serviceAccount(URI tokens) throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        byte[] key = generator.generateKeyPair().getPrivate().getEncoded();
        String pem =
                "-----BEGIN PRIVATE KEY-----\\n"
                        + Base64.getEncoder().encodeToString(key)
                        + "\\n-----END PRIVATE KEY-----\\n";
        String file =
                """
                {"type": "service_account", "client_id": "1", "client_email": "a@b.example",
                 "project_id": "p", "private_key_id": "k", "private_key": "%s",
                 "quota_project_id": "payer", "token_uri": "%s"}
                """
                        .formatted(pem, tokens);
        byte[] bytes = file.getBytes(StandardCharsets.UTF_8);
        return new GoogleSigner(
                () -> GoogleCredentials.fromStream(new ByteArrayInputStream(bytes)));
    }
}
