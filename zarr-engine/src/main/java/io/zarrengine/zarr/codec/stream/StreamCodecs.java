package io.zarrengine.zarr.codec.stream;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.errors.MissingLibraryException;
import io.zarrengine.zarr.errors.TargetTooSmallException;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;

/** Runs the optional libraries that decode and encode through Java streams. */
public final class StreamCodecs {
    private static final int BUFFER_BYTES = 8192;

    private StreamCodecs() {}

    /** {@return whether the library for bz2 is there} */
    public static boolean hasBz2() {
        return isThere("org.apache.commons.compress.compressors.bzip2.BZip2CompressorInputStream");
    }

    /** {@return whether the library for lzma is there} */
    public static boolean hasLzma() {
        return isThere("org.tukaani.xz.XZInputStream");
    }

    private static boolean isThere(String className) {
        try {
            Class.forName(className);
            return true;
        } catch (ClassNotFoundException | LinkageError e) {
            return false;
        }
    }

    /** Opens a stream that decodes, or one that encodes. */
    @FunctionalInterface
    interface Opener<F, T> {
        /** {@return a stream that reads from {@code input}, or writes to it} */
        T open(F input) throws IOException;
    }

    /**
     * Decodes all of {@code encoded} to the front of {@code decoded}.
     *
     * @param name of the codec
     * @param library that the codec needs, for the message if it is missing
     * @return bytes written
     */
    static long decode(
            String name,
            String library,
            Opener<SegmentInputStream, InputStream> decoder,
            MemorySegment encoded,
            MemorySegment decoded)
            throws CodecException {
        SegmentInputStream input = new SegmentInputStream(encoded);
        long written;
        try (InputStream stream = decoder.open(input)) {
            written = drain(name, stream, decoded);
        } catch (NoClassDefFoundError e) {
            throw missing(name, library, e);
        } catch (IOException
                | IllegalArgumentException
                | IllegalStateException
                | IndexOutOfBoundsException e) {
            throw new CodecException(name, problem(e), e);
        }
        if (input.available() > 0) {
            throw new CodecException(name, input.available() + " bytes follow the stream");
        }
        return written;
    }

    /**
     * Returns the library's message, if it has one. Only IOExceptions describe the input; other
     * exceptions mention arrays and indexes.
     */
    private static String problem(Exception e) {
        if (e instanceof EOFException && e.getMessage() == null) {
            return "ends early";
        }
        boolean saysWhy = e instanceof IOException && e.getMessage() != null;
        return saysWhy ? "damaged: " + e.getMessage() : "damaged: it cannot be decoded";
    }

    private static long drain(String name, InputStream stream, MemorySegment decoded)
            throws CodecException, IOException {
        byte[] buffer = new byte[BUFFER_BYTES];
        long written = 0;
        int read;
        while ((read = stream.read(buffer, 0, BUFFER_BYTES)) >= 0) {
            if (read > decoded.byteSize() - written) {
                throw new TargetTooSmallException(name, decoded.byteSize());
            }
            MemorySegment.copy(buffer, 0, decoded, JAVA_BYTE, written, read);
            written += read;
        }
        return written;
    }

    /**
     * Encodes all of {@code decoded} to the front of {@code encoded}.
     *
     * @param name of the codec
     * @param library that the codec needs, for the message if it is missing
     * @return bytes written
     */
    static long encode(
            String name,
            String library,
            Opener<OutputStream, OutputStream> encoder,
            MemorySegment decoded,
            MemorySegment encoded)
            throws CodecException {
        ByteArrayOutputStream target = new ByteArrayOutputStream();
        try (OutputStream stream = encoder.open(target)) {
            new SegmentInputStream(decoded).transferTo(stream);
        } catch (NoClassDefFoundError e) {
            throw missing(name, library, e);
        } catch (IOException e) {
            throw new CodecException(name, "cannot encode: " + e.getMessage(), e);
        }
        MemorySegment bytes = MemorySegment.ofArray(target.toByteArray());
        MemorySegment.copy(bytes, 0, encoded, 0, bytes.byteSize());
        return bytes.byteSize();
    }

    private static CodecException missing(String name, String library, Error e) {
        return new MissingLibraryException(name, "the library " + library + " is not there", e);
    }
}
