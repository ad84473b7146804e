package io.zarrengine.s3;

import java.util.Objects;
import java.util.Optional;

/** A key, which expires if it has a token. Its text is no secret. */
final class AccessKey {
    private final String id;
    private final String secret;
    private final Optional<String> token;

    AccessKey(String id, String secret, Optional<String> token) {
        this.id = Objects.requireNonNull(id, "id");
        this.secret = Objects.requireNonNull(secret, "secret");
        this.token = token;
    }

    String id() {
        return id;
    }

    String secret() {
        return secret;
    }

    Optional<String> token() {
        return token;
    }

    @Override
    public String toString() {
        return "access key " + id;
    }
}
