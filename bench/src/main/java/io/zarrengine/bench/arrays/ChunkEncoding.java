package io.zarrengine.bench.arrays;

import io.zarrengine.zarr.metadata.CodecSpec;
import java.util.List;

/** The way in which the chunks of an array are encoded. */
public enum ChunkEncoding {
    RAW("raw"),
    ZSTD("zstd"),
    /** At the default level of zarr-python. */
    GZIP("gzip"),
    /** Blosc with LZ4 and a byte shuffle: encoded by TensorStore, from the uncompressed array. */
    BLOSC_LZ4("blosc");

    private static final int GZIP_LEVEL = 5;

    private final String word;

    ChunkEncoding(String word) {
        this.word = word;
    }

    /** Returns its name in the arguments of workers. */
    public String word() {
        return word;
    }

    public boolean isWrittenByTheEngine() {
        return this != BLOSC_LZ4;
    }

    List<CodecSpec> codecs(int zstdLevel) {
        return switch (this) {
            case RAW -> List.of(CodecSpec.bytes());
            case ZSTD -> List.of(CodecSpec.bytes(), CodecSpec.zstd(zstdLevel));
            case GZIP -> List.of(CodecSpec.bytes(), CodecSpec.gzip(GZIP_LEVEL));
            case BLOSC_LZ4 -> throw new IllegalArgumentException("the engine writes no blosc");
        };
    }
}
