package io.zarrengine.zarr.codec;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.errors.TargetTooSmallException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * The {@code blosc} codec: blocks of shuffled elements, each compressed in one stream or one for
 * each byte of an element. Everything that decoding needs is in the chunk's own header.
 *
 * @see <a href="https://zarr-specs.readthedocs.io/en/latest/v3/codecs/blosc/index.html">Zarr v3,
 *     blosc codec</a>
 */
record BloscCodec() implements BytesCodec.PartialDecoder {
    static final String NAME = "blosc";

    private static final int SHUFFLE_BUFFER = 2; // of the workspace

    private static final ValueLayout.OfInt LE_INT =
            JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public long encodedBytesMax(long decodedBytes) {
        return decodedBytes + BloscHeader.BYTES;
    }

    @Override
    public long encode(MemorySegment decoded, MemorySegment encoded, Workspace workspace)
            throws CodecException {
        throw new CodecException(NAME, "encoding is not supported");
    }

    @Override
    public long decode(MemorySegment encoded, MemorySegment decoded, Workspace workspace)
            throws CodecException {
        BloscHeader header = BloscHeader.read(encoded, decoded.byteSize());
        if (header.isStored()) {
            MemorySegment.copy(encoded, BloscHeader.BYTES, decoded, 0, header.decodedBytes());
            return header.decodedBytes();
        }
        if (header.decodedBytes() == 0) {
            return 0;
        }
        return decodeBlocks(header, encoded, decoded, 0, header.decodedBytes(), workspace);
    }

    @Override
    public long decodeRange(
            MemorySegment encoded, MemorySegment decoded, long from, long to, Workspace workspace)
            throws CodecException {
        BloscHeader header = BloscHeader.read(encoded, decoded.byteSize());
        ChunkDecoder.checkedSize(NAME, header.decodedBytes(), decoded);
        if (from == to) {
            return 0;
        }
        if (header.isStored()) {
            MemorySegment.copy(encoded, BloscHeader.BYTES + from, decoded, from, to - from);
            return to - from;
        }
        return decodeBlocks(header, encoded, decoded, from, to, workspace);
    }

    /** Returns how many bytes were decoded: the wanted blocks, the last one perhaps in part. */
    private static long decodeBlocks(
            BloscHeader header,
            MemorySegment encoded,
            MemorySegment decoded,
            long from,
            long to,
            Workspace workspace)
            throws CodecException {
        MemorySegment chunk = encoded.asSlice(0, header.encodedBytes());
        long bytes = 0;
        for (long at = from - from % header.blockBytes(); at < to; at += header.blockBytes()) {
            int block = (int) (at / header.blockBytes());
            MemorySegment target = decoded.asSlice(at, header.blockBytes(block));
            long first = Math.max(from - at, 0);
            long wanted = Math.min(to - at, target.byteSize());
            bytes += decodeBlock(header, chunk, block, target, first, wanted, workspace);
        }
        return bytes;
    }

    /** Returns how many bytes of the block were decoded: up to the last one wanted, at least. */
    private static long decodeBlock(
            BloscHeader header,
            MemorySegment chunk,
            int block,
            MemorySegment decoded,
            long from,
            long to,
            Workspace workspace)
            throws CodecException {
        Decompressor decompressor = workspace.decompressor(header.format());
        long bytes = decoded.byteSize();
        int splits = header.splits(block);
        if (!header.isByteShuffled() && !header.isBitShuffled()) {
            long front = splits == 1 ? to : bytes / splits;
            return decodeStreams(header, chunk, block, decoded, front, decompressor);
        }
        MemorySegment buffer = workspace.buffer(SHUFFLE_BUFFER, 2 * bytes);
        MemorySegment streams = buffer.asSlice(0, bytes);
        if (header.isBitShuffled()) {
            decodeStreams(header, chunk, block, streams, bytes / splits, decompressor);
            BitShuffle.unshuffle(
                    streams, decoded, header.typeBytes(), buffer.asSlice(bytes, bytes));
            return bytes;
        }
        int typeBytes = header.typeBytes();
        long elements = bytes / typeBytes;
        long end = Math.min(Math.ceilDiv(to, typeBytes), elements);
        boolean isAll = end == elements; // With what is behind the last whole element.
        long otherPlanes = splits == 1 ? (typeBytes - 1) * elements : 0;
        long front = isAll ? bytes / splits : otherPlanes + end;
        long written = decodeStreams(header, chunk, block, streams, front, decompressor);
        ByteShuffle.unshuffle(streams, decoded, typeBytes, from / typeBytes, end);
        return written;
    }

    /**
     * Decodes the front of each stream, which lie side by side.
     *
     * @return how many bytes were decoded
     */
    private static long decodeStreams(
            BloscHeader header,
            MemorySegment chunk,
            int block,
            MemorySegment target,
            long front,
            Decompressor decompressor)
            throws CodecException {
        int splits = header.splits(block);
        long streamBytes = target.byteSize() / splits;
        long at = header.blockOffset(chunk, block);
        long decoded = 0;
        for (int split = 0; split < splits; split++) {
            if (at + Integer.BYTES > chunk.byteSize()) {
                throw BloscHeader.damaged("block " + block + " reaches behind the chunk");
            }
            long encodedBytes = Integer.toUnsignedLong(chunk.get(LE_INT, at));
            at += Integer.BYTES;
            if (encodedBytes > chunk.byteSize() - at) {
                throw BloscHeader.damaged(
                        "a stream of " + encodedBytes + " bytes reaches behind the chunk");
            }
            decoded +=
                    decodeStream(
                            chunk.asSlice(at, encodedBytes),
                            target.asSlice(split * streamBytes, streamBytes),
                            front,
                            decompressor);
            at += encodedBytes;
        }
        return decoded;
    }

    private static long decodeStream(
            MemorySegment stream, MemorySegment target, long wanted, Decompressor decompressor)
            throws CodecException {
        if (stream.byteSize() == target.byteSize()) { // It did not compress.
            MemorySegment.copy(stream, 0, target, 0, wanted);
            return wanted;
        }
        long front = decompressor.decompressFront(stream, target, wanted);
        if (front >= 0) {
            return front;
        }
        long written;
        try {
            written = decompressor.decompress(stream, target);
        } catch (TargetTooSmallException e) {
            throw new CodecException(NAME, "a stream is longer than the header says", e);
        }
        if (written != target.byteSize()) {
            throw BloscHeader.damaged(
                    "a stream decodes to " + written + " bytes, expected " + target.byteSize());
        }
        return written;
    }
}
