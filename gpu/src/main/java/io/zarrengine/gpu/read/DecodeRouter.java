package io.zarrengine.gpu.read;

import io.zarrengine.gpu.chunk.Alignment;
import io.zarrengine.gpu.chunk.BloscStreams;
import io.zarrengine.gpu.chunk.ChunkLayout;
import io.zarrengine.gpu.chunk.DecodeDecision;
import io.zarrengine.gpu.chunk.DeviceEncoding;
import io.zarrengine.gpu.chunk.FrameBounds;
import io.zarrengine.gpu.chunk.HostDecoding;
import io.zarrengine.gpu.slot.BatchLoad;
import io.zarrengine.gpu.tuning.DecoderRule;
import io.zarrengine.gpu.tuning.DeviceOptions;
import io.zarrengine.nvcomp.BloscFrame;
import io.zarrengine.nvcomp.FrameCheck;
import io.zarrengine.nvcomp.NvcompFormat;
import io.zarrengine.zarr.codec.Workspace;
import io.zarrengine.zarr.pipeline.ChunkPipeline;
import io.zarrengine.zarr.pipeline.DeviceCodecs;
import io.zarrengine.zarr.pipeline.DeviceCodecs.Compression;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Decides which chunks the device decodes and which the workers. Workers decode chunks that the
 * device cannot decode, and chunks that it should not, because too few are in flight or the workers
 * finish them sooner. Owner: a read. Threads: any.
 */
final class DecodeRouter {
    /**
     * Properties that chunks of one pipeline share.
     *
     * @param pipeline the chunks' pipeline
     * @param codecs the codecs that a device could undo; null: the host decodes the chunks
     * @param encoding the encoding of chunks that the device decodes; {@link DeviceEncoding#NONE}
     *     if it has nothing to undo
     * @param layout the layout of their elements, whether the device or a worker decodes them
     * @param alignment the alignment of their bytes if nothing decodes them
     */
    record Kind(
            ChunkPipeline pipeline,
            DeviceCodecs codecs,
            DeviceEncoding encoding,
            ChunkLayout layout,
            long alignment) {
        /** {@return whether the chunks have an encoding that a device could undo} */
        boolean isEncoded() {
            return encoding.codecs() != null;
        }

        /** {@return whether the chunks begin with headers} The kind must have codecs. */
        boolean hasHeaders() {
            return codecs.compression() != Compression.NONE;
        }
    }

    private final DecodableFormats formats;
    private final long sourceAlignmentMax;
    private final DecoderRule rule;
    private final DeviceOptions options;
    private final long chunks; // approximate number in the read
    private volatile Kind last; // All chunks of a regular grid share one pipeline.

    /** {@code chunks} is the approximate number in the read. */
    DecodeRouter(DecodableFormats formats, DecoderRule rule, DeviceOptions options, long chunks) {
        this.formats = formats;
        sourceAlignmentMax = formats.sourceAlignmentMax();
        this.rule = rule;
        this.options = options;
        this.chunks = chunks;
    }

    @SuppressWarnings("ReferenceEquality") // Comparing the lists inside would take longer.
    Kind kind(ChunkPipeline pipeline) {
        Kind kind = last;
        if (kind == null || kind.pipeline != pipeline) {
            kind = kindOf(pipeline);
            last = kind;
        }
        return kind;
    }

    private static Kind kindOf(ChunkPipeline pipeline) {
        DeviceCodecs codecs = DeviceCodecs.of(pipeline).orElse(null);
        boolean isConverted = codecs != null && codecs.conversion().isPresent();
        boolean mayBeDirect = codecs != null && !codecs.isShuffled() && !isConverted;
        ChunkLayout layout = ChunkLayout.of(pipeline, pipeline.encodedShape(), mayBeDirect);
        boolean isPlain = mayBeDirect && codecs.compression() == Compression.NONE;
        DeviceEncoding encoding =
                codecs == null || isPlain
                        ? DeviceEncoding.NONE
                        : DeviceEncoding.of(pipeline, codecs, format(codecs.compression()));
        int elementBytes =
                codecs == null ? pipeline.elementBytes() : codecs.storedElementBytes(pipeline);
        long alignment = Math.min(Integer.lowestOneBit(elementBytes), Alignment.BYTES);
        return new Kind(pipeline, codecs, encoding, layout, alignment);
    }

