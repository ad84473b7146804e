package io.zarrengine.kernels;

import java.io.IOException;
import java.io.InputStream;

/**
 * What {@code bin/machine-code} compiles. All but {@link #CUDA} is one run of bytes for x86-64 that
 * works wherever it lies: entry points of 8 bytes, as the folder's {@code entry.s} lists them, then
 * code and constants.
 */
public enum CompiledCode {
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
    /** Decodes zstd. */
    ZSTD("zstd_x86_64.bin"),
    /** A fatbin: kernels for devices from Turing on. */
    CUDA("kernels.fatbin");

    private final String file;

    CompiledCode(String file) {
        this.file = file;
    }

    /** {@return the name of its file, for messages} */
    public String file() {
        return file;
    }

    /**
     * {@return its bytes}
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
