package io.zarrengine.zarr.codec;

import io.zarrengine.zarr.metadata.Fields;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The bytes-to-bytes codecs by name: those of Zarr v3, the ids of numcodecs that Zarr v2 has, and
 * the latter behind {@code numcodecs.} as zarr-python spells them in v3. A codec of one name is the
 * same codec in all of them.
 *
 * @see <a href="https://numcodecs.readthedocs.io">numcodecs</a>
 */
public final class BytesCodecs {
    private static final String NUMCODECS = "numcodecs.";

    private static final Map<String, Factory> FACTORIES = new LinkedHashMap<>();

    /** Codecs that are known, and the libraries that they would need. */
    private static final Map<String, String> REFUSED =
            Map.of(
                    "zfp", "libzfp",
                    "zfpy", "libzfp",
                    "pcodec", "pcodec (pco)");

    static {
        FACTORIES.put(Crc32cCodec.NAME, (fields, bytes) -> new Crc32cCodec(atStart(fields, false)));
        FACTORIES.put(ZstdCodec.NAME, (fields, bytes) -> zstd(fields));
        FACTORIES.put(GzipCodec.NAME, (fields, bytes) -> new GzipCodec(level(fields, 0, 5)));
        FACTORIES.put(BloscCodec.NAME, (fields, bytes) -> new BloscCodec());
        FACTORIES.put(ZlibCodec.NAME, (fields, bytes) -> new ZlibCodec(level(fields, -1, 1)));
        FACTORIES.put(Lz4Codec.NAME, (fields, bytes) -> new Lz4Codec());
        FACTORIES.put(Bz2Codec.NAME, (fields, bytes) -> new Bz2Codec(level(fields, 1, 1)));
        FACTORIES.put(LzmaCodec.NAME, (fields, bytes) -> lzma(fields));
        FACTORIES.put(ShuffleCodec.NAME, BytesCodecs::shuffle);
        FACTORIES.put(Crc32Codec.NAME, (fields, bytes) -> new Crc32Codec(atStart(fields, true)));
        FACTORIES.put(
                Adler32Codec.NAME, (fields, bytes) -> new Adler32Codec(atStart(fields, true)));
        FACTORIES.put(Fletcher32Codec.NAME, (fields, bytes) -> new Fletcher32Codec());
        FACTORIES.put(Base64Codec.NAME, (fields, bytes) -> new Base64Codec());
        FACTORIES.put(JenkinsLookup3Codec.NAME, (fields, bytes) -> jenkinsLookup3(fields));
    }

    private BytesCodecs() {}

    /** Makes a codec from its configuration. */
    @FunctionalInterface
    private interface Factory {
        BytesCodec create(Fields configuration, int elementBytes);
    }

    /** {@return the names that are known, without {@code numcodecs.}} */
    public static List<String> names() {
        return List.copyOf(FACTORIES.keySet());
    }

    /**
     * {@return the codec of that name, with that configuration; empty if the name is not known}
     *
     * @param name of v3, or {@code numcodecs.} and an id
     * @param configuration the codec's
     * @param elementBytes size of the array's elements, the default of {@code shuffle}
     * @throws io.zarrengine.zarr.errors.FormatException if the configuration is not valid, or if
     *     the codec needs a library that there is none for
     */
    public static Optional<BytesCodec> parse(String name, Fields configuration, int elementBytes) {
        String id = withoutPrefix(name);
        if (REFUSED.containsKey(id)) {
            throw configuration.error(
                    "is not supported: " + id + " needs the library " + REFUSED.get(id));
        }
        return Optional.ofNullable(FACTORIES.get(id))
                .map(factory -> factory.create(configuration, elementBytes));
    }

    static String withoutPrefix(String name) {
        return name.startsWith(NUMCODECS) ? name.substring(NUMCODECS.length()) : name;
    }

    private static int level(Fields configuration, int min, int otherwise) {
        return (int) configuration.integer("level", min, 9, otherwise);
    }

    private static boolean atStart(Fields configuration, boolean otherwise) {
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

    private static BytesCodec zstd(Fields configuration) {
        return new ZstdCodec(
                (int) configuration.integer("level", -131072, 22, 0),
                configuration.bool("checksum", false));
    }

    private static BytesCodec shuffle(Fields configuration, int elementBytes) {
        boolean silent = configuration.any("elementsize") == null;
        return new ShuffleCodec(
                silent
                        ? elementBytes
                        : (int) configuration.integer("elementsize", 0, Integer.MAX_VALUE));
    }

    private static BytesCodec jenkinsLookup3(Fields configuration) {
        List<Byte> prefix = new ArrayList<>();
        if (configuration.any("prefix") != null) {
            for (long value : configuration.integers("prefix", 0, 255)) {
                prefix.add((byte) value);
            }
        }
        long initialValue = configuration.integer("initval", 0, 0xffffffffL, 0);
        return new JenkinsLookup3Codec((int) initialValue, List.copyOf(prefix));
    }

    private static BytesCodec lzma(Fields configuration) {
        LzmaCodec.Format[] formats = LzmaCodec.Format.values();
        int format = (int) configuration.integer("format", 0, formats.length - 1, 1);
        List<LzmaFilter> filters =
                configuration.any("filters") == null
                        ? List.of()
                        : configuration.objects("filters").stream().map(LzmaFilter::parse).toList();
        boolean raw = formats[format] == LzmaCodec.Format.RAW;
        if (raw && filters.isEmpty()) {
            throw configuration.error("filters", "are missing, a raw stream needs them");
        }
        return new LzmaCodec(
                formats[format],
                (int) configuration.integer("check", -1, 15, -1),
                LzmaFilter.preset(configuration),
                filters);
    }
}
