package io.zarrengine.nvcomp;

/**
 * The formats that nvCOMP decodes. A chunk contains the format's bytes only, without the header of
 * a Zarr codec.
 */
public enum NvcompFormat {
    /** Raw LZ4 blocks. */
    LZ4("LZ4", (1L << 32) - 1),
    /** Raw Snappy blocks. */
    SNAPPY("Snappy", (1L << 31) - 1),
    /** Raw deflate: a zlib stream without its first 2 and last 4 bytes, aligned to 4 bytes. */
    DEFLATE("Deflate", (1L << 32) - 1),
    /** NVIDIA's deflate for devices, aligned to 4 bytes. */
    GDEFLATE("Gdeflate", 1L << 32),
    /** Gzip with one member. */
    GZIP("Gzip", (1L << 32) - 1),
    /** Zstandard frames, one per chunk, that contain the size of their content. */
    ZSTD("Zstd", (1L << 31) - 1),
    /** NVIDIA's Bitcomp. */
    BITCOMP("Bitcomp", 1L << 24),
    /**
     * NVIDIA's Cascaded. Not supported from 6.0 on, whose decoder needs to know how a chunk was
     * encoded.
     */
    CASCADED("Cascaded", 1L << 24);

    private final String cName;
    private final long decodedBytesMax;

    NvcompFormat(String cName, long decodedBytesMax) {
        this.cName = cName;
        this.decodedBytesMax = decodedBytesMax;
    }

    /** {@return the name in nvCOMP's functions, e.g. {@code "Zstd"}} */
    public String cName() {
        return cName;
    }

    /**
     * {@return whether the decoder rarely writes past the target of a damaged chunk} Those of
     * deflate and gzip do so for any decoded size, and report the failure afterwards: measured with
     * nvCOMP 5.1 (docs/decisions/unchecked-frames.md).
     */
    public boolean keepsToTarget() {
        return switch (this) {
            case DEFLATE, GZIP -> false;
            case LZ4, SNAPPY, GDEFLATE, ZSTD, BITCOMP, CASCADED -> true;
        };
    }

    /**
     * {@return the size of the largest decoded chunk, in bytes} Source: the headers of nvCOMP 6.0.
     * 5.1 has the same limits and does not enforce them. For Bitcomp and Cascaded it is the limit
     * of the encoders.
     */
    public long decodedBytesMax() {
        return decodedBytesMax;
    }
}
