package io.zarrengine.http;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
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

    /** The region of the bucket, which Amazon sends if the signature names another one. */
    private static final Pattern REGION = Pattern.compile("<Region>([a-z0-9-]{1,32})</Region>");

    /** Of S3 and Google, and of Azure: not only the object is missing. */
    private static final Set<String> OF_BUCKET = Set.of("NoSuchBucket", "ContainerNotFound");

    /** The object may be there: also where status 403 hides missing ones. */
    private static final Set<String> OF_CREDENTIALS =
            Set.of(
                    "AuthenticationFailed",
                    "ExpiredToken",
                    "InvalidAccessKeyId",
                    "InvalidToken",
                    "RequestTimeTooSkewed",
                    "SignatureDoesNotMatch");

    private final ByteArrayOutputStream begin = new ByteArrayOutputStream();

    /** Takes a part of the body. */
    void take(ByteBuffer part) {
        byte[] bytes = new byte[Math.min(part.remaining(), BYTES_MAX - begin.size())];
        part.get(bytes);
        begin.writeBytes(bytes);
    }

    /** {@return the part of a message that names the region of a bucket} */
    static String inRegion(String region) {
        return region.matches("[a-z0-9-]{1,32}") ? ", the bucket is in region " + region : "";
    }

    /** {@return an answer, with the code if it has one} */
    Answer explain(Answer answer) {
        String text = begin.toString(StandardCharsets.UTF_8);
        Matcher match = CODE.matcher(text);
        if (!match.find()) {
            return answer;
        }
        String code = match.group(1);
        Matcher region = REGION.matcher(text);
        String more = region.find() ? inRegion(region.group(1)) : "";
        return switch (answer) {
            case Answer.Refused refused -> refused.because(", " + code).because(more);
            case Answer.Unauthorized(Answer.Refused refused) ->
                    new Answer.Unauthorized(refused.because(", " + code));
            case Answer.Missing _ when OF_BUCKET.contains(code) ->
                    new Answer.Refused("status 404, there is no such bucket");
            case Answer.Missing _ when OF_CREDENTIALS.contains(code) ->
                    new Answer.Refused("status 403, forbidden, " + code);
            default -> answer;
        };
    }
}
