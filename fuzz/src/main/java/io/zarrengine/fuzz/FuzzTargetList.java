package io.zarrengine.fuzz;

import io.zarrengine.zarr.pipeline.BytesCodecRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** All targets by name. */
final class FuzzTargetList {
    /** Suffix of a codec's name for the decoder used where the native library is missing. */
    private static final String JAVA = "-java";

    private static final List<String> WITH_NATIVE_LIBRARY = List.of("zstd", "lz4", "blosc");

    private FuzzTargetList() {}

    static Map<String, FuzzTarget> all() {
        Map<String, FuzzTarget> targets = new TreeMap<>();
        targets.put("metadata-v3", MetadataTargets::version3);
        targets.put("metadata-v2", MetadataTargets::version2);
        targets.put("consolidated-v3", MetadataTargets::consolidatedVersion3);
        targets.put("consolidated-v2", MetadataTargets::consolidatedVersion2);
        targets.put("shard-index", ChunkTargets::shardIndex);
        targets.put("filters", ChunkTargets::filters);
        targets.put("vlen", ChunkTargets::lengthPrefixed);
        targets.put("json2", ChunkTargets::json);
        targets.put("categorize", ChunkTargets::labelled);
        targets.put("zip", ZipTarget::read);
        for (String codec : codecs()) {
            targets.put(codec, new CodecTarget(codec)::run);
        }
        return targets;
    }

    /** Returns all codecs, and again those that have a second decoder. */
    static List<String> codecs() {
        List<String> names = new ArrayList<>(BytesCodecRegistry.names());
        WITH_NATIVE_LIBRARY.forEach(name -> names.add(name + JAVA));
        return names;
    }

    static String withoutSuffix(String codec) {
        return codec.endsWith(JAVA) ? codec.substring(0, codec.length() - JAVA.length()) : codec;
    }
}
