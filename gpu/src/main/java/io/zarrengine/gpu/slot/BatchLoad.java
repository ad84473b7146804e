package io.zarrengine.gpu.slot;

import io.zarrengine.gpu.chunk.Alignment;
import io.zarrengine.gpu.chunk.DeviceChunk;
import io.zarrengine.gpu.tuning.DeviceOptions;
import io.zarrengine.nvcomp.NvcompFormat;
import java.util.Arrays;

/** The resources of a batch that chunks take. Owner: a slot's or a batch's. */
@SuppressWarnings("EnumOrdinal") // Format ordinals index short arrays, for every chunk.
public final class BatchLoad {
    private static final int FORMATS = NvcompFormat.values().length;

    private final DeviceOptions options;
    private final int piecesMax;
    private final long encodedMax;

    private long encoded; // bytes of slots
    private long decoded; // bytes of chunks that are not decoded directly to their targets
    private int pieces;
    private int copies;
    private final int[] streams = new int[FORMATS]; // chunks as nvCOMP counts them
    private final long[] streamBytesMax = new long[FORMATS]; // of one decoded stream

    private BatchLoad(DeviceOptions options, int piecesMax) {
        this.options = options;
        this.piecesMax = piecesMax;
        encodedMax = Math.max(options.batchBytes(), options.slotBytes());
    }

    public static BatchLoad ofBatch(DeviceOptions options) {
        return new BatchLoad(options, options.partsMax());
    }

    static BatchLoad ofSlot(DeviceOptions options) {
        return new BatchLoad(options, options.partsOfSlotMax());
    }

    /**
     * {@return whether a batch has room for streams of one format} A stream is a chunk to nvCOMP.
     * Scratch memory grows with their number times the size of the largest.
     */
    public static boolean fits(DeviceOptions options, long streams, long streamBytesMax) {
        return streams <= options.batchChunks() && streams * streamBytesMax <= options.batchBytes();
    }

    /** {@return the bytes of chunks that are not decoded directly to their targets} */
    public long decodedBytes() {
        return decoded;
    }

    /** {@return the used share of the batch's scarcest resource} */
    public double share() {
        double bytes =
                Math.max(encoded / (double) encodedMax, decoded / (double) options.batchBytes());
        double share = Math.max(bytes, Math.max(pieces, copies) / (double) piecesMax);
        for (int i = 0; i < FORMATS; i++) {
            share = Math.max(share, streams[i] / (double) options.batchChunks());
            share = Math.max(share, streams[i] * streamBytesMax[i] / (double) options.batchBytes());
        }
        return share;
    }

    public void clear() {
        encoded = 0;
        decoded = 0;
        pieces = 0;
        copies = 0;
        Arrays.fill(streams, 0);
        Arrays.fill(streamBytesMax, 0);
    }

    /** Adds the resources of a chunk. Returns false if they would exceed those of a batch. */
    public boolean tryAdd(DeviceChunk chunk) {
        int newPieces = pieces + (chunk.isDirect() ? 0 : chunk.pieces().size());
        if (newPieces > piecesMax || copies + chunk.copies() > piecesMax) {
            return false;
        }
        NvcompFormat format = chunk.format();
        if (format != null) {
            int number = format.ordinal();
            int newStreams = streams[number] + chunk.streams();
            long newMax = Math.max(streamBytesMax[number], chunk.streamBytesMax());
            long newDecoded = decoded + (chunk.isDirect() ? 0 : Alignment.up(chunk.decodedBytes()));
            if (!fits(options, newStreams, newMax) || newDecoded > options.batchBytes()) {
                return false;
            }
            streams[number] = newStreams;
            streamBytesMax[number] = newMax;
            decoded = newDecoded;
        }
        pieces = newPieces;
        copies += chunk.copies();
        return true;
    }

    /** Adds the resources of a slot. Returns false if they would exceed those of a batch. */
    public boolean tryAdd(BatchLoad slot, long slotBytes) {
        boolean fits =
                encoded + slotBytes <= encodedMax
                        && decoded + slot.decoded <= options.batchBytes()
                        && pieces + slot.pieces <= piecesMax
                        && copies + slot.copies <= piecesMax;
        for (int i = 0; fits && i < FORMATS; i++) {
            int newStreams = streams[i] + slot.streams[i];
            long newMax = Math.max(streamBytesMax[i], slot.streamBytesMax[i]);
            fits = fits(options, newStreams, newMax);
        }
        if (!fits) {
            return false;
        }
        encoded += slotBytes;
        decoded += slot.decoded;
        pieces += slot.pieces;
        copies += slot.copies;
        for (int i = 0; i < FORMATS; i++) {
            streams[i] += slot.streams[i];
            streamBytesMax[i] = Math.max(streamBytesMax[i], slot.streamBytesMax[i]);
        }
        return true;
    }
}