    /** Returns null for no compression, and for blosc, which uses several formats. */
    private static NvcompFormat format(Compression compression) {
        return switch (compression) {
            case ZSTD -> NvcompFormat.ZSTD;
            case LZ4 -> NvcompFormat.LZ4;
            case GZIP -> NvcompFormat.GZIP;
            case ZLIB -> NvcompFormat.DEFLATE;
            case NONE, BLOSC -> null;
        };
    }

    /**
     * {@return whether a device may undo the encoding of these chunks although the host reads only
     * their headers}
     */
    boolean mayBeInFile(Kind kind, Workspace workspace) {
        return kind.codecs != null
                && kind.codecs.checksums() == 0
                && refusal(kind, workspace) == null;
    }

    /**
     * {@return the reason for which workers decode these chunks, or null if a device may} {@link
     * #decide} then decides for each chunk.
     */
    HostDecoding refusal(Kind kind, Workspace workspace) {
        if (kind.codecs == null) {
            return HostDecoding.CODECS;
        }
        Compression compression = kind.codecs.compression();
        if (compression == Compression.NONE) {
            return kind.codecs.isShuffled() ? HostDecoding.CODECS : null;
        }
        // The checksum of zlib is outside the frame.
        boolean isChecked = compression == Compression.GZIP || compression == Compression.ZLIB;
        if (isChecked && workspace.verifiesChecksums()) {
            return HostDecoding.CHECKSUM;
        }
        if (!isVouchedFor(kind, workspace)) {
            return HostDecoding.UNVOUCHED;
        }
        if (!rule.isLoaded()) {
            return HostDecoding.LOAD;
        }
        return compression == Compression.BLOSC
                ? null
                : refusalNow(kind.encoding, kind.encoding.format());
    }

    /**
     * Returns whether chunks are protected by checksums, or need not be. The result of nvCOMP on
     * damaged bytes is undefined, and may crash the device.
     */
    private boolean isVouchedFor(Kind kind, Workspace workspace) {
        return options.decodesUnchecked()
                || (kind.codecs.checksums() > 0 && workspace.verifiesChecksums());
    }

    /**
     * Returns the reason for which the device does not decode these chunks at the moment, or null.
     * Not used for blosc: the format of its streams is known only when the file's chunk is
     * examined, and a file whose chunks are refused then is given up ({@link RegisteredReads}).
     */
    private HostDecoding refusalNow(DeviceEncoding encoding, NvcompFormat format) {
        long bytes = encoding.decodedBytes();
        if (!formats.contains(format)) {
            return HostDecoding.DECODER;
        }
        boolean isPart = !goesToDevice(encoding, format, bytes, 1);
        if (isPart && !rule.isPartWelcome(format, bytes, chunks)) {
            return HostDecoding.SOONER;
        }
        boolean isHelped = encoding.conversion() == null && rule.isHelpDue(format, bytes);
        return isHelped ? HostDecoding.HELP : null;
    }

    /**
     * Returns whether the device decodes a chunk. It always decodes chunks whose numbers it
     * converts, because workers take far longer for that.
     *
     * @param format the format, which the device can decode
     * @param streams the number of the chunk's streams
     * @param streamBytes decoded bytes of each stream
     */
    private boolean goesToDevice(
            DeviceEncoding encoding, NvcompFormat format, long streamBytes, long streams) {
        return encoding.conversion() != null || rule.prefersDevice(format, streamBytes, streams);
    }

    /**
     * {@return the encoding that the device undoes, or the reason for which a worker decodes the
     * chunk}
     *
     * @param kind a kind without a {@link #refusal}
     * @param bytes the chunk's bytes, without checksums after the compressed bytes; may lie in a
     *     mapped file
     * @param bytesMax the room for the chunk's encoded bytes, and for its decoded bytes
     */
    DecodeDecision decide(Kind kind, MemorySegment bytes, long bytesMax, Workspace workspace) {
        long encodedBytes = bytes.byteSize();
        if (!kind.hasHeaders()) { // nothing to decode
            if (encodedBytes != kind.pipeline.serializedBytesMax()) {
                return HostDecoding.FRAME; // truncated: the worker reports it
            }
            return Alignment.up(encodedBytes) <= bytesMax ? kind.encoding : HostDecoding.SIZE;
        }
        if (!fits(kind.pipeline, encodedBytes, bytesMax)) {
            return HostDecoding.SIZE;
        }
        boolean comparesChecksums = workspace.verifiesChecksums();
        if (kind.codecs.compression() == Compression.BLOSC) {
            return ofBlosc(kind, bytes, bytesMax, comparesChecksums);
        }
        return fits(kind.pipeline, encodedBytes, options.slotBytes())
                ? ofFrame(kind.encoding, bytes, comparesChecksums)
                : HostDecoding.SIZE; // one warp decodes a stream so large at 75 MB/s
    }

