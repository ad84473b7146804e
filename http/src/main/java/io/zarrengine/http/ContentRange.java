package io.zarrengine.http;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The header {@code Content-Range}.
 *
 * @param first the first byte
 * @param last the last byte; -1 if the range was not satisfiable
 * @param objectBytes size of the object; -1 if the server does not tell
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#section-14.4">RFC 9110, 14.4</a>
 */
record ContentRange(long first, long last, long objectBytes) {
    private static final Pattern RANGE =
            Pattern.compile("bytes (?:(\\d{1,18})-(\\d{1,18})|\\*)/(\\d{1,18}|\\*)");

    /** {@return the range; empty if the value is not valid} */
    static Optional<ContentRange> parse(String value) {
        Matcher range = RANGE.matcher(value.strip());
        if (!range.matches()) {
            return Optional.empty();
        }
        long size = range.group(3).equals("*") ? -1 : Long.parseLong(range.group(3));
        boolean isRange = range.group(1) != null;
        long first = isRange ? Long.parseLong(range.group(1)) : 0;
        long last = isRange ? Long.parseLong(range.group(2)) : -1;
        boolean isValid = !isRange || (first <= last && (size < 0 || last < size));
        return isValid ? Optional.of(new ContentRange(first, last, size)) : Optional.empty();
    }

    long bytes() {
        return last - first + 1;
    }
}
