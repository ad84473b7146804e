package io.zarrengine.zarr.codec.stream;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.util.List;
import org.tukaani.xz.DeltaOptions;
import org.tukaani.xz.LZMA2InputStream;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.LZMAInputStream;
import org.tukaani.xz.LZMAOutputStream;
import org.tukaani.xz.XZ;
import org.tukaani.xz.XZInputStream;
import org.tukaani.xz.XZOutputStream;

/**
 * Opens the streams of the xz library. No other class uses this library, because it is optional.
 *
 * <p>A stream's header has the size of its decoder's dictionary, up to 4 GiB, and the library
 * allocates it at once. No match reaches back beyond the first decoded byte, so a dictionary of the
 * target's size is enough.
 */
final class LzmaStreams {
    private static final int ALONE_HEADER_BYTES = 13;

    /** Memory for blocks after a stream's first one, whose headers cannot be found in advance. */
    private static final int MEMORY_KIB_MIN = 70 << 10; // preset 9 takes 65 MiB

    private static final int DICTIONARY_BYTES_MAX = Integer.MAX_VALUE & ~15; // LZMA2InputStream
    private static final int DICTIONARY_MARGIN_BYTES = 4096;

    private LzmaStreams() {}

    static boolean isXz(SegmentInputStream source) {
        return source.startsWith(XZ.HEADER_MAGIC);
    }

    /** Returns a decoder of one or several .xz streams, with padding. */
    static InputStream xzDecoder(SegmentInputStream source, long targetBytes) throws IOException {
        int dictionaryBytes = dictionaryBytes(Long.MAX_VALUE, targetBytes);
        byte[] front = source.readNBytes(XzHeader.BYTES_MAX);
        XzHeader.limitDictionary(front, dictionaryBytes);
        int memoryKib =
                Math.max(MEMORY_KIB_MIN, LZMA2InputStream.getMemoryUsage(dictionaryBytes) + 1024);
        return new XZInputStream(
                new SequenceInputStream(new ByteArrayInputStream(front), source), memoryKib);
    }

    /**
     * Returns a decoder of one .lzma stream: 1 byte of properties, 4 of the dictionary's size, 8 of
     * the decoded size.
     */
    static InputStream aloneDecoder(SegmentInputStream source, long targetBytes)
            throws IOException {
        byte[] header = source.readNBytes(ALONE_HEADER_BYTES);
        if (header.length < ALONE_HEADER_BYTES) {
            throw new EOFException(header.length + " bytes are too few for a header");
        }
        long claimed = Integer.toUnsignedLong((int) littleEndian(header, 1, 4));
        long decodedBytes = littleEndian(header, 5, 8); // -1 if unknown, with an end marker
        return new LZMAInputStream(
                source, decodedBytes, header[0], dictionaryBytes(claimed, targetBytes));
    }

    private static long littleEndian(byte[] bytes, int from, int count) {
        long value = 0;
        for (int i = count - 1; i >= 0; i--) {
            value = value << 8 | Byte.toUnsignedLong(bytes[from + i]);
        }
        return value;
    }

    /** Returns a decoder of filters without a container, which undoes the last filter first. */
    static InputStream rawDecoder(
            SegmentInputStream source, List<LzmaFilter> filters, long targetBytes)
            throws IOException {
        InputStream stream = source;
        for (int i = filters.size() - 1; i >= 0; i--) {
            stream = undo(filters.get(i), stream, targetBytes);
        }
        return stream;
    }

    private static InputStream undo(LzmaFilter filter, InputStream in, long targetBytes)
            throws IOException {
        int dictionaryBytes = dictionaryBytes(filter.dictionaryBytes(), targetBytes);
        if (filter.id() == LzmaFilter.LZMA2) {
            return new LZMA2InputStream(in, dictionaryBytes);
        }
        if (filter.id() == LzmaFilter.LZMA1) {
            return new LZMAInputStream(
                    in,
                    -1, // decoded size unknown
                    filter.literalContextBits(),
                    filter.literalPositionBits(),
                    filter.positionBits(),
                    dictionaryBytes,
                    null);
        }
        return new DeltaOptions(filter.distance()).getInputStream(in);
    }

    /**
     * Returns the size of the dictionary. The margin distinguishes a target that is too small from
     * a match that reaches too far back.
     */
    private static int dictionaryBytes(long claimed, long targetBytes) {
        long needed = Math.min(targetBytes + DICTIONARY_MARGIN_BYTES, DICTIONARY_BYTES_MAX);
        return (int) Math.min(claimed, needed);
    }

    static OutputStream xzEncoder(OutputStream target, int preset, int check) throws IOException {
        return new XZOutputStream(
                target, new LZMA2Options(preset), check < 0 ? XZ.CHECK_CRC64 : check);
    }

    static OutputStream aloneEncoder(OutputStream target, int preset) throws IOException {
        return new LZMAOutputStream(target, new LZMA2Options(preset), -1);
    }
}
