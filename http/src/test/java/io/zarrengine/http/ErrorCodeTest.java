package io.zarrengine.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers that an error's code changes. */
final class ErrorCodeTest {
    private static Answer explained(String code) {
        ErrorCode error = new ErrorCode();
        String body = "<Error><Code>" + code + "</Code></Error>";
        error.take(ByteBuffer.wrap(body.getBytes(StandardCharsets.UTF_8)));
        return error.explain(new Answer.Missing());
    }

    /** Fault: where 403 hides missing objects, credentials that expire make fill values. */
    @ParameterizedTest
    @ValueSource(strings = {"AuthenticationFailed", "ExpiredToken", "RequestTimeTooSkewed"})
    void badCredentialsAreNoMissingObject(String code) {
        Answer.Refused refused = assertInstanceOf(Answer.Refused.class, explained(code));
        assertEquals(new Answer.Refused("status 403, forbidden, " + code), refused);
    }

    @Test
    void deniedObjectsMayBeMissing() {
        assertInstanceOf(Answer.Missing.class, explained("AccessDenied"));
        assertInstanceOf(Answer.Missing.class, explained("NoSuchKey"));
    }
}
