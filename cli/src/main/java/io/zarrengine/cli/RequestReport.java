package io.zarrengine.cli;

import io.zarrengine.zarr.objectstore.RequestMetrics;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Formats the counters of requests to stores behind URLs. */
final class RequestReport {
    private RequestReport() {}

    /** {@return the numbers, by their names in JSON; empty if no request was sent} */
    static Map<String, Object> numbers(RequestMetrics done) {
        Map<String, Object> numbers = new LinkedHashMap<>();
        if (done.requests() > 0) {
            numbers.put("requests", done.requests());
            numbers.put("retries", done.retries());
            numbers.put("received_bytes", done.bytes());
            numbers.put("first_byte_ms", milliseconds(done.meanFirstByte()));
            numbers.put("queued_ms", milliseconds(done.meanQueued()));
        }
        return numbers;
    }

    private static double milliseconds(Duration time) {
        return time.toNanos() / 1e6;
    }

    /** {@return a line of progress} */
    static String line(RequestMetrics done) {
        String retries = done.retries() == 0 ? "" : ", " + done.retries() + " repeated";
        return String.format(
                Locale.ROOT,
                "%.1f MB received, %d %s%s",
                done.bytes() / 1e6,
                done.requests(),
                done.requests() == 1 ? "request" : "requests",
                retries);
    }
}
