package io.zarrengine.http;

import io.zarrengine.zarr.objectstore.ObjectRead;
import java.net.URI;
import java.net.http.HttpHeaders;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Derives the meaning of a response from its status and headers.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9110">RFC 9110</a>
 */
final class AnswerReader {
    /** An object that a server sends as a whole, though a range was asked for, may be so long. */
    private static final long WHOLE_BYTES_MAX = 256L << 20;

    private static final String HIDDEN =
            " (if this server hides what is missing: ZARR_ENGINE_HIDES_MISSING=true, or"
                    + " HttpStoreBuilder.hidesMissing)";

    private final ObjectRead read;
    private final URI url; // that was asked
    private final HttpOptions options;

    AnswerReader(ObjectRead read, URI url, HttpOptions options) {
        this.read = read;
        this.url = url;
        this.options = options;
    }

    Answer answer(int status, HttpHeaders headers) {
        return switch (status) {
            case 200, 206 ->
                    isAnother(headers)
                            ? new Answer.Changed()
                            : status == 200 ? whole(headers) : range(headers);
            case 301, 302, 303, 307, 308 -> redirect(status, headers);
            case 404, 410 -> new Answer.Missing();
            case 403 ->
                    options.hidesMissing()
                            ? new Answer.Missing()
                            : refused("status 403, forbidden", HIDDEN, headers);
            case 401 ->
                    new Answer.Unauthorized(
                            refused("status 401, the server asks for credentials", "", headers));
            case 407 -> new Answer.Refused("status 407, the proxy " + proxyProblem());
            case 412 -> new Answer.Changed();
            case 416 -> beyondTheEnd(headers);
            default ->
                    mayRecover(status)
                            ? new Answer.Retry("status " + status, RetryDelay.asked(headers))
                            : new Answer.Refused(
                                    "status " + status + reason(headers) + region(headers));
        };
    }

    /** {@return whether the same request may succeed later} */
    static boolean mayRecover(int status) {
        return switch (status) {
            case 408, 429, 500, 502, 503, 504 -> true;
            default -> false;
        };
    }

    private String proxyProblem() {
        return options.proxyCredentials().isPresent()
                ? "refuses the user or the password"
                : "asks for credentials (http_proxy or https_proxy=http://user:password@host:port)";
    }

    /** Not every server knows If-Match. */
    private boolean isAnother(HttpHeaders headers) {
        return read.version().isPresent()
                && Validator.of(headers)
                        .filter(found -> !Validator.isSame(found, read.version().get()))
                        .isPresent();
    }

    private Answer.Refused refused(String problem, String usualAdvice, HttpHeaders headers) {
        String advice = options.advice().map(text -> " (" + text + ")").orElse(usualAdvice);
        return new Answer.Refused(problem + reason(headers), advice);
    }

    /** Azure's name of the error. */
    private static String reason(HttpHeaders headers) {
        return headers.firstValue("x-ms-error-code")
                .filter(name -> name.matches("[A-Za-z]{1,64}"))
                .map(name -> ", " + name)
                .orElse("");
    }

    /** Returns the region of the bucket, which Amazon names if it was asked in another one. */
    private static String region(HttpHeaders headers) {
        return headers.firstValue("x-amz-bucket-region").map(ErrorCode::inRegion).orElse("");
    }

    private boolean isWhole() {
        return read.length() == ObjectRead.WHOLE;
    }

    private static Optional<Answer> encoded(HttpHeaders headers) {
        return headers.firstValue("Content-Encoding")
                .filter(encoding -> !encoding.isEmpty() && !encoding.equals("identity"))
                .map(encoding ->
                        new Answer.Refused(
                                "the server sends it with Content-Encoding "
                                        + encoding
                                        + ", of which no range can be read"));
    }

    /** The whole object, whether or not a range was asked for. */
    private Answer whole(HttpHeaders headers) {
        Optional<Answer> encoded = encoded(headers);
        if (encoded.isPresent()) {
            return encoded.get();
        }
        OptionalLong size = headers.firstValueAsLong("Content-Length");
        if (size.isEmpty()) {
            return new Answer.Body(0, -1, -1, version(headers));
        }
        long objectBytes = size.getAsLong();
        long first = isWhole() ? 0 : firstOf(objectBytes);
        long bytes = Math.clamp(objectBytes - first, 0, read.length());
        if (first + bytes > WHOLE_BYTES_MAX && !isWhole()) {
            return new Answer.Refused(
                    "the server ignores Range, and sends all of " + objectBytes + " bytes");
        }
        return new Answer.Body(first, bytes, objectBytes, version(headers));
    }

    private long firstOf(long objectBytes) {
        return read.offset() < 0
                ? Math.max(objectBytes - read.length(), 0)
                : Math.min(read.offset(), objectBytes);
    }

    private Answer range(HttpHeaders headers) {
        Optional<Answer> encoded = encoded(headers);
        if (encoded.isPresent()) {
            return encoded.get();
        }
        String value = headers.firstValue("Content-Range").orElse("");
        Optional<ContentRange> found = ContentRange.parse(value);
        if (found.isEmpty() || found.get().objectBytes() < 0 || isWhole()) {
            return wrongRange(value);
        }
        ContentRange range = found.get();
        long first = firstOf(range.objectBytes());
        long bytes = Math.min(read.length(), range.objectBytes() - first);
        if (range.first() != first || range.bytes() != bytes) {
            return wrongRange(value);
        }
        return new Answer.Body(0, bytes, range.objectBytes(), version(headers));
    }

    private static Answer wrongRange(String value) {
        return new Answer.Retry(
                "the server answers with Content-Range \"" + value + "\"", Optional.empty());
    }

    /** The object ends before the range begins. */
    private Answer beyondTheEnd(HttpHeaders headers) {
        return headers.firstValue("Content-Range")
                .flatMap(ContentRange::parse)
                .filter(range -> range.objectBytes() >= 0)
                .<Answer>map(range ->
                        new Answer.Body(Long.MAX_VALUE, 0, range.objectBytes(), version(headers)))
                .orElse(new Answer.Refused("status 416, the range is not in the object"));
    }

    private Answer redirect(int status, HttpHeaders headers) {
        URI target;
        try {
            target = headers.firstValue("Location").map(url::resolve).orElse(null);
        } catch (IllegalArgumentException e) {
            target = null;
        }
        boolean isHttp =
                target != null
                        && target.getHost() != null
                        && (target.getScheme().equalsIgnoreCase("https")
                                || (target.getScheme().equalsIgnoreCase("http")
                                        && url.getScheme().equalsIgnoreCase("http")));
        return isHttp
                ? new Answer.Redirect(target)
                : new Answer.Refused(
                        "status " + status + " to a place that is not followed" + region(headers));
    }

    /** {@return the version that was asked for, in its words; without one, that of the answer} */
    private Optional<String> version(HttpHeaders headers) {
        Optional<String> found = Validator.of(headers);
        return found.isPresent() && read.version().isPresent() ? read.version() : found;
    }
}
