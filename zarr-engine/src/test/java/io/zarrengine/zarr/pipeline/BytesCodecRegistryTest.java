package io.zarrengine.zarr.pipeline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
import io.zarrengine.zarr.errors.FormatException;
import io.zarrengine.zarr.json.JsonFields;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@link BytesCodecRegistry}: every name and spelling, every default, every refusal. */
final class BytesCodecRegistryTest {
    private static final int ELEMENT_BYTES = 8;

    private static Optional<BytesCodec> parse(String name, Map<String, Object> configuration) {
        JsonFields fields = JsonFields.ofCodec("u/zarr.json", name, configuration);
        return BytesCodecRegistry.parse(name, fields, ELEMENT_BYTES, true);
    }

    private static void assertCodec(
            BytesCodec expected, String name, Map<String, Object> configuration) {
        assertEquals(Optional.of(expected), parse(name, configuration));
        assertEquals(Optional.of(expected), parse("numcodecs." + name, configuration));
    }

    @Test
    void readsConfigurations() {
        assertCodec(new Crc32cCodec(), "crc32c", Map.of());
        assertCodec(new Crc32cCodec(true), "crc32c", Map.of("location", "start"));
        assertCodec(new Crc32Codec(true), "crc32", Map.of());
        assertCodec(new Crc32Codec(false), "crc32", Map.of("location", "end"));
        assertCodec(new Adler32Codec(true), "adler32", Map.of());
        assertCodec(new Adler32Codec(false), "adler32", Map.of("location", "end"));
        assertCodec(new Fletcher32Codec(), "fletcher32", Map.of());
        assertCodec(new JenkinsLookup3Codec(0, List.of()), "jenkins_lookup3", Map.of());
        assertCodec(
                new JenkinsLookup3Codec(-1, List.of((byte) 1, (byte) -1)),
                "jenkins_lookup3",
                Map.of("initval", 0xffffffffL, "prefix", List.of(1L, 255L)));
        assertCodec(new ZstdCodec(3, true), "zstd", Map.of("level", 3L, "checksum", true));
        assertCodec(new GzipCodec(1), "gzip", Map.of("level", 1L));
        assertCodec(new ZlibCodec(1), "zlib", Map.of());
        assertCodec(new ZlibCodec(-1), "zlib", Map.of("level", -1L));
        assertCodec(new BloscCodec(), "blosc", Map.of("cname", "lz4", "shuffle", 1L));
        assertCodec(new Lz4Codec(), "lz4", Map.of("acceleration", 1L));
        assertCodec(new Bz2Codec(9), "bz2", Map.of("level", 9L));
        assertCodec(new ShuffleCodec(2), "shuffle", Map.of("elementsize", 2L));
        assertCodec(
                new LzmaCodec(LzmaCodec.Format.XZ, -1, 6, List.of()),
                "lzma",
                nulls(Map.of("format", 1L, "check", -1L), "preset", "filters"));
        assertCodec( // 9 | lzma.PRESET_EXTREME
                new LzmaCodec(LzmaCodec.Format.ALONE, 4, 9, List.of()),
                "lzma",
                Map.of("format", 2L, "check", 4L, "preset", 0x80000009L));
    }

    private static Map<String, Object> nulls(Map<String, Object> map, String... names) {
        Map<String, Object> all = new HashMap<>(map);
        for (String name : names) {
            all.put(name, null);
        }
        return all;
    }

    /** zarr-python and netcdf-c fill in the size of the data type, the latter as text. */
    @Test
    void takesTheElementSizeOfAShuffle() {
        assertCodec(new ShuffleCodec(ELEMENT_BYTES), "shuffle", Map.of("elementsize", 0L));
        assertCodec(new ShuffleCodec(ELEMENT_BYTES), "shuffle", Map.of("elementsize", "0"));
        assertCodec(new ShuffleCodec(2), "shuffle", Map.of("elementsize", "2"));
        assertCodec(new ShuffleCodec(ELEMENT_BYTES), "shuffle", Map.of());
        assertCodec(new ShuffleCodec(ELEMENT_BYTES), "shuffle", nulls(Map.of(), "elementsize"));
    }

