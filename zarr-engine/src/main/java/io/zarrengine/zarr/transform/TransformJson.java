package io.zarrengine.zarr.transform;

import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.json.JsonFields;
import io.zarrengine.zarr.json.JsonWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes and reads transforms. Numbers that JSON lacks are text, e.g. {@code "Infinity"}. */
final class TransformJson {
    private TransformJson() {}

    static String write(List<Step> steps) {
        return JsonWriter.toLine(
                Map.of("steps", steps.stream().map(TransformJson::members).toList()));
    }

    private static Map<String, Object> members(Step step) {
        return switch (step) {
            case Step.Missing(double value) -> object("missing", "value", number(value));
            case Step.Scale(double factor, double offset) ->
                    object("scale", "factor", factor, "offset", offset);
            case Step.Normalize(int axis, double[] means, double[] deviations) ->
                    object(
                            "normalize",
                            "axis",
                            axis,
                            "means",
                            list(means),
                            "deviations",
                            list(deviations));
            case Step.Clip(double low, double high) ->
                    object("clip", "low", number(low), "high", number(high));
            case Step.Log1p() -> object("log1p");
            case Step.IsMissing() -> object("is_missing");
            case Step.Mean(int[] factors) -> object("mean", "factors", list(factors));
            case Step.Stride(int[] factors) -> object("stride", "factors", list(factors));
            case Step.Flip(int[] axes) -> object("flip", "axes", list(axes));
            case Step.Permute(int[] axes) -> object("permute", "axes", list(axes));
            case Step.Cast(NumericType type, Overflow overflow) ->
                    object("cast", "type", type.typeName(), "overflow", overflow.name());
        };
    }

    private static Map<String, Object> object(String name, Object... members) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("step", name);
        for (int i = 0; i < members.length; i += 2) {
            object.put((String) members[i], members[i + 1]);
        }
        return object;
    }

    private static Object number(double value) {
        return Double.isFinite(value) ? (Object) value : Double.toString(value);
    }

    private static List<Double> list(double... values) {
        return Arrays.stream(values).boxed().toList();
    }

    private static List<Integer> list(int... values) {
        return Arrays.stream(values).boxed().toList();
    }

    static Transform parse(String json) {
        JsonFields document =
                JsonFields.parse("the transform", json.getBytes(StandardCharsets.UTF_8));
        Transform transform = Transform.identity();
        for (JsonFields fields : document.objects("steps")) {
            try {
                transform = then(transform, fields);
            } catch (IllegalArgumentException e) {
                throw fields.error(e);
            }
        }
        return transform;
    }

    private static Transform then(Transform before, JsonFields fields) {
        return switch (fields.string("step")) {
            case "missing" -> before.missing(number(fields, "value"));
            case "scale" -> before.scale(number(fields, "factor"), number(fields, "offset"));
            case "normalize" ->
                    before.normalize(
                            (int) fields.integer("axis", 0, Integer.MAX_VALUE),
                            numbers(fields, "means"),
                            numbers(fields, "deviations"));
            case "clip" -> before.clip(number(fields, "low"), number(fields, "high"));
            case "log1p" -> before.log1p();
            case "is_missing" -> before.isMissing();
            case "mean" -> before.mean(integers(fields, "factors"));
            case "stride" -> before.stride(integers(fields, "factors"));
            case "flip" -> before.flip(integers(fields, "axes"));
            case "permute" -> before.permute(integers(fields, "axes"));
            case "cast" -> before.cast(type(fields), Overflow.valueOf(fields.string("overflow")));
            default -> throw new IllegalArgumentException("is no known step");
        };
    }

    private static NumericType type(JsonFields fields) {
        return NumericType.named(fields.string("type"))
                .orElseThrow(() -> fields.error("type", "is no type of numbers"));
    }

    private static int[] integers(JsonFields fields, String name) {
        return Arrays.stream(fields.integers(name, 0, Integer.MAX_VALUE))
                .mapToInt(Math::toIntExact)
                .toArray();
    }

    private static double number(JsonFields fields, String name) {
        return toDouble(fields, name, fields.any(name));
    }

    private static double[] numbers(JsonFields fields, String name) {
        List<Double> numbers = new ArrayList<>();
        for (Object value : fields.array(name)) {
            numbers.add(toDouble(fields, name, value));
        }
        return numbers.stream().mapToDouble(Double::doubleValue).toArray();
    }

    private static double toDouble(JsonFields fields, String name, Object value) {
        return switch (value) {
            case Number number -> number.doubleValue();
            case String text when List.of("NaN", "Infinity", "-Infinity").contains(text) ->
                    Double.parseDouble(text);
            case null, default ->
                    throw fields.error(
                            name, "is " + JsonWriter.show(value) + ", expected a number");
        };
    }
}
