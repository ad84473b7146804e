package io.zarrengine.http;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

/** Builds URLs. */
final class Urls {
    /** A port is a number of 16 bits. */
    static final int PORT_MAX = 0xFFFF;

    private static final String UNRESERVED = "-._~"; // RFC 3986, with letters and digits

    /**
     * The name of the signature in the queries of signed URLs, and the names that only belong to
     * the credentials beside it: Amazon's, Google's, the older ones with CloudFront's, and Azure's.
     */
    private static final Map<String, Pattern> CREDENTIALS =
            Map.of(
                    "x-amz-signature", Pattern.compile("x-amz-[a-z0-9-]+"),
                    "x-goog-signature", Pattern.compile("x-goog-[a-z0-9-]+"),
                    "signature",
                            Pattern.compile(
                                    "signature|awsaccesskeyid|googleaccessid|key-pair-id|policy"
                                            + "|expires"),
                    "sig",
                            Pattern.compile(
                                    "s[eiprtv]|ss|srt|spr|sig|sip|sdd|ses|sk(oid|tid|t|e|s|v)"
                                            + "|saoid|suoid|scid"));

    private Urls() {}

    /**
     * {@return a URL of the same scheme, host and port, without a user}
     *
     * @param path not encoded yet
     * @param query encoded, with its question mark; or empty
     */
    static URI of(URI host, String path, String query) {
        String port = host.getPort() < 0 ? "" : ":" + host.getPort();
        return URI.create(
                host.getScheme() + "://" + host.getHost() + port + encode(path, "/") + query);
    }

    /** {@return the query of a URL, with its question mark; or an empty text} */
    static String query(URI url) {
        return url.getRawQuery() == null ? "" : "?" + url.getRawQuery();
    }

    /** {@return whether a query, with its question mark or empty, has only credentials} */
    static boolean hasOnlyCredentials(String query) {
        if (query.length() <= 1) {
            return true;
        }
        List<String> names =
                Arrays.stream(query.substring(1).split("&"))
                        .map(part -> part.split("=", 2)[0].toLowerCase(Locale.ROOT))
                        .toList();
        return names.stream()
                .map(CREDENTIALS::get)
                .filter(Objects::nonNull)
                .anyMatch(allowed -> names.stream().allMatch(allowed.asMatchPredicate()));
    }

    /**
     * {@return a text in which only unreserved characters and some others are as they were} Servers
     * agree about no other characters: S3 takes a plus for a space, and signs {@code %2B}.
     */
    static String encode(String text, String others) {
        StringBuilder encoded = new StringBuilder(text.length());
        for (byte one : text.getBytes(StandardCharsets.UTF_8)) {
            char character = (char) (one & 0xff);
            boolean isLetterOrDigit = character < 128 && Character.isLetterOrDigit(character);
            if (isLetterOrDigit
                    || UNRESERVED.indexOf(character) >= 0
                    || others.indexOf(character) >= 0) {
                encoded.append(character);
            } else {
                encoded.append('%');
                encoded.append(Character.toUpperCase(Character.forDigit(character >> 4, 16)));
                encoded.append(Character.toUpperCase(Character.forDigit(character & 15, 16)));
            }
        }
        return encoded.toString();
    }
}
