package io.zarrengine.zarr.codec.deflate;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

import io.zarrengine.bindings.frames.FrameBytes;
import io.zarrengine.bindings.frames.GzipHeader;
import io.zarrengine.bindings.frames.StableBytes;
import io.zarrengine.zarr.codec.ByteBuffers;
import io.zarrengine.zarr.codec.Decompressor;
import io.zarrengine.zarr.errors.CodecException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.zip.CRC32;

/**
 * Decodes one or several gzip members, perhaps followed by zeros. Checks each member's length, and
 * its CRC-32 if checksums are verified.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc1952">RFC 1952</a>
 */
final class GzipDecompressor implements Decompressor {
    private static final ValueLayout.OfInt LE_INT =
            JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final Inflate inflate = new Inflate(GzipCodec.NAME);
    private final CRC32 crc = new CRC32();
    private final boolean verifiesChecksums;

    /**
     * With {@code verifiesChecksums}, members are decoded to their ends, and the CRC-32 is
     * compared.
     */
    GzipDecompressor(boolean verifiesChecksums) {
        this.verifiesChecksums = verifiesChecksums;
    }

    @Override
    public long decompress(MemorySegment encoded, MemorySegment decoded) throws CodecException {
        long read = 0;
        long written = 0;
        do {
            MemorySegment member = encoded.asSlice(read);
            MemorySegment target = decoded.asSlice(written);
            refuseJunk(member, read);
            long header = headerBytes(member);
            long inflated = inflate.run(member.asSlice(header), target);
            long trailer = header + inflate.consumedBytes();
            checkTrailer(member, trailer, target.asSlice(0, inflated));
            read = behindZeros(encoded, read + trailer + GzipHeader.TRAILER_BYTES);
            written += inflated;
        } while (read < encoded.byteSize());
        return written;
    }

    /** Decodes the front if there is a single member, whose length is in the last bytes. */
    @Override
    public long decompressFront(MemorySegment encoded, MemorySegment decoded, long bytes)
            throws CodecException {
        boolean mayStop =
                !verifiesChecksums
                        && bytes < decoded.byteSize()
                        && encoded.byteSize() >= Integer.BYTES
                        && GzipHeader.contentBytes(new StableBytes(encoded)) == decoded.byteSize();
        if (!mayStop) {
            return -1;
        }
        return inflate.runFront(encoded.asSlice(headerBytes(encoded)), decoded, bytes);
    }

    /** Skips zeros after a member, as gzip and Python's module do. */
    private static long behindZeros(MemorySegment encoded, long from) {
        long at = from;
        while (at < encoded.byteSize() && encoded.get(JAVA_BYTE, at) == 0) {
            at++;
        }
        return at;
    }

    /** Refuses bytes after a member that are not another member. */
    private static void refuseJunk(MemorySegment member, long at) throws CodecException {
        if (at > 0 && !GzipHeader.isAtFrontOf(new StableBytes(member))) {
            throw damaged(
                    "is followed by "
                            + member.byteSize()
                            + " bytes from byte "
                            + at
                            + " on, which are no other gzip stream");
        }
    }

    private static long headerBytes(MemorySegment member) throws CodecException {
        FrameBytes numbers = new StableBytes(member);
        if (!GzipHeader.isAtFrontOf(numbers)) {
            throw damaged("has no gzip header");
        }
        GzipHeader header = GzipHeader.read(numbers);
        if (!header.isDeflate() || header.hasReservedFlag()) {
            throw damaged("has an unknown method or flag");
        }
        if (header.bytes() > member.byteSize()) {
            throw damaged("ends inside its header");
        }
        return header.bytes();
    }

    private void checkTrailer(MemorySegment member, long at, MemorySegment inflated)
            throws CodecException {
        if (at + GzipHeader.TRAILER_BYTES > member.byteSize()) {
            throw damaged("ends inside its trailer");
        }
        if (verifiesChecksums) {
            crc.reset();
            ByteBuffers.update(crc, inflated);
            if ((int) crc.getValue() != member.get(LE_INT, at)) {
                throw damaged("CRC-32 does not match");
            }
        }
        if ((int) inflated.byteSize() != member.get(LE_INT, at + Integer.BYTES)) {
            throw damaged("length does not match");
        }
    }

    private static CodecException damaged(String problem) {
        return new CodecException(GzipCodec.NAME, problem);
    }

    @Override
    public void close() {
        inflate.close();
    }
}
