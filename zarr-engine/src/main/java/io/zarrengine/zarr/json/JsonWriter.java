package io.zarrengine.zarr.json;

import java.io.ByteArrayOutputStream;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.PrettyPrinter;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.core.util.DefaultPrettyPrinter;

/** Writes plain values as JSON text. Zarr spells numbers that are not finite as strings. */
public final class JsonWriter {
    /** Maximum number of characters of a value in a message. */
    private static final int SHOWN_MAX = 60;

    private static final JsonFactory FACTORY = new JsonFactory();

    /**
     * Writes the literals NaN, Infinity and -Infinity, which JSON does not have, and half a
     * surrogate pair, which UTF-8 does not have.
     */
    private static final JsonFactory PYTHONS =
            JsonFactory.builder()
                    .disable(JsonWriteFeature.WRITE_NAN_AS_STRINGS)
                    .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
                    .build();

    private JsonWriter() {}

    /**
     * {@return a JSON value as UTF-8 text}
     *
     * @param value maps, lists, strings, numbers, booleans, null
     * @param indented whether to use several lines
     */
    public static byte[] toJson(Object value, boolean indented) {
        return toJson(FACTORY, value, indented);
    }

    /**
     * {@return the text of a document with all that Python's json module writes}
     *
     * @param members of a parsed document
     */
    public static byte[] toDocument(Map<String, Object> members) {
        return toJson(PYTHONS, members, true);
    }

    private static byte[] toJson(JsonFactory factory, Object value, boolean indented) {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        PrettyPrinter printer = indented ? new DefaultPrettyPrinter() : null;
        ObjectWriteContext context =
                new ObjectWriteContext.Base() {
                    @Override
                    public PrettyPrinter getPrettyPrinter() {
                        return printer;
                    }
                };
        write(factory.createGenerator(context, text), value);
        return text.toByteArray();
    }

    /**
     * {@return a JSON value as one line, in which numbers that are not finite are the literals that
     * Python's json module reads and writes}
     *
     * @param value maps, lists, strings, numbers, booleans, null
     */
    public static String toPython(Object value) {
        StringWriter text = new StringWriter();
        write(PYTHONS.createGenerator(ObjectWriteContext.empty(), text), value);
        return text.toString();
    }

    /**
     * {@return a JSON value as one line}
     *
     * @param value maps, lists, strings, numbers, booleans, null
     */
    public static String toLine(Object value) {
        return new String(toJson(value, false), StandardCharsets.UTF_8);
    }

    /**
     * {@return a value in the form for messages}
     *
     * @param value any value of a parsed document
     */
    public static String show(Object value) {
        String text =
                RepeatedMember.in(value)
                        .map(RepeatedMember::toString)
                        .orElseGet(() -> toLine(value));
        return text.length() <= SHOWN_MAX ? text : text.substring(0, SHOWN_MAX) + "...";
    }

    private static void write(JsonGenerator generator, Object value) {
        try (generator) {
            writeValue(generator, value);
        }
    }

    private static void writeValue(JsonGenerator generator, Object value) {
        switch (value) {
            case null -> generator.writeNull();
            case String text -> generator.writeString(text);
            case Boolean bool -> generator.writeBoolean(bool);
            case Long number -> generator.writeNumber(number);
            case Integer number -> generator.writeNumber(number);
            case BigInteger number -> generator.writeNumber(number);
            case BigDecimal number -> generator.writeNumber(number);
            case Double number -> generator.writeNumber(number);
            case Map<?, ?> members -> {
                generator.writeStartObject();
                members.forEach((name, member) -> {
                    generator.writeName((String) name);
                    writeValue(generator, member);
                });
                generator.writeEndObject();
            }
            case List<?> elements -> {
                generator.writeStartArray();
                elements.forEach(element -> writeValue(generator, element));
                generator.writeEndArray();
            }
            default -> throw new IllegalArgumentException(value.getClass() + " is no JSON value");
        }
    }
}
