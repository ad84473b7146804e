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
    private static final List<String> NAMES =
            List.of(
                    Crc32cCodec.NAME,
                    ZstdCodec.NAME,
                    GzipCodec.NAME,
                    BloscCodec.NAME,
                    ZlibCodec.NAME,
                    Lz4Codec.NAME,
                    Bz2Codec.NAME,
                    LzmaCodec.NAME,
                    ShuffleCodec.NAME,
                    Crc32Codec.NAME,
                    Adler32Codec.NAME,
                    Fletcher32Codec.NAME,
                    Base64Codec.NAME,
                    JenkinsLookup3Codec.NAME);

    /** Known codecs that need a missing library, with the library's name. */
    private static final Map<String, String> REFUSED =
            Map.of(
                    "zfp", "libzfp",
                    "zfpy", "libzfp",
                    "pcodec", "pcodec (pco)");

    private BytesCodecRegistry() {}

    /** {@return the known names, without {@code numcodecs.}} */
    public static List<String> names() {
        return NAMES;
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
        EncoderFields encoder = new EncoderFields(configuration, forWriting);
        return Optional.ofNullable(codec(id, configuration, encoder, elementBytes));
    }

    private static BytesCodec codec(
            String id, JsonFields configuration, EncoderFields encoder, int elementBytes) {
        return switch (id) {
            case Crc32cCodec.NAME -> new Crc32cCodec(atStart(configuration, false));
            case ZstdCodec.NAME -> zstd(encoder);
            case GzipCodec.NAME -> new GzipCodec(level(encoder, 0, 5));
            case BloscCodec.NAME -> new BloscCodec();
            case ZlibCodec.NAME -> new ZlibCodec(level(encoder, -1, 1));
            case Lz4Codec.NAME -> new Lz4Codec();
            case Bz2Codec.NAME -> new Bz2Codec(level(encoder, 1, 1));
            case LzmaCodec.NAME -> lzma(configuration, encoder);
            case ShuffleCodec.NAME -> shuffle(configuration, elementBytes);
            case Crc32Codec.NAME -> new Crc32Codec(atStart(configuration, true));
            case Adler32Codec.NAME -> new Adler32Codec(atStart(configuration, true));
            case Fletcher32Codec.NAME -> new Fletcher32Codec();
            case Base64Codec.NAME -> new Base64Codec();
            case JenkinsLookup3Codec.NAME -> jenkinsLookup3(configuration);
            default -> null;
        };
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
