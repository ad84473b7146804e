package io.zarrengine.http;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * A user and a password. Their text is no secret.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc7617">RFC 7617</a>
 */
final class BasicCredentials {
    private final String user;
    private final String password;

    BasicCredentials(String user, String password) {
        this.user = user;
        this.password = password;
    }

    /** {@return those that a URL has before its host: {@code user:password} or {@code user}} */
    static BasicCredentials of(String userInfo) {
        String[] parts = userInfo.split(":", 2);
        return new BasicCredentials(parts[0], parts.length == 2 ? parts[1] : "");
    }

    /** {@return the value of a header} */
    String header() {
        byte[] both = (user + ":" + password).getBytes(StandardCharsets.UTF_8);
        return "Basic " + Base64.getEncoder().encodeToString(both);
    }

    @Override
    public String toString() {
        return "a user and a password";
    }
}
