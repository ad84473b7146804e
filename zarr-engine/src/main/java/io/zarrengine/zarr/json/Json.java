package io.zarrengine.zarr.json;

import io.zarrengine.zarr.errors.FormatException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonReadFeature;

/**
 * JSON as plain Java values: {@code Map<String, Object>}, {@code List<Object>}, {@code String},
 * {@code Boolean}, {@code null}, {@code Long} or {@code BigInteger} for whole numbers, {@code
 * BigDecimal} for others, {@code Double} for the NaN and Infinity that Python writes, and {@link
 * RepeatedMember} for an object with a repeated member.
 */
public final class Json {
    /**
     * Maximum nesting. Metadata nests a few levels for each level of sharding, attributes a few
     * more.
     */
    public static final int NESTING_MAX = 200;

    /**
     * Maximum size of a document in bytes. The consolidated metadata of ten thousand arrays is
     * smaller.
     */
    private static final long DOCUMENT_BYTES_MAX = 256L << 20;

    private static final int NUMBER_CHARACTERS_MAX = 1000;

    private static final JsonFactory FACTORY =
            JsonFactory.builder()
                    .streamReadConstraints(
                            StreamReadConstraints.builder()
                                    .maxNestingDepth(NESTING_MAX)
                                    .maxDocumentLength(DOCUMENT_BYTES_MAX)
                                    .maxNumberLength(NUMBER_CHARACTERS_MAX)
                                    .build())
                    .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
                    .build();

    private Json() {}

    /**
     * {@return the value in a document}
     *
     * @param document its name, for messages
     * @param text UTF-8
     * @throws FormatException if it is not JSON, too large or too deeply nested
     */
    public static Object parse(String document, byte[] text) {
        try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), text)) {
            if (parser.nextToken() == null) {
                throw new FormatException(document, "", "is empty");
            }
            Object value = value(parser);
            if (parser.nextToken() != null) {
                throw new FormatException(document, "", "has more text behind its JSON value");
            }
            return value;
        } catch (JacksonException e) {
            throw new FormatException(document, "", "is not valid JSON: " + brief(e), e);
        } catch (NumberFormatException e) {
            throw new FormatException(document, "", "has a number whose exponent is too large", e);
        }
    }

    /** Parses a value. The parser's constraints bound the nesting. */
    private static Object value(JsonParser parser) {
        return switch (parser.currentToken()) {
            case START_OBJECT -> object(parser);
            case START_ARRAY -> array(parser);
            case VALUE_STRING -> parser.getString();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NULL -> null;
            case VALUE_NUMBER_INT -> wholeNumber(parser);
            case VALUE_NUMBER_FLOAT -> decimal(parser);
            default -> throw new AssertionError(parser.currentToken());
        };
    }

    private static Object object(JsonParser parser) {
        Map<String, Object> members = new LinkedHashMap<>();
        RepeatedMember repeated = null;
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            parser.nextToken();
            if (members.containsKey(name)) {
                repeated = new RepeatedMember(name);
            }
            members.put(name, value(parser));
        }
        return repeated == null ? Collections.unmodifiableMap(members) : repeated;
    }

    private static List<Object> array(JsonParser parser) {
        List<Object> elements = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            elements.add(value(parser));
        }
        return Collections.unmodifiableList(elements);
    }

    /**
     * Asks for a BigInteger only where it is one: its parser multiplies for 50 ms when it loads.
     */
    private static Number wholeNumber(JsonParser parser) {
        return parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER
                ? parser.getBigIntegerValue()
                : (Number) parser.getLongValue();
    }

    private static Number decimal(JsonParser parser) {
        return parser.isNaN() ? (Number) parser.getDoubleValue() : decimalOf(parser.getString());
    }

    /** Parses a number exactly, so that a fill value is rounded once, to its own type. */
    private static Number decimalOf(String text) {
        BigDecimal value = new BigDecimal(text);
        boolean negativeZero = value.signum() == 0 && text.startsWith("-");
        return negativeZero ? (Number) (-0.0) : value;
    }

    /**
     * Returns the library's message without its method names, and with the place in the document.
     */
    private static String brief(JacksonException e) {
        String message =
                e.getOriginalMessage()
                        .replaceAll(", from `[^`]*`| \\(start marker .*\\)", "")
                        .replaceAll("was expecting \\(JSON String.*\\)", "expected a JSON value");
        String shown = message.length() <= 300 ? message : message.substring(0, 300) + "...";
        TokenStreamLocation place = e.getLocation();
        return place == null
                ? shown
                : shown + ", at line " + place.getLineNr() + ", column " + place.getColumnNr();
    }
}
