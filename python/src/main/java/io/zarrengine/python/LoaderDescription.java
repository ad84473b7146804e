package io.zarrengine.python;

import io.zarrengine.zarr.Selection;
import io.zarrengine.zarr.Target;
import io.zarrengine.zarr.ZarrArray;
import io.zarrengine.zarr.errors.FormatException;
import io.zarrengine.zarr.json.JsonFields;
import io.zarrengine.zarr.json.JsonWriter;
import io.zarrengine.zarr.loader.EpochEnd;
import io.zarrengine.zarr.loader.Loader;
import io.zarrengine.zarr.loader.LoaderBuilder;
import io.zarrengine.zarr.loader.LoaderState;
import io.zarrengine.zarr.loader.OrderReport;
import io.zarrengine.zarr.loader.RandomCrops;
import io.zarrengine.zarr.loader.Sampler;
import io.zarrengine.zarr.transform.Transform;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.function.LongFunction;

/**
 * The options of a loader, as Python's {@code Loader} writes them in JSON. A sampler is {@code
 * {"kind": "list", "boxes": [[start, stop, ...], ...]}}, {@code "sliding"}, {@code "crops"} or
 * {@code "given"}, with the {@link CodedSelection} of the first samples.
 */
final class LoaderDescription {
    private final JsonFields fields;
    private final LongFunction<ZarrArray> arrays;
    private final List<GivenSamples> given = new ArrayList<>(); // of each array that has such

    /** {@code arrays} returns the array of a handle. */
    LoaderDescription(String json, LongFunction<ZarrArray> arrays) {
        fields = JsonFields.parse("the loader", json.getBytes(StandardCharsets.UTF_8));
        this.arrays = arrays;
    }

    /**
     * Returns the loader, which has begun to read.
     *
     * @throws IllegalArgumentException if an option is not valid
     */
    LoaderSession open() {
        LoaderBuilder builder = checked();
        long device = fields.integer("device", EntryPoints.HOST, Integer.MAX_VALUE);
        Loader<?> loader =
                device == EntryPoints.HOST
                        ? builder.open()
                        : builder.open(target(Target.cuda((int) device)));
        return new LoaderSession(loader, given);
    }

    private Target target(Target device) {
        long none = EntryPoints.NO_STREAM;
        long stream = fields.integer("stream", none, Long.MAX_VALUE, none);
        if (fields.any("memory") != null) { // Former batches may have lain there.
            CallersWork.await();
        }
        return stream == none ? device : device.after(stream);
    }

    /** Returns what its order costs, and how well it mixes. */
    OrderReport report() {
        return checked().report();
    }

    private LoaderBuilder checked() {
        try {
            return builder();
        } catch (FormatException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    private LoaderBuilder builder() {
        LoaderBuilder builder = null;
        for (JsonFields each : fields.objects("arrays")) {
            ZarrArray array = arrays.apply(each.integer("handle", 1, Long.MAX_VALUE));
            Sampler sampler = sampler(each.object("sampler"), array.shape());
            String name = each.string("name");
            builder =
                    builder == null
                            ? Loader.of(Map.of(name, array), sampler)
                            : builder.add(name, array, sampler);
        }
        if (builder == null) {
            throw new IllegalArgumentException("the loader has no array");
        }
        builder.batch(positive("batch"))
                .prefetch((int) fields.integer("prefetch", 0, Integer.MAX_VALUE))
                .epochs(fields.integer("epochs", 1, Long.MAX_VALUE, Long.MAX_VALUE))
                .rank(
                        (int) fields.integer("rank", 0, Integer.MAX_VALUE),
                        positive("ranks"),
                        EpochEnd.valueOf(fields.string("end")))
                .from(LoaderState.parse(JsonWriter.toLine(fields.map("state"))));
        if (fields.any("seed") != null) {
            long seed = fields.integer("seed", Long.MIN_VALUE, Long.MAX_VALUE);
            if (fields.any("chunks_together") == null) {
                builder.shuffle(seed);
            } else {
                builder.shuffleByChunks(seed, positive("chunks_together"));
            }
        }
        if (fields.any("epoch_length") != null) {
            builder.epochLength(fields.integer("epoch_length", 1, Long.MAX_VALUE));
        }
        if (fields.any("memory") != null) {
            builder.memory(new CallersMemory(fields.integers("memory", 0, Long.MAX_VALUE)));
        }
        for (JsonFields output : fields.objects("outputs")) {
            addOutput(builder, output);
        }
        return builder;
    }

    private int positive(String name) {
        return (int) fields.integer(name, 1, Integer.MAX_VALUE);
    }

    private static void addOutput(LoaderBuilder builder, JsonFields output) {
        SequencedMap<String, Transform> channels = new LinkedHashMap<>();
        for (JsonFields channel : output.objects("channels")) {
            channels.put(
                    channel.string("array"),
                    Transform.parse(JsonWriter.toLine(channel.map("transform"))));
        }
        String name = output.string("name");
        if (output.bool("stack", false)) {
            builder.stack(name, channels);
        } else {
            channels.forEach((array, transform) -> builder.output(name, array, transform));
        }
    }

    private Sampler sampler(JsonFields sampler, long... shape) {
        return switch (sampler.string("kind")) {
            case "list" -> Sampler.of(boxes(sampler.array("boxes")));
            case "sliding" ->
                    Sampler.sliding(shape, lengths(sampler, "window"), lengths(sampler, "stride"));
            case "crops" -> crops(sampler, shape);
            case "given" -> {
                given.add(given(sampler));
                yield given.getLast();
            }
            default -> throw sampler.error("kind", "is no kind of a sampler");
        };
    }

    private static GivenSamples given(JsonFields sampler) {
        return new GivenSamples(
                sampler.integer("first", 0, Long.MAX_VALUE),
                sampler.integer("count", 0, Long.MAX_VALUE, Long.MAX_VALUE),
                CodedSelection.of(sampler.integers("code", Long.MIN_VALUE, Long.MAX_VALUE))
                        .selections());
    }

    private static long[] lengths(JsonFields sampler, String name) {
        return sampler.integers(name, 1, Long.MAX_VALUE);
    }

    private static List<Selection> boxes(List<?> rows) {
        List<Selection> boxes = new ArrayList<>();
        for (Object row : rows) {
            List<?> bounds = (List<?>) row;
            long[] corner = new long[bounds.size() / 2];
            long[] lengths = new long[corner.length];
            for (int d = 0; d < corner.length; d++) {
                corner[d] = (Long) bounds.get(2 * d);
                lengths[d] = (Long) bounds.get(2 * d + 1) - corner[d];
            }
            boxes.add(Selection.box(corner, lengths));
        }
        return boxes;
    }

    private static Sampler crops(JsonFields sampler, long... shape) {
        long seed = sampler.integer("seed", Long.MIN_VALUE, Long.MAX_VALUE);
        RandomCrops crops = Sampler.crops(shape, lengths(sampler, "shape"), seed);
        if (sampler.any("mask") != null) {
            List<?> numbers = sampler.array("mask");
            boolean[] allowed = new boolean[numbers.size()];
            for (int i = 0; i < allowed.length; i++) {
                allowed[i] = (Boolean) numbers.get(i);
            }
            return crops.mask(lengths(sampler, "cells"), allowed);
        }
        if (sampler.any("weights") == null) {
            return crops;
        }
        double[] weights =
                sampler.array("weights").stream()
                        .mapToDouble(weight -> ((Number) weight).doubleValue())
                        .toArray();
        return crops.weights(lengths(sampler, "cells"), weights);
    }
}
