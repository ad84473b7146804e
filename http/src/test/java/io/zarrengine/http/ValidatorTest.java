package io.zarrengine.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.http.HttpHeaders;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Versions of RFC 9110. */
final class ValidatorTest {
    private static final String TIME = "Sun, 06 Nov 1994 08:49:37 GMT";

    private static Optional<String> of(String... headers) {
        Map<String, List<String>> map = new TreeMap<>();
        for (int i = 0; i < headers.length; i += 2) {
            map.put(headers[i], List.of(headers[i + 1]));
        }
        return Validator.of(HttpHeaders.of(map, (_, _) -> true));
    }

    private static Map<String, String> required(String version) {
        Map<String, String> headers = new TreeMap<>();
        Validator.require(version, headers);
        return headers;
    }

    /** Fault: a time in which the object changed again names one version of it. */
    @Test
    void timesAreWeakUntilTheyHavePassed() {
        String second = "Sun, 06 Nov 1994 08:49:38 GMT";
        assertEquals(Optional.of(TIME), of("Last-Modified", TIME, "Date", second));
        Optional<String> weak = Optional.of("W/" + TIME);
        assertEquals(weak, of("Last-Modified", TIME, "Date", TIME));
        assertEquals(weak, of("Last-Modified", second.replace("38", "37"), "Date", "x"));
        assertEquals(weak, of("Last-Modified", TIME));
        assertEquals(Optional.of("\"a\""), of("Last-Modified", TIME, "ETag", "\"a\""));
        assertEquals(Optional.empty(), of("Date", TIME));
    }

    /** Fault: a weak ETag is sent with If-Match, which answers each request with 412. */
    @Test
    void requiresStrongTagsAndTimes() {
        assertEquals(Map.of("If-Match", "\"a\""), required("\"a\""));
        assertEquals(Map.of(), required("W/\"a\""));
        assertEquals(Map.of("If-Unmodified-Since", TIME), required(TIME));
        assertEquals(Map.of("If-Unmodified-Since", TIME), required("W/" + TIME));
    }

    /** Fault: an object seems to change when the second of its last change has passed. */
    @Test
    void sameTimesAreOneVersion() {
        assertTrue(Validator.isSame("W/" + TIME, TIME));
        assertTrue(Validator.isSame(TIME, "W/" + TIME));
        assertTrue(Validator.isSame("W/\"a\"", "W/\"a\""));
        assertFalse(Validator.isSame("W/\"a\"", "\"a\""));
        assertFalse(Validator.isSame("\"a\"", "\"b\""));
        assertFalse(Validator.isSame(TIME, TIME.replace("37", "38")));
    }
}
