package io.zarrengine.zarr.codec.blosc;

import io.zarrengine.bindings.frames.BloscHeader;
import io.zarrengine.zarr.codec.BoxCall;
import io.zarrengine.zarr.codec.BytesCodec;
import io.zarrengine.zarr.codec.ChunkDecoder;
import io.zarrengine.zarr.codec.Decompressor;
import io.zarrengine.zarr.codec.Workspace;
import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.errors.TargetTooSmallException;
import io.zarrengine.zarr.place.ElementRows;
import io.zarrengine.zarr.shuffle.BitShuffle;
import io.zarrengine.zarr.shuffle.BytePlanes;
import io.zarrengine.zarr.shuffle.ByteShuffle;
import io.zarrengine.zarr.shuffle.PlaneSink;
import java.lang.foreign.MemorySegment;

/**
 * The {@code blosc} codec: blocks of shuffled elements, each compressed in one stream, or in one
 * for each byte of an element. Decoding needs only the chunk's own header.
 *
 * @see <a href="https://zarr-specs.readthedocs.io/en/latest/v3/codecs/blosc/index.html">Zarr v3,
 *     blosc codec</a>
 */
public record BloscCodec()
        implements BytesCodec.PartialDecoder, BytesCodec.ShuffledDecoder, BytesCodec.BoxDecoder {
    public static final String NAME = "blosc";

    private static final int SHUFFLE_BUFFER = 2; // of the workspace

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public long encodedBytesMax(long decodedBytes) {
        return decodedBytes + BloscHeader.BYTES;
    }

    @Override
    public boolean canEncode() {
        return false;
    }

    @Override
    public long encode(MemorySegment decoded, MemorySegment encoded, Workspace workspace)
            throws CodecException {
        throw new CodecException(NAME, "encoding is not supported");
    }

    @Override
    public long decode(MemorySegment encoded, MemorySegment decoded, Workspace workspace)
            throws CodecException {
        BloscHeader header = BloscChunk.checkedHeader(encoded, decoded.byteSize());
        if (header.isStored()) {
            MemorySegment.copy(encoded, BloscHeader.BYTES, decoded, 0, header.decodedBytes());
            return header.decodedBytes();
        }
        if (header.decodedBytes() == 0) {
            return 0;
        }
        BloscChunk chunk = new BloscChunk(encoded, header);
        return decodeBlocks(chunk, decoded, 0, header.decodedBytes(), workspace);
    }

    @Override
    public long decodeRange(
            MemorySegment encoded, MemorySegment decoded, long from, long to, Workspace workspace)
            throws CodecException {
        BloscHeader header = BloscChunk.checkedHeader(encoded, decoded.byteSize());
        ChunkDecoder.checkedSize(NAME, header.decodedBytes(), decoded.byteSize());
        if (from == to) {
            return 0;
        }
        if (header.isStored()) {
            MemorySegment.copy(encoded, BloscHeader.BYTES + from, decoded, from, to - from);
            return to - from;
        }
        return decodeBlocks(new BloscChunk(encoded, header), decoded, from, to, workspace);
    }

    /** Returns the number of decoded bytes: the wanted blocks, the last one perhaps in part. */
    private static long decodeBlocks(
            BloscChunk chunk, MemorySegment decoded, long from, long to, Workspace workspace)
            throws CodecException {
        BloscHeader header = chunk.header();
        long bytes = 0;
        for (long at = from - from % header.blockBytes(); at < to; at += header.blockBytes()) {
            int block = (int) (at / header.blockBytes());
            MemorySegment target = decoded.asSlice(at, header.blockBytes(block));
            long first = Math.max(from - at, 0);
            long wanted = Math.min(to - at, target.byteSize());
            bytes += decodeBlock(chunk, block, target, first, wanted, workspace);
        }
        return bytes;
    }

    @Override
    public long decodePlanes(
            MemorySegment encoded, long decodedBytes, PlaneSink sink, Workspace workspace)
            throws CodecException {
        BloscHeader header = BloscChunk.checkedHeader(encoded, decodedBytes);
        ChunkDecoder.checkedSize(NAME, header.decodedBytes(), decodedBytes);
        int typeBytes = header.typeBytes();
        boolean isFit =
                !header.isStored()
                        && header.isByteShuffled()
                        && sink.elementBytes() % typeBytes == 0
                        && header.blockBytes() % typeBytes == 0;
        if (!isFit) {
            return -1;
        }
        BloscChunk chunk = new BloscChunk(encoded, header);
        long blockBytes = header.blockBytes();
        long bytes = 0;
        for (long at = sink.from() - sink.from() % blockBytes; at < sink.to(); at += blockBytes) {
            int block = (int) (at / blockBytes);
            long wanted = Math.min(sink.to() - at, header.blockBytes(block));
            ShuffledBlock decoded = decodeShuffled(chunk, block, wanted, workspace);
            sink.put(decoded.planes(), at);
            bytes += decoded.bytes();
        }
        return bytes;
    }

    @Override
    public BoxCall boxCall(Workspace workspace) throws CodecException {
        return BloscCall.IS_THERE ? workspace.context(BloscCall.FACTORY) : null;
    }

    /** Returns the number of decoded bytes of the block: at least up to the last wanted byte. */
    private static long decodeBlock(
            BloscChunk chunk,
            int block,
            MemorySegment decoded,
            long from,
            long to,
            Workspace workspace)
            throws CodecException {
        BloscHeader header = chunk.header();
        if (header.isByteShuffled()) {
            ShuffledBlock shuffled = decodeShuffled(chunk, block, to, workspace);
            int typeBytes = header.typeBytes();
            long first = from / typeBytes;
            long end = Math.min(Math.ceilDiv(to, typeBytes), shuffled.planes().elements());
            shuffled.planes().put(ElementRows.one(first, end, decoded, first * typeBytes));
            if (to > end * typeBytes) {
                ByteShuffle.copyRest(shuffled.firstStream(), decoded, typeBytes);
            }
            return shuffled.bytes();
        }
        Decompressor decompressor = workspace.context(chunk.decompressor());
        long bytes = decoded.byteSize();
        int splits = header.splits(block);
        if (!header.isBitShuffled()) {
            long front = splits == 1 ? to : bytes / splits;
            return decodeStreams(chunk, block, decoded, front, decompressor);
        }
        MemorySegment buffer = workspace.buffer(SHUFFLE_BUFFER, 2 * bytes);
        MemorySegment streams = buffer.asSlice(0, bytes);
        decodeStreams(chunk, block, streams, bytes / splits, decompressor);
        BitShuffle.unshuffle(streams, decoded, header.typeBytes(), buffer.asSlice(bytes, bytes));
        return bytes;
    }

    /**
     * A byte-shuffled block.
     *
     * @param firstStream the first plane; the whole block if it is not split
     * @param planes anywhere in memory; some bytes of the last elements, which are not wanted, are
     *     undefined
     * @param bytes number of decoded bytes
     */
    private record ShuffledBlock(MemorySegment firstStream, BytePlanes planes, long bytes) {}

    /** Decodes the elements before byte {@code to}, without unshuffling them. */
    private static ShuffledBlock decodeShuffled(
            BloscChunk chunk, int block, long to, Workspace workspace) throws CodecException {
        BloscHeader header = chunk.header();
        Decompressor decompressor = workspace.context(chunk.decompressor());
        int typeBytes = header.typeBytes();
        long blockBytes = header.blockBytes(block);
        long elements = blockBytes / typeBytes;
        long end = Math.ceilDiv(to, typeBytes);
        int splits = header.splits(block);
        long streamBytes = blockBytes / splits;
        long otherPlanes = splits == 1 ? (typeBytes - 1) * elements : 0;
        long front = end < elements ? otherPlanes + end : streamBytes;
        MemorySegment buffer = workspace.buffer(SHUFFLE_BUFFER, blockBytes);
        MemorySegment[] streams = chunk.streams(block);
        long bytes = 0;
        for (int i = 0; i < splits; i++) {
            if (streams[i].byteSize() == streamBytes) { // uncompressed: not copied
                bytes += front;
            } else {
                MemorySegment stream = buffer.asSlice(i * streamBytes, streamBytes);
                bytes += decodeStream(streams[i], stream, front, decompressor);
                streams[i] = stream;
            }
        }
        BytePlanes planes =
                splits == 1 ? BytePlanes.of(streams[0], typeBytes) : new BytePlanes(streams);
        return new ShuffledBlock(streams[0], planes, bytes);
    }

    /**
     * Decodes the front of each stream to adjacent places.
     *
     * @return number of decoded bytes
     */
    private static long decodeStreams(
            BloscChunk chunk,
            int block,
            MemorySegment target,
            long front,
            Decompressor decompressor)
            throws CodecException {
        long streamBytes = target.byteSize() / chunk.header().splits(block);
        long at = 0;
        long decoded = 0;
        for (MemorySegment stream : chunk.streams(block)) {
            MemorySegment to = target.asSlice(at, streamBytes);
            if (stream.byteSize() == to.byteSize()) { // uncompressed
                MemorySegment.copy(stream, 0, to, 0, front);
                decoded += front;
            } else {
                decoded += decodeStream(stream, to, front, decompressor);
            }
            at += to.byteSize();
        }
        return decoded;
    }

    private static long decodeStream(
            MemorySegment stream, MemorySegment target, long wanted, Decompressor decompressor)
            throws CodecException {
        long front = decompressor.decompressFront(stream, target, wanted);
        if (front >= 0) {
            return front;
        }
        try {
            return decodeWhole(stream, target, decompressor);
        } catch (CodecException e) {
            long salvaged = decompressor.salvageFront(stream, target, wanted);
            if (salvaged < 0) {
                throw e;
            }
            return salvaged;
        }
    }

    private static long decodeWhole(
            MemorySegment stream, MemorySegment target, Decompressor decompressor)
            throws CodecException {
        long written;
        try {
            written = decompressor.decompress(stream, target);
        } catch (TargetTooSmallException e) {
            throw new CodecException(NAME, "a stream is longer than the header says", e);
        }
        if (written != target.byteSize()) {
            throw BloscChunk.damaged(
                    "a stream decodes to " + written + " bytes, expected " + target.byteSize());
        }
        return written;
    }
}
