package io.zarrengine.azure;

import com.azure.core.credential.AccessToken;
import com.azure.core.credential.TokenCredential;
import com.azure.core.credential.TokenRequestContext;
import com.azure.core.exception.ClientAuthenticationException;
import com.azure.identity.DefaultAzureCredentialBuilder;
import io.zarrengine.http.RequestSigner;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * Authenticates requests by tokens of an identity: a service principal, a workload, the machine, or
 * the user who is logged in. A token is used until shortly before it expires.
 */
final class IdentitySigner implements RequestSigner {
    private static final String SCOPE = "https://storage.azure.com/.default";

    /** A read may be repeated for a minute, and clocks differ. */
    private static final Duration SPARE = Duration.ofMinutes(5);

    private final TokenCredential credential;
    private AccessToken token; // guarded by this; null before use

    IdentitySigner(TokenCredential credential) {
        this.credential = credential;
    }

    /** {@return a signer with the identity that Azure's library finds} */
    static IdentitySigner ofMachine() {
        return new IdentitySigner(new DefaultAzureCredentialBuilder().build());
    }

    @Override
    public synchronized Map<String, String> sign(URI url, Map<String, String> headers)
            throws IOException {
        boolean isUsable =
                token != null
                        && token.getExpiresAt().toInstant().isAfter(Instant.now().plus(SPARE));
        if (!isUsable) {
            token = renewed();
        }
        return Map.of("Authorization", "Bearer " + token.getToken());
    }

    /** Renews the token before it expires, unless another thread has done so. */
    @Override
    public synchronized Optional<Map<String, String>> signAgain(
            URI url, Map<String, String> headers, Map<String, String> refused) throws IOException {
        if (sign(url, headers).equals(refused)) {
            token = renewed();
        }
        return RequestSigner.super.signAgain(url, headers, refused);
    }

    private AccessToken renewed() throws IOException {
        try {
            return credential.getTokenSync(new TokenRequestContext().addScopes(SCOPE));
        } catch (ClientAuthenticationException e) {
            throw new IOException("there is no token of an identity: " + e.getMessage(), e);
        }
    }
}