    /** Returns whether there is room for a chunk, encoded at any alignment and decoded. */
    private boolean fits(ChunkPipeline pipeline, long encodedBytes, long bytesMax) {
        long decodedBytes = Math.max(pipeline.serializedBytesMax(), pipeline.decodedBytes());
        return Alignment.up(encodedBytes + sourceAlignmentMax) <= bytesMax
                && Alignment.up(decodedBytes) <= bytesMax;
    }

    private DecodeDecision ofBlosc(
            Kind kind, MemorySegment bytes, long bytesMax, boolean comparesChecksums) {
        int elementBytes = kind.codecs.storedElementBytes(kind.pipeline);
        if (BloscFrame.refusal(bytes, kind.encoding.decodedBytes()).isPresent()) {
            return HostDecoding.BLOSC;
        }
        BloscFrame frame = BloscFrame.read(bytes);
        if (frame.isStored()) {
            return HostDecoding.STORED; // copying is all that the CPU does too
        }
        if (!BloscStreams.isOf(frame, elementBytes)) {
            return HostDecoding.BLOSC;
        }
        NvcompFormat inner = frame.format().orElseThrow();
        if (inner == NvcompFormat.DEFLATE && comparesChecksums) { // each stream has one
            return HostDecoding.CHECKSUM;
        }
        if (!formats.contains(inner)) {
            return HostDecoding.DECODER;
        }
        if (!goesToDevice(kind.encoding, inner, frame.streamBytes(), frame.streamCount())) {
            return HostDecoding.SOONER;
        }
        if (frame.blockCount() > options.batchChunks() + options.partsOfSlotMax()) {
            return HostDecoding.SIZE; // before the streams are listed
        }
        BloscStreams streams =
                BloscStreams.of(
                        frame, bytes.byteSize(), elementBytes, formats.sourceAlignment(inner));
        boolean mayMove =
                streams.aligned()
                        .map(all -> all.areApart() && fits(kind.pipeline, all.byteSize(), bytesMax))
                        .orElse(true);
        return mayMove && hasRoom(streams) ? kind.encoding.with(inner, streams) : HostDecoding.SIZE;
    }

    /** Returns whether a slot and a batch have room for all streams of a blosc chunk. */
    private boolean hasRoom(BloscStreams streams) {
        return streams.bytesMax() <= options.slotBytes() // scratch memory requires it
                && streams.storedCount() <= options.partsOfSlotMax()
                && BatchLoad.fits(options, streams.encodedCount(), streams.bytesMax());
    }

    private static DecodeDecision ofFrame(
            DeviceEncoding encoding, MemorySegment bytes, boolean comparesChecksums) {
        Optional<MemorySegment> frame =
                FrameBounds.inside(encoding.codecs().compression(), bytes, encoding.decodedBytes());
        if (frame.isEmpty()) {
            return HostDecoding.FRAME;
        }
        if (passes(encoding, frame.get(), comparesChecksums)) {
            return encoding;
        }
        return comparesChecksums && passes(encoding, frame.get(), false)
                ? HostDecoding.CHECKSUM
                : HostDecoding.FRAME;
    }

    private static boolean passes(
            DeviceEncoding encoding, MemorySegment frame, boolean comparesChecksums) {
        return FrameCheck.refusal(
                        encoding.format(), frame, encoding.decodedBytes(), comparesChecksums)
                .isEmpty();
    }

    /**
     * {@return the alignment in bytes that a frame's device address must have, or that elements
     * should have}
     *
     * @param encoding the encoding of a chunk of that kind
     */
    long alignment(Kind kind, DeviceEncoding encoding) {
        return encoding.format() == null
                ? kind.alignment
                : formats.sourceAlignment(encoding.format());
    }
}
