package io.zarrengine.azure;

import com.azure.core.credential.AccessToken;
import com.azure.core.credential.TokenCredential;
import com.azure.core.credential.TokenRequestContext;
import com.azure.core.exception.ClientAuthenticationException;
import com.azure.identity.CredentialUnavailableException;
import com.azure.identity.DefaultAzureCredentialBuilder;
import io.zarrengine.http.RequestSigner;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.Map;

/**
 * Authenticates requests by tokens of an identity: a service principal, a workload, the machine, or
 * the user who is logged in. A token is used until shortly before it expires.
 */
final class IdentitySigner implements RequestSigner {
    private static final String SCOPE = "https://storage.azure.com/.default";

    /** A read may be repeated for a minute, and clocks differ. */
    private static final Duration SPARE = Duration.ofMinutes(5);

    private TokenCredential credential; // this and the following: guarded by this; null before use
    private AccessToken token; // null before use, and if there is no identity
    private boolean isAnonymous;

    IdentitySigner(TokenCredential credential) {
        this.credential = credential;
    }

    /** {@return a signer that asks Azure's usual sources, when it is first used} */
    static IdentitySigner ofMachine() {
        return new IdentitySigner(null);
    }

    @Override
    public synchronized Map<String, String> sign(URI url, Map<String, String> headers)
            throws IOException {
        boolean isUsable =
                token != null && token.getExpiresAt().isAfter(OffsetDateTime.now().plus(SPARE));
        if (!isUsable && !isAnonymous) {
            renew();
        }
        return isAnonymous ? Map.of() : Map.of("Authorization", "Bearer " + token.getToken());
    }

    private void renew() throws IOException {
        try {
            if (credential == null) {
                credential = new DefaultAzureCredentialBuilder().build();
            }
            token = credential.getTokenSync(new TokenRequestContext().addScopes(SCOPE));
        } catch (CredentialUnavailableException _) {
            isAnonymous = token == null; // Public containers need none.
            if (!isAnonymous) {
                throw new IOException("the token has expired, and there is no identity any more");
            }
        } catch (ClientAuthenticationException | IllegalStateException e) {
            throw new IOException("Azure gives no token: " + e.getMessage(), e);
        }
    }
}
