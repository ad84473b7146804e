package io.zarrengine.kernels;

import java.io.IOException;
import java.io.InputStream;

/**
 * The output of {@code bin/machine-code}. All except {@link #CUDA} are position-independent bytes
 * for x86-64: entry points of 8 bytes, in the order of the folder's {@code entry.s}, then code and
 * constants.
 */
public enum CompiledCode {
    /** Decodes chunks of blosc, and places them. */
    BLOSC("blosc_x86_64.bin"),
    /** Decodes deflate. */
    DEFLATE("deflate_x86_64.bin"),
    /** Decodes LZ4. */
    LZ4("lz4_x86_64.bin"),
    /** Decodes BloscLZ and Snappy. */
    LZ77("lz77_x86_64.bin"),
    /** Copies rows, and survives bus errors. */
    ROWS("rows_x86_64.bin"),
    /** Puts shuffled elements together. */
    SHUFFLE("shuffle_x86_64.bin"),
    /** Computes transforms. */
    TRANSFORM("transform_x86_64.bin"),
    /** Decodes zstd. */
    ZSTD("zstd_x86_64.bin"),
    /** Kernels for devices from Turing on, as a fatbin. */
    CUDA("kernels.fatbin");

    private final String file;

    CompiledCode(String file) {
        this.file = file;
    }

    /** {@return the file name, for messages} */
    public String file() {
        return file;
    }

    /**
     * {@return the bytes}
     *
     * @throws IOException if the jar lacks them
     */
    public byte[] bytes() throws IOException {
        try (InputStream in = CompiledCode.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IOException(file + " is not in the jar");
            }
            return in.readAllBytes();
        }
    }
}
