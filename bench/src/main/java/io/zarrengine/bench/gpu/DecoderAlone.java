package io.zarrengine.bench.gpu;

import io.zarrengine.bench.report.Median;
import io.zarrengine.bindings.NativeLibrary;
import io.zarrengine.bindings.libzstd.Libzstd;
import io.zarrengine.nvcomp.NvcompFormat;
import io.zarrengine.zarr.codec.BytesCodec;
import io.zarrengine.zarr.codec.ChunkDecoder;
import io.zarrengine.zarr.codec.Workspace;
import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.pipeline.ArrayPipeline;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * The time in which a core decodes an inner chunk from its cache or nearby, without any reads or
 * wake-ups: a lower limit of the decoding time on a core. Medians in us; NaN where there is nothing
 * to decode.
 *
 * @param engineMicros all codecs, decoded as a worker does
 * @param libzstdMicros the zstd frame, by libzstd; NaN if there is no frame or no libzstd
 */
record DecoderAlone(double engineMicros, double libzstdMicros) {
    /**
     * Bytes of different chunks. With a single chunk the processor would learn the outcome of each
     * branch.
     */
    private static final int DIFFERENT_BYTES = 4 << 20;

    private static final int MEASURED_BYTES = 64 << 20;
    private static final int WARM_UP = 3; // times as many

    static DecoderAlone measure(GpuArray array) throws IOException {
        if (array.encoding().format() == null) {
            return new DecoderAlone(Double.NaN, Double.NaN);
        }
        int count = Math.ceilDiv(DIFFERENT_BYTES, array.innerBytes());
        try (Arena arena = Arena.ofConfined();
                Workspace workspace = new Workspace(!array.encoding().holdsChecksums())) {
            List<MemorySegment> chunks = new ArrayList<>();
            MemorySegment target = arena.allocate(array.innerBytes(), Long.BYTES);
            List<BytesCodec> codecs = codecs(array);
            for (int i = 0; i < count; i++) {
                byte[] elements = array.elements(0, i);
                byte[] encoded = array.encoding().encode(elements);
                MemorySegment chunk = arena.allocate(encoded.length);
                chunks.add(chunk.copyFrom(MemorySegment.ofArray(encoded)));
                MemorySegment decoded = ChunkDecoder.decode(codecs, chunk, target, workspace);
                if (decoded.mismatch(MemorySegment.ofArray(elements)) >= 0) {
                    throw new IOException("chunk " + i + " was decoded to other bytes");
                }
            }
            double engine =
                    micros(
                            chunks,
                            target.byteSize(),
                            chunk -> ChunkDecoder.decode(codecs, chunk, target, workspace));
            return new DecoderAlone(engine, libzstd(array, chunks, target));
        } catch (CodecException e) {
            throw new IOException(e);
        }
    }

    private static List<BytesCodec> codecs(GpuArray array) {
        ArrayMetadata chunk =
                ArrayMetadata.builder(array.encoding().storedType(), array.innerShape())
                        .codecs(List.of(array.encoding().codecs()))
                        .build();
        return new ArrayPipeline("benchmark", chunk).largest().bytesCodecs();
    }

    private static double libzstd(GpuArray array, List<MemorySegment> chunks, MemorySegment target)
            throws CodecException {
        boolean isFrame =
                array.encoding().format() == NvcompFormat.ZSTD && !array.encoding().isBlosc();
        if (!isFrame || !NativeLibrary.LIBZSTD.isAvailable()) {
            return Double.NaN;
        }
        MemorySegment context = Libzstd.ZSTD_createDCtx();
        try {
            MemorySegment first = chunks.getFirst();
            long decoded =
                    Libzstd.ZSTD_decompressDCtx(
                            context, target, target.byteSize(), first, first.byteSize());
            if (decoded != target.byteSize()) {
                throw new CodecException("zstd", "libzstd says " + decoded);
            }
            return micros(
                    chunks,
                    target.byteSize(),
                    chunk ->
                            Libzstd.ZSTD_decompressDCtx(
                                    context, target, target.byteSize(), chunk, chunk.byteSize()));
        } finally {
            Libzstd.ZSTD_freeDCtx(context);
        }
    }

    private interface Decoder {
        void decode(MemorySegment chunk) throws CodecException;
    }

    private static double micros(List<MemorySegment> chunks, long decodedBytes, Decoder decoder)
            throws CodecException {
        List<Double> micros = new ArrayList<>();
        int count = Math.toIntExact(MEASURED_BYTES / decodedBytes);
        for (int i = -WARM_UP * count; i < count; i++) {
            MemorySegment chunk = chunks.get(Math.floorMod(i, chunks.size()));
            long begin = System.nanoTime();
            decoder.decode(chunk);
            if (i >= 0) {
                micros.add((System.nanoTime() - begin) / 1e3);
            }
        }
        return Median.of(micros);
    }
}
