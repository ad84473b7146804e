package io.zarrengine.gpu.read;

import io.zarrengine.gpu.chunk.Alignment;
import io.zarrengine.gpu.chunk.BloscStreams;
import io.zarrengine.gpu.chunk.ChunkLayout;
import io.zarrengine.gpu.chunk.DecodeChoice;
import io.zarrengine.gpu.chunk.DeviceEncoding;
import io.zarrengine.gpu.chunk.FrameBounds;
import io.zarrengine.gpu.chunk.HostDecoding;
import io.zarrengine.gpu.slot.BatchLoad;
import io.zarrengine.gpu.tuning.DecoderChoice;
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
 * Which chunks a device decodes, and which the workers: those that it cannot, or should not, since
 * too few are under way, or the workers decode them sooner. Owner: a read. Threads: any.
 */
final class DecodeRouter {
    /**
     * What chunks of one pipeline have in common.
     *
     * @param pipeline theirs
     * @param codecs what a device could undo; null: the host decodes them
     * @param encoding of those that it decodes; {@link DeviceEncoding#NONE} if it has nothing to
     *     undo
     * @param layout of their elements, whoever decodes them
     * @param alignment of their bytes where nothing decodes them
     */
    record Kind(
            ChunkPipeline pipeline,
            DeviceCodecs codecs,
            DeviceEncoding encoding,
            ChunkLayout layout,
            long alignment) {
        /** {@return whether there is something to undo, which a device could} */
        boolean isEncoded() {
            return encoding.codecs() != null;
        }

        /** {@return whether its chunks begin with headers; it has codecs} */
        boolean hasHeaders() {
            return codecs.compression() != Compression.NONE;
        }
    }

    private final DecoderChoice choice;
    private final DeviceOptions options;
    private final long chunks; // about
    private volatile Kind last; // All chunks of a regular grid share one pipeline.