    @Test
    void readsFiltersOfRawLzma() {
        List<Object> filters =
                List.of(
                        Map.of("id", 3L, "dist", 4L),
                        Map.of("id", 0x21L, "preset", 7L),
                        Map.of(
                                "id",
                                0x4000000000000001L,
                                "dict_size",
                                5000L,
                                "lc",
                                1L,
                                "lp",
                                2L,
                                "pb",
                                0L));
        assertCodec(
                new LzmaCodec(
                        LzmaCodec.Format.RAW,
                        -1,
                        6,
                        List.of(
                                new LzmaFilter(LzmaFilter.DELTA, 8 << 20, 3, 0, 2, 4),
                                new LzmaFilter(LzmaFilter.LZMA2, 16 << 20, 3, 0, 2, 1),
                                new LzmaFilter(LzmaFilter.LZMA1, 5000, 1, 2, 0, 1))),
                "lzma",
                Map.of("format", 3L, "filters", filters));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "lzw", "numcodecs.", "numcodecs.lzw", "numcodecs.numcodecs.zlib"})
    void doesNotKnow(String name) {
        assertEquals(Optional.empty(), parse(name, Map.of()));
    }

    @ParameterizedTest
    @CsvSource({
        "zfpy, libzfp",
        "numcodecs.zfpy, libzfp",
        "zfp, libzfp",
        "pcodec, pcodec (pco)",
        "numcodecs.pcodec, pcodec (pco)",
    })
    void namesTheLibraryOfACodecThatIsRefused(String name, String library) {
        FormatException e = assertThrows(FormatException.class, () -> parse(name, Map.of()));
        assertEquals(
                "u/zarr.json: codec "
                        + name
                        + " is not supported: "
                        + name.replace("numcodecs.", "")
                        + " needs the library "
                        + library,
                e.getMessage());
    }

    private static void assertRefused(
            String problem, String name, Map<String, Object> configuration) {
        FormatException e = assertThrows(FormatException.class, () -> parse(name, configuration));
        assertTrue(
                e.getMessage().startsWith("u/zarr.json: codec " + name + "." + problem),
                e::getMessage);
    }

    @Test
    void refusesConfigurations() {
        assertRefused("location is \"top\", expected", "crc32", Map.of("location", "top"));
        assertRefused("location is 1, expected", "adler32", Map.of("location", 1L));
        assertRefused("level is 10, expected", "zlib", Map.of("level", 10L));
        assertRefused("level is 0, expected", "bz2", Map.of("level", 0L));
        assertRefused("elementsize is -1, expected", "shuffle", Map.of("elementsize", -1L));
        assertRefused("initval is -1, expected", "jenkins_lookup3", Map.of("initval", -1L));
        assertRefused(
                "prefix[0] is 256, expected", "jenkins_lookup3", Map.of("prefix", List.of(256L)));
        assertRefused("format is 4, expected", "lzma", Map.of("format", 4L));
        assertRefused("check is 16, expected", "lzma", Map.of("check", 16L));
        assertRefused("preset has level 10, expected", "lzma", Map.of("preset", 10L));
        assertRefused("filters are missing", "lzma", Map.of("format", 3L));
        assertRefused(
                "filters[0] is 3, expected an object", "lzma", Map.of("filters", List.of(3L)));
        assertRefused(
                "filters[0].id is 4, which is not supported",
                "lzma",
                Map.of("filters", List.of(Map.of("id", 4L))));
        assertRefused(
                "filters[0].lc is 5, expected",
                "lzma",
                Map.of("filters", List.of(Map.of("id", 0x21L, "lc", 5L))));
    }
}
