package io.zarrengine.zarr.codec.deflate;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import io.zarrengine.zarr.codec.ByteBuffers;
import io.zarrengine.zarr.codec.Decompressor;
import io.zarrengine.zarr.errors.CodecException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.zip.Adler32;

/**
 * One zlib stream, whose Adler-32 is checked unless that is not wanted.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc1950">RFC 1950</a>
 */
final class ZlibDecompressor implements Decompressor {
    private static final ValueLayout.OfInt BE_INT =
            JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfShort BE_SHORT =
            JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    // RFC 1950 section 2.2
    private static final int HEADER_BYTES = 2;
    private static final int TRAILER_BYTES = 4;
    private static final int METHOD = 0x0f;
    private static final int DEFLATE = 8;
    private static final int WINDOW_MAX = 7; // log2 of its bytes, less 8
    private static final int DIVISOR = 31; // of the header
    private static final int FDICT = 0x20;

    private final Inflate inflate = new Inflate(ZlibCodec.NAME);
    private final Adler32 adler = new Adler32();
    private final boolean verifiesChecksums;

    /** {@code verifiesChecksums}: streams are decoded to their ends, and the Adler-32 compared. */
    ZlibDecompressor(boolean verifiesChecksums) {
        this.verifiesChecksums = verifiesChecksums;
    }

    @Override
    public long decompress(MemorySegment encoded, MemorySegment decoded) throws CodecException {
        checkHeader(encoded);
        long written = inflate.run(encoded.asSlice(HEADER_BYTES), decoded);
        long end = HEADER_BYTES + inflate.consumedBytes();
        checkTrailer(encoded, end, decoded.asSlice(0, written));
        long more = encoded.byteSize() - end - TRAILER_BYTES;
        if (more != 0) {
            throw damaged(more + " bytes follow the stream");
        }
        return written;
    }

    @Override
    public long decompressFront(MemorySegment encoded, MemorySegment decoded, long bytes)
            throws CodecException {
        if (verifiesChecksums || bytes == decoded.byteSize()) {
            return -1;
        }
        checkHeader(encoded);
        return inflate.runFront(encoded.asSlice(HEADER_BYTES), decoded, bytes);
    }

    private static void checkHeader(MemorySegment encoded) throws CodecException {
        int header =
                encoded.byteSize() < HEADER_BYTES
                        ? 0
                        : Short.toUnsignedInt(encoded.get(BE_SHORT, 0));
        int method = header >> Byte.SIZE;
        if ((method & METHOD) != DEFLATE || method >> 4 > WINDOW_MAX || header % DIVISOR != 0) {
            throw damaged("has no zlib header");
        }
        if ((encoded.get(JAVA_BYTE, 1) & FDICT) != 0) {
            throw damaged("needs a preset dictionary");
        }
    }

    private void checkTrailer(MemorySegment encoded, long at, MemorySegment inflated)
            throws CodecException {
        if (at + TRAILER_BYTES > encoded.byteSize()) {
            throw damaged("ends inside its trailer");
        }
        if (verifiesChecksums) {
            adler.reset();
            ByteBuffers.update(adler, inflated);
            if ((int) adler.getValue() != encoded.get(BE_INT, at)) {
                throw damaged("Adler-32 does not match");
            }
        }
    }

    private static CodecException damaged(String problem) {
        return new CodecException(ZlibCodec.NAME, problem);
    }

    @Override
    public void close() {
        inflate.close();
    }
}
