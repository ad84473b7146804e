package io.zarrengine.http;

import java.net.http.HttpHeaders;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/** How long to wait before a request is repeated. */
final class RetryDelay {
    private static final long FIRST_MILLIS = 100;
    private static final long MAX_MILLIS = 10_000;

    /** No reader waits for so long. */
    private static final Duration ASKED_MAX = Duration.ofDays(1);

    private RetryDelay() {}

    /**
     * {@return the wait in milliseconds: doubled with each try, and between half of that and all of
     * it, so that many readers do not come back at once}
     *
     * @param tries how many requests have failed, {@code > 0}
     * @param asked the delay that the server asked for
     */
    static long millis(int tries, Optional<Duration> asked) {
        long doubled = Math.min(FIRST_MILLIS << Math.min(tries - 1, 10), MAX_MILLIS);
        long jittered = ThreadLocalRandom.current().nextLong(doubled / 2, doubled + 1);
        return Math.max(jittered, asked.map(Duration::toMillis).orElse(0L));
    }

    /** {@return the wait that a response asks for: seconds, or a date} */
    static Optional<Duration> asked(HttpHeaders headers) {
        return headers.firstValue("Retry-After").flatMap(RetryDelay::parse);
    }

    private static Optional<Duration> parse(String value) {
        try {
            long seconds = Long.parseLong(value.strip());
            return Optional.of(Duration.ofSeconds(Math.clamp(seconds, 0, ASKED_MAX.toSeconds())));
        } catch (NumberFormatException _) {
            return parseDate(value);
        }
    }

    private static Optional<Duration> parseDate(String value) {
        try {
            var date = ZonedDateTime.parse(value.strip(), DateTimeFormatter.RFC_1123_DATE_TIME);
            Duration left = Duration.between(Instant.now(), date.toInstant());
            if (left.compareTo(ASKED_MAX) > 0) {
                return Optional.of(ASKED_MAX);
            }
            return Optional.of(left.isNegative() ? Duration.ZERO : left);
        } catch (DateTimeParseException _) {
            return Optional.empty();
        }
    }
}
