package io.zarrengine.http;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The code in the body of an error, as S3, Google and Azure send it: {@code
 * <Code>NoSuchBucket</Code>}. What else the body tells may be a secret. Threads: one at a time.
 */
final class ErrorCode {
    /** The code is near the beginning. */
    private static final int BYTES_MAX = 4 << 10;

    private static final Pattern CODE = Pattern.compile("<Code>([A-Za-z0-9]{1,64})</Code>");

    private final ByteArrayOutputStream begin = new ByteArrayOutputStream();

    /** Takes a part of the body. */
    void take(ByteBuffer part) {
        byte[] bytes = new byte[Math.min(part.remaining(), BYTES_MAX - begin.size())];
        part.get(bytes);
        begin.writeBytes(bytes);
    }

    /** {@return the code; empty if there is none} */
    Optional<String> get() {
        Matcher code = CODE.matcher(begin.toString(StandardCharsets.UTF_8));
        return code.find() ? Optional.of(code.group(1)) : Optional.empty();
    }
}
