package io.zarrengine.zarr.codec.stream;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorInputStream;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorOutputStream;

/**
 * Opens the streams of commons-compress. No other class uses this library, because it is optional.
 */
final class Bz2Streams {
    private Bz2Streams() {}

    /** Returns a decoder of one or several streams. */
    static InputStream decoder(InputStream source) throws IOException {
        return new BZip2CompressorInputStream(source, true);
    }

    /** {@code level} is 1 to 9, the size of a block in units of 100,000 bytes. */
    static OutputStream encoder(OutputStream target, int level) throws IOException {
        return new BZip2CompressorOutputStream(target, level);
    }
}
