package io.zarrengine.zarr.codec.deflate;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

import io.zarrengine.bindings.frames.StableBytes;
import io.zarrengine.bindings.frames.ZlibHeader;
import io.zarrengine.zarr.codec.ByteBuffers;
import io.zarrengine.zarr.codec.Decompressor;
import io.zarrengine.zarr.errors.CodecException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.zip.Adler32;

/**
 * Decodes one zlib stream. Checks its Adler-32 if checksums are verified.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc1950">RFC 1950</a>
 */
final class ZlibDecompressor implements Decompressor {
    private static final ValueLayout.OfInt BE_INT =
            JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private final Inflate inflate = new Inflate(ZlibCodec.NAME);
    private final Adler32 adler = new Adler32();
    private final boolean verifiesChecksums;

    /**
     * With {@code verifiesChecksums}, streams are decoded to their ends, and the Adler-32 is
     * compared.
     */
    ZlibDecompressor(boolean verifiesChecksums) {
        this.verifiesChecksums = verifiesChecksums;
    }

    @Override
    public long decompress(MemorySegment encoded, MemorySegment decoded) throws CodecException {
        checkHeader(encoded);
        long written = inflate.run(encoded.asSlice(ZlibHeader.BYTES), decoded);
        long end = ZlibHeader.BYTES + inflate.consumedBytes();
        checkTrailer(encoded, end, decoded.asSlice(0, written));
        long more = encoded.byteSize() - end - ZlibHeader.TRAILER_BYTES;
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
        return inflate.runFront(encoded.asSlice(ZlibHeader.BYTES), decoded, bytes);
    }

    private static void checkHeader(MemorySegment encoded) throws CodecException {
        ZlibHeader header =
                encoded.byteSize() < ZlibHeader.BYTES
                        ? null
                        : ZlibHeader.read(new StableBytes(encoded));
        if (header == null || !header.isDeflate()) {
            throw damaged("has no zlib header");
        }
        if (header.hasDictionary()) {
            throw damaged("needs a preset dictionary");
        }
    }

    private void checkTrailer(MemorySegment encoded, long at, MemorySegment inflated)
            throws CodecException {
        if (at + ZlibHeader.TRAILER_BYTES > encoded.byteSize()) {
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
