package io.zarrengine.zarr.pipeline;

import io.zarrengine.zarr.codec.Base64Codec;
import io.zarrengine.zarr.codec.BytesCodec;
import io.zarrengine.zarr.codec.ShuffleCodec;
import io.zarrengine.zarr.codec.blosc.BloscCodec;
import io.zarrengine.zarr.codec.checksum.Adler32Codec;
import io.zarrengine.zarr.codec.checksum.Crc32Codec;
import io.zarrengine.zarr.codec.checksum.Crc32cCodec;
import io.zarrengine.zarr.codec.checksum.Fletcher32Codec;
import io.zarrengine.zarr.codec.checksum.JenkinsLookup3Codec;
import io.zarrengine.zarr.codec.deflate.GzipCodec;
import io.zarrengine.zarr.codec.deflate.ZlibCodec;
import io.zarrengine.zarr.codec.lz77.Lz4Codec;
import io.zarrengine.zarr.codec.stream.Bz2Codec;
import io.zarrengine.zarr.codec.stream.LzmaCodec;
import io.zarrengine.zarr.codec.stream.LzmaFilter;
import io.zarrengine.zarr.codec.zstd.ZstdCodec;
import io.zarrengine.zarr.json.JsonFields;
import io.zarrengine.zarr.json.Numcodecs;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The bytes-to-bytes codecs by name: the names of Zarr v3, the numcodecs ids of Zarr v2, and those
 * ids with the prefix {@code numcodecs.} as zarr-python writes them in v3. A name means the same
 * codec everywhere.
 *
 * @see <a href="https://numcodecs.readthedocs.io">numcodecs</a>
 */
public final class BytesCodecRegistry {
    private static final Map<String, Factory> FACTORIES = new LinkedHashMap<>();

    /** Known codecs that need a missing library, with the library's name. */
    private static final Map<String, String> REFUSED =
            Map.of(
                    "zfp", "libzfp",
                    "zfpy", "libzfp",
                    "pcodec", "pcodec (pco)");

    static {
        FACTORIES.put(Crc32cCodec.NAME, (fields, _, _) -> new Crc32cCodec(atStart(fields, false)));
        FACTORIES.put(ZstdCodec.NAME, (_, encoder, _) -> zstd(encoder));
        FACTORIES.put(GzipCodec.NAME, (_, encoder, _) -> new GzipCodec(level(encoder, 0, 5)));
        FACTORIES.put(BloscCodec.NAME, (_, _, _) -> new BloscCodec());
        FACTORIES.put(ZlibCodec.NAME, (_, encoder, _) -> new ZlibCodec(level(encoder, -1, 1)));
        FACTORIES.put(Lz4Codec.NAME, (_, _, _) -> new Lz4Codec());
        FACTORIES.put(Bz2Codec.NAME, (_, encoder, _) -> new Bz2Codec(level(encoder, 1, 1)));
        FACTORIES.put(LzmaCodec.NAME, (fields, encoder, _) -> lzma(fields, encoder));
        FACTORIES.put(ShuffleCodec.NAME, (fields, _, bytes) -> shuffle(fields, bytes));
        FACTORIES.put(Crc32Codec.NAME, (fields, _, _) -> new Crc32Codec(atStart(fields, true)));
        FACTORIES.put(Adler32Codec.NAME, (fields, _, _) -> new Adler32Codec(atStart(fields, true)));
        FACTORIES.put(Fletcher32Codec.NAME, (_, _, _) -> new Fletcher32Codec());
        FACTORIES.put(Base64Codec.NAME, (_, _, _) -> new Base64Codec());
        FACTORIES.put(JenkinsLookup3Codec.NAME, (fields, _, _) -> jenkinsLookup3(fields));
    }

    private BytesCodecRegistry() {}

    /** Creates a codec from its configuration. */
    @FunctionalInterface
    private interface Factory {
        BytesCodec create(JsonFields configuration, EncoderFields encoder, int elementBytes);
    }

