package io.zarrengine.nvcomp;

/** What nvCOMP decodes. The bytes of a chunk are the format's alone: no header of a Zarr codec. */
public enum NvcompFormat {
    /** Raw LZ4 blocks. */
    LZ4("LZ4", (1L << 32) - 1),
    /** Raw Snappy. */
    SNAPPY("Snappy", (1L << 31) - 1),
    /** Raw deflate: a zlib stream without its first 2 and last 4 bytes, aligned to 4 bytes. */
    DEFLATE("Deflate", (1L << 32) - 1),
    /** NVIDIA's deflate for devices, aligned to 4 bytes. */
    GDEFLATE("Gdeflate", 1L << 32),
    /** Gzip of one member. */
    GZIP("Gzip", (1L << 32) - 1),
    /** Zstandard frames, one a chunk, that say their content's size. */
    ZSTD("Zstd", (1L << 31) - 1),
    /** NVIDIA's Bitcomp. */
    BITCOMP("Bitcomp", 1L << 24),
    /** NVIDIA's Cascaded; not in 6.x, whose decoder wants to be told how a chunk was encoded. */
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
     * {@return whether a chunk that is damaged seldom makes the decoder write behind its target}
     * Those of deflate and gzip do, whatever the chunk decodes to, and say afterwards that it
     * failed: measured with nvCOMP 5.1 (docs/decisions/unchecked-frames.md).
     */
    public boolean keepsToTarget() {
        return switch (this) {
            case DEFLATE, GZIP -> false;
            case LZ4, SNAPPY, GDEFLATE, ZSTD, BITCOMP, CASCADED -> true;
        };
    }

    /**
     * {@return the largest decoded chunk, in bytes} Source: the headers of nvCOMP 6.0. 5.1 has the
     * same limits and does not enforce them; for Bitcomp and Cascaded it is what its encoders take.
     */
    public long decodedBytesMax() {
        return decodedBytesMax;
    }
}
