package io.zarrengine.gcs;

import com.google.auth.oauth2.GoogleCredentials;
import io.zarrengine.http.RequestSigner;
import java.io.IOException;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Authenticates requests by Google's own library, which renews tokens before they expire. */
final class GoogleSigner implements RequestSigner {
    /** Names the project that pays. */
    static final String USER_PROJECT = "x-goog-user-project";

    private static final String SCOPE = "https://www.googleapis.com/auth/devstorage.read_only";

    /** Finds credentials. */
    interface Source {
        /**
         * {@return the credentials}
         *
         * @throws IOException if there are none
         */
        GoogleCredentials find() throws IOException;
    }

    private final Source source;
    private GoogleCredentials credentials; // this and the following: guarded by this
    private boolean isAnonymous;

    GoogleSigner(Source source) {
        this.source = source;
    }

    /** {@return a signer that looks for application default credentials when it is first used} */
    static GoogleSigner ofDefault() {
        return new GoogleSigner(GoogleCredentials::getApplicationDefault);
    }

    @Override
    public Map<String, String> sign(URI url, Map<String, String> headers) throws IOException {
        GoogleCredentials used = credentials();
        if (used == null) {
            return Map.of();
        }
        Map<String, String> added = new HashMap<>();
        for (Map.Entry<String, List<String>> header : used.getRequestMetadata(url).entrySet()) {
            added.put(header.getKey(), String.join(", ", header.getValue()));
        }
        if (headers.containsKey(USER_PROJECT)) { // The caller's.
            added.remove(USER_PROJECT);
        }
        return added;
    }

    /** Renews a token before its end, unless another thread has; not all credentials can. */
    @Override
    public synchronized Optional<Map<String, String>> signAgain(
            URI url, Map<String, String> headers, Map<String, String> refused) throws IOException {
        if (credentials != null && sign(url, headers).equals(refused)) {
            try {
                credentials.refresh();
            } catch (IllegalStateException _) { // A token alone, which nobody can renew.
                return Optional.empty();
            }
        }
        return RequestSigner.super.signAgain(url, headers, refused);
    }

    /** {@return the credentials; null if there are none: public buckets need none} */
    private synchronized GoogleCredentials credentials() throws IOException {
        if (credentials == null && !isAnonymous) {
            GoogleCredentials found = find();
            isAnonymous = found == null;
            credentials = isAnonymous ? null : found.createScoped(SCOPE);
        }
        return credentials;
    }

    /** A file that cannot be read is an error, not a lack of credentials. */
    private GoogleCredentials find() throws IOException {
        try {
            return source.find();
        } catch (IOException e) {
            if (String.valueOf(e.getMessage()).startsWith("Your default credentials were not")) {
                return null;
            }
            throw new IOException("Google's credentials: " + e.getMessage(), e);
        }
    }
}
