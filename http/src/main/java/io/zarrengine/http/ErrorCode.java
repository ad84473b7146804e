package io.zarrengine.http;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
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

    /** Of S3 and Google, and of Azure: not only the object is missing. */
    private static final Set<String> OF_BUCKET = Set.of("NoSuchBucket", "ContainerNotFound");

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

    /** {@return whether there is no such bucket} */
    boolean isOfBucket() {
        return get().filter(OF_BUCKET::contains).isPresent();
    }
}