    /** {@code chunks}: about how many the read has. */
    DecodeRouter(DecoderChoice choice, DeviceOptions options, long chunks) {
        this.choice = choice;
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

    /** Null for what is no format, or one of several. */
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
     * {@return whether a device may undo such chunks, of which the host sees no more than the
     * headers}
     */
    boolean mayBeInFile(Kind kind, Workspace workspace) {
        return kind.codecs != null
                && kind.codecs.checksums() == 0
                && refusal(kind, workspace) == null;
    }

    /**
     * {@return why the workers decode such chunks, or null if a device may: {@link #of} says of
     * each whether it does}
     */
    HostDecoding refusal(Kind kind, Workspace workspace) {
        if (kind.codecs == null) {
            return HostDecoding.CODECS;
        }
        Compression compression = kind.codecs.compression();
        if (compression == Compression.NONE) {
            return kind.codecs.isShuffled() ? HostDecoding.CODECS : null;
        }
        // Of zlib the checksum is not in the frame any more.
        boolean isChecked = compression == Compression.GZIP || compression == Compression.ZLIB;
        if (isChecked && workspace.verifiesChecksums()) {
            return HostDecoding.CHECKSUM;
        }
        if (!isVouchedFor(kind, workspace)) {
            return HostDecoding.UNVOUCHED;
        }
        if (!choice.isLoaded()) {
            return HostDecoding.LOAD;
        }
        return compression == Compression.BLOSC
                ? null
                : reasonNow(kind.encoding, kind.encoding.format());
    }

    /** What nvCOMP makes of damaged bytes is undefined, and may be its device's end. */
    private boolean isVouchedFor(Kind kind, Workspace workspace) {
        return options.decodesUnchecked()
                || (kind.codecs.checksums() > 0 && workspace.verifiesChecksums());
    }

    /**
     * Why the device does not decode such chunks just now. Blosc is not asked: what its streams are
     * is known when a chunk is looked at in its file, and a file of which chunks are refused then
     * is given up ({@link RegisteredReads}).
     */
    private HostDecoding reasonNow(DeviceEncoding encoding, NvcompFormat format) {
        long bytes = encoding.decodedBytes();
        if (!choice.canDecode(format)) {
            return HostDecoding.DECODER;
        }
        boolean isPart = !isDevices(encoding, format, bytes, 1);
        if (isPart && !choice.isPartWelcome(format, bytes, chunks)) {
            return HostDecoding.SOONER;
        }
        boolean isHelped = encoding.conversion() == null && choice.isHelpDue(format, bytes);
        return isHelped ? HostDecoding.HELP : null;
    }

    /**
     * What is to be converted is always the device's: the workers take far longer for that.
     *
     * @param format that it decodes
     * @param streams of a chunk
     * @param streamBytes of each, decoded
     */
    private boolean isDevices(
            DeviceEncoding encoding, NvcompFormat format, long streamBytes, long streams) {
        return encoding.conversion() != null || choice.prefersDevice(format, streamBytes, streams);
    }

    /** A worker has decoded a chunk. What is converted too says nothing of decoding alone. */
    void hostDecoded(Kind kind, long nanos) {
        NvcompFormat format = kind.encoding.format();
        if (format != null && kind.encoding.conversion() == null) {
            choice.hostDecoded(format, kind.pipeline.decodedBytes(), nanos);
        }
    }

    /**
     * {@return what the device undoes of a chunk, or why the worker decodes it}
     *
     * @param kind one without a {@link #refusal}
     * @param bytes the chunk's, without checksums behind its compressor; may lie in a mapped file
     * @param bytesMax for how much there is room: for a chunk as it is, and decoded
     */
    DecodeChoice of(Kind kind, MemorySegment bytes, long bytesMax, Workspace workspace) {
        long encodedBytes = bytes.byteSize();
        if (!kind.hasHeaders()) { // Nothing is decoded.
            if (encodedBytes != kind.pipeline.serializedBytesMax()) {
                return HostDecoding.FRAME; // It is cut: the worker says so.
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
                : HostDecoding.SIZE; // Of so large a stream one warp decodes 75 MB/s.
    }

    /** Whether there is room for a chunk as it is, wherever it begins, and decoded. */
    private boolean fits(ChunkPipeline pipeline, long encodedBytes, long bytesMax) {
        long decodedBytes = Math.max(pipeline.serializedBytesMax(), pipeline.decodedBytes());
        return Alignment.up(encodedBytes + choice.sourceAlignmentMax()) <= bytesMax
                && Alignment.up(decodedBytes) <= bytesMax;
    }

    private DecodeChoice ofBlosc(
            Kind kind, MemorySegment bytes, long bytesMax, boolean comparesChecksums) {
        int elementBytes = kind.codecs.storedElementBytes(kind.pipeline);
        if (BloscFrame.refusal(bytes, kind.encoding.decodedBytes()).isPresent()) {
            return HostDecoding.BLOSC;
        }
        BloscFrame frame = BloscFrame.read(bytes);
        if (frame.isStored()) {
            return HostDecoding.STORED; // Copying is all that the CPU does too.
        }
        if (!BloscStreams.isOf(frame, elementBytes)) {
            return HostDecoding.BLOSC;
        }
        NvcompFormat inner = frame.format().orElseThrow();
        if (inner == NvcompFormat.DEFLATE && comparesChecksums) { // Each stream has one.
            return HostDecoding.CHECKSUM;
        }
        if (!choice.canDecode(inner)) {
            return HostDecoding.DECODER;
        }
        if (!isDevices(kind.encoding, inner, frame.streamBytes(), frame.streamCount())) {
            return HostDecoding.SOONER;
        }
        if (frame.blockCount() > options.batchChunks() + options.partsOfSlotMax()) {
            return HostDecoding.SIZE; // Before they are listed.
        }
        BloscStreams streams =
                BloscStreams.of(
                        frame, bytes.byteSize(), elementBytes, choice.sourceAlignment(inner));
        boolean mayMove =
                streams.aligned()
                        .map(all -> all.areApart() && fits(kind.pipeline, all.byteSize(), bytesMax))
                        .orElse(true);
        return mayMove && hasRoom(streams) ? kind.encoding.with(inner, streams) : HostDecoding.SIZE;
    }

    /** Whether a slot, and a batch, has room for all streams of a blosc chunk. */
    private boolean hasRoom(BloscStreams streams) {
        return streams.bytesMax() <= options.slotBytes() // As scratch memory expects.
                && streams.storedCount() <= options.partsOfSlotMax()
                && BatchLoad.fits(options, streams.encodedCount(), streams.bytesMax());
    }

    private static DecodeChoice ofFrame(
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
     * {@return what the address of a frame must be a multiple of on the device, or that of elements
     * should be}
     *
     * @param encoding of a chunk of that kind
     */
    long alignment(Kind kind, DeviceEncoding encoding) {
        return encoding.format() == null
                ? kind.alignment
                : choice.sourceAlignment(encoding.format());
    }
}
