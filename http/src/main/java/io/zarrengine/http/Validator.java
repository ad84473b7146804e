package io.zarrengine.http;

import java.net.http.HttpHeaders;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import java.util.Optional;

/**
 * The version of an object as a server tells it: the ETag; without one, the time of the last
 * change. A weak version, which several contents may have, begins with {@code W/}, also if it is a
 * time.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#section-8.8">RFC 9110, validators</a>
 */
final class Validator {
    private static final String WEAK = "W/";

    private Validator() {}

    /** {@return the version that an answer names; empty if it names none} */
    static Optional<String> of(HttpHeaders headers) {
        return headers.firstValue("ETag")
                .or(() ->
                        headers.firstValue("Last-Modified")
                                .map(time -> isSettled(time, headers) ? time : WEAK + time));
    }

    /**
     * {@return whether the answer is enough later than the change that the time identifies one
     * content}
     */
    private static boolean isSettled(String changed, HttpHeaders headers) {
        try {
            Duration age =
                    Duration.between(time(changed), time(headers.firstValue("Date").orElse("")));
            return age.compareTo(Duration.ofSeconds(1)) >= 0;
        } catch (DateTimeException _) { // One of them is no time.
            return false;
        }
    }

    private static ZonedDateTime time(String text) {
        return ZonedDateTime.parse(text.strip(), DateTimeFormatter.RFC_1123_DATE_TIME);
    }

    /** {@return whether two versions may be the same one: a time becomes strong later} */
    static boolean isSame(String one, String other) {
        return one.equals(other) || (!isTag(one) && timeOf(one).equals(timeOf(other)));
    }

    /**
     * Asks the server for one version. A weak ETag never matches there: the reader compares it with
     * that of the answer.
     */
    static void require(String version, Map<String, String> headers) {
        if (!isTag(version)) {
            headers.put("If-Unmodified-Since", timeOf(version));
        } else if (!version.startsWith(WEAK)) {
            headers.put("If-Match", version);
        }
    }

    private static boolean isTag(String version) {
        return timeOf(version).startsWith("\"");
    }

    private static String timeOf(String version) {
        return version.startsWith(WEAK) ? version.substring(WEAK.length()) : version;
    }
}
