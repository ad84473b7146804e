package io.zarrengine.s3;

import java.util.Objects;

/** A key that does not expire. Its text is no secret. */
final class AccessKey {
    private final String id;
    private final String secret;

    AccessKey(String id, String secret) {
        this.id = Objects.requireNonNull(id, "id");
        this.secret = Objects.requireNonNull(secret, "secret");
    }

    String id() {
        return id;
    }

    String secret() {
        return secret;
    }

    @Override
    public String toString() {
        return "access key " + id;
    }
}