    /** {@return the known names, without {@code numcodecs.}} */
    public static List<String> names() {
        return List.copyOf(FACTORIES.keySet());
    }

    /**
     * {@return the codec with a name and a configuration; empty if the name is not known}
     *
     * @param name of v3, or {@code numcodecs.} and an id
     * @param configuration of the codec
     * @param elementBytes size of the array's elements, the default of {@code shuffle}
     * @param forWriting whether chunks will be encoded; otherwise fields for encoders are not
     *     checked
     * @throws io.zarrengine.zarr.errors.FormatException if the configuration is not valid, or the
     *     codec needs a library without a binding
     */
    public static Optional<BytesCodec> parse(
            String name, JsonFields configuration, int elementBytes, boolean forWriting) {
        String id = Numcodecs.id(name);
        if (REFUSED.containsKey(id)) {
            throw configuration.error(
                    "is not supported: " + id + " needs the library " + REFUSED.get(id));
        }
        return Optional.ofNullable(FACTORIES.get(id))
                .map(factory ->
                        factory.create(
                                configuration,
                                new EncoderFields(configuration, forWriting),
                                elementBytes));
    }

    private static int level(EncoderFields encoder, int min, int otherwise) {
        return encoder.integer("level", min, 9, otherwise);
    }

    private static boolean atStart(JsonFields configuration, boolean otherwise) {
        if (configuration.any("location") == null) {
            return otherwise;
        }
        String location = configuration.string("location");
        return switch (location) {
            case "start" -> true;
            case "end" -> false;
            default ->
                    throw configuration.error(
                            "location", "is \"" + location + "\", expected \"start\" or \"end\"");
        };
    }

    private static BytesCodec zstd(EncoderFields encoder) {
        return new ZstdCodec(
                encoder.integer("level", -131072, 22, 0), encoder.bool("checksum", false));
    }

    /**
     * Parses a shuffle codec. netcdf-c writes 0 for the size of the data type, and up to release
     * 4.9.3 all values as text.
     */
    private static BytesCodec shuffle(JsonFields configuration, int elementBytes) {
        Object size = configuration.any("elementsize");
        long bytes =
                size instanceof String text && text.matches("[0-9]{1,9}")
                        ? Long.parseLong(text)
                        : configuration.integer("elementsize", 0, Integer.MAX_VALUE, 0);
        return new ShuffleCodec(bytes == 0 ? elementBytes : (int) bytes);
    }

    private static BytesCodec jenkinsLookup3(JsonFields configuration) {
        List<Byte> prefix = new ArrayList<>();
        if (configuration.any("prefix") != null) {
            for (long value : configuration.integers("prefix", 0, 255)) {
                prefix.add((byte) value);
            }
        }
        long initialValue = configuration.integer("initval", 0, 0xffffffffL, 0);
        return new JenkinsLookup3Codec((int) initialValue, List.copyOf(prefix));
    }

    private static BytesCodec lzma(JsonFields configuration, EncoderFields encoder) {
        LzmaCodec.Format[] formats = LzmaCodec.Format.values();
        LzmaCodec.Format format =
                configuration.any("format") == null
                        ? LzmaCodec.Format.XZ
                        : formats[(int) configuration.integer("format", 0, formats.length - 1)];
        boolean raw = format == LzmaCodec.Format.RAW;
        List<LzmaFilter> filters = // Other formats have their filters in the stream.
                configuration.any("filters") == null || !(raw || encoder.isNeeded())
                        ? List.of()
                        : configuration.objects("filters").stream()
                                .map(filter -> LzmaFilter.parse(filter, encoder.isNeeded()))
                                .toList();
        if (raw && filters.isEmpty()) {
            throw configuration.error("filters", "are missing, a raw stream needs them");
        }
        return new LzmaCodec(
                format,
                encoder.integer("check", -1, 15, -1),
                encoder.isNeeded() ? LzmaFilter.preset(configuration) : LzmaFilter.PRESET_DEFAULT,
                filters);
    }
}
