package io.zarrengine.zarr.codec.blosc;

import io.zarrengine.bindings.frames.BloscHeader;
import io.zarrengine.bindings.frames.StableBytes;
import io.zarrengine.zarr.codec.CodecContext;
import io.zarrengine.zarr.codec.Decompressor;
import io.zarrengine.zarr.codec.deflate.ZlibCodec;
import io.zarrengine.zarr.codec.lz77.Lz4Codec;
import io.zarrengine.zarr.codec.lz77.MachineCodeLz77Decompressor;
import io.zarrengine.zarr.codec.zstd.ZstdCodec;
import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.errors.TargetTooSmallException;
import java.lang.foreign.MemorySegment;

/**
 * A blosc1 chunk whose header was checked against the sizes of the chunk and the target.
 *
 * @param bytes the chunk, and perhaps more
 * @param header of the chunk, from {@link #checkedHeader}
 */
record BloscChunk(MemorySegment bytes, BloscHeader header) {
    /**
     * Reads and checks the header of {@code encoded}, which may decode to {@code decodedBytesMax}
     * bytes.
     */
    static BloscHeader checkedHeader(MemorySegment encoded, long decodedBytesMax)
            throws CodecException {
        if (encoded.byteSize() < BloscHeader.BYTES) {
            throw damaged(encoded.byteSize() + " bytes are too few for a header");
        }
        BloscHeader header = BloscHeader.read(new StableBytes(encoded));
        check(header, encoded.byteSize(), decodedBytesMax);
        return header;
    }

    private static void check(BloscHeader header, long bytesThere, long decodedBytesMax)
            throws CodecException {
        if (header.version() != BloscHeader.VERSION) {
            throw damaged(
                    "format version "
                            + header.version()
                            + " is not known, expected "
                            + BloscHeader.VERSION);
        }
        int decodedBytes = header.decodedBytes();
        if (decodedBytes < 0) {
            throw damaged(
                    "header says "
                            + Integer.toUnsignedString(decodedBytes)
                            + " decoded bytes, expected at most "
                            + decodedBytesMax);
        }
        if (decodedBytes > decodedBytesMax) {
            throw new TargetTooSmallException(BloscCodec.NAME, decodedBytes, decodedBytesMax);
        }
        int encodedBytes = header.encodedBytes();
        if (encodedBytes < BloscHeader.BYTES || encodedBytes > bytesThere) {
            throw damaged(
                    "header says "
                            + Integer.toUnsignedString(encodedBytes)
                            + " encoded bytes, there are "
                            + bytesThere);
        }
        if (decodedBytes > 0) {
            checkBlocks(header);
        }
        if (!header.isStored() && header.formatVersion() != BloscHeader.FORMAT_VERSION) {
            throw damaged(
                    "version "
                            + header.formatVersion()
                            + " of the compression format is not known, expected "
                            + BloscHeader.FORMAT_VERSION);
        }
    }

    /**
     * Checks block sizes as c-blosc does, even for a chunk that is stored as it is and has no
     * blocks.
     */
    private static void checkBlocks(BloscHeader header) throws CodecException {
        int blockBytes = header.blockBytes();
        if (blockBytes <= 0 || blockBytes > header.blockBytesMax()) {
            throw damaged(
                    "header says blocks of "
                            + Integer.toUnsignedString(blockBytes)
                            + " bytes, expected 1 to "
                            + header.blockBytesMax());
        }
        int typeBytes = header.typeBytes();
        if (typeBytes == 0) {
            throw damaged("header says elements of 0 bytes");
        }
        if (header.hasReservedFlag()) {
            throw damaged("flag 0x08, which is reserved, is set");
        }
        if (header.isStored()) {
            checkStored(header);
            return;
        }
        if (header.frontBytes() > header.encodedBytes()) {
            throw damaged("there is no room for the offsets of " + header.blockCount() + " blocks");
        }
        if (blockBytes % header.splits(0) != 0) {
            throw damaged("a block of " + blockBytes + " bytes cannot be split into " + typeBytes);
        }
    }

    private static void checkStored(BloscHeader header) throws CodecException {
        long expected = BloscHeader.BYTES + (long) header.decodedBytes();
        if (header.encodedBytes() != expected) {
            throw damaged(
                    "header says "
                            + header.encodedBytes()
                            + " bytes for a stored chunk, expected "
                            + expected);
        }
    }

    /** Returns the factory of the streams' decoders. */
    CodecContext.Factory<Decompressor> decompressor() throws CodecException {
        return switch (header.format()) {
            case 0 -> MachineCodeLz77Decompressor.BLOSCLZ;
            case 1 -> Lz4Codec.DECOMPRESSOR; // lz4 and lz4hc
            case 2 -> MachineCodeLz77Decompressor.SNAPPY;
            case 3 -> ZlibCodec.DECOMPRESSOR;
            case 4 -> ZstdCodec.DECOMPRESSOR;
            default -> throw damaged("compression format " + header.format() + " is not known");
        };
    }

    /** Returns the encoded streams of a block. */
    MemorySegment[] streams(int block) throws CodecException {
        StableBytes numbers = new StableBytes(bytes);
        int end = header.encodedBytes();
        MemorySegment[] streams = new MemorySegment[header.splits(block)];
        long at = blockOffset(block);
        for (int i = 0; i < streams.length; i++) {
            if (at + BloscHeader.LENGTH_BYTES > end) {
                throw damaged("block " + block + " reaches behind the chunk");
            }
            long length = numbers.littleEndian(at, BloscHeader.LENGTH_BYTES);
            at += BloscHeader.LENGTH_BYTES;
            if (length > end - at) {
                throw damaged("a stream of " + length + " bytes reaches behind the chunk");
            }
            streams[i] = bytes.asSlice(at, length);
            at += length;
        }
        return streams;
    }

    /** Returns the offset of a block in bytes. */
    int blockOffset(int block) throws CodecException {
        int offset = header.blockOffset(new StableBytes(bytes), block);
        if (offset < BloscHeader.BYTES || offset > header.encodedBytes()) {
            throw damaged(
                    "block "
                            + block
                            + " begins at byte "
                            + Integer.toUnsignedString(offset)
                            + " of "
                            + header.encodedBytes());
        }
        return offset;
    }

    static CodecException damaged(String problem) {
        return new CodecException(BloscCodec.NAME, problem);
    }
}
