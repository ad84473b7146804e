package io.zarrengine.fuzz;

import io.zarrengine.zarr.codec.BoxCall;
import io.zarrengine.zarr.codec.BytesCodec;
import io.zarrengine.zarr.codec.ChunkDecoder;
import io.zarrengine.zarr.codec.Workspace;
import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.json.JsonFields;
import io.zarrengine.zarr.pipeline.BytesCodecRegistry;
import io.zarrengine.zarr.place.StridedBox;
import io.zarrengine.zarr.plan.Region;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;

/**
 * The target for one codec. Input: the size of the target as two bytes, little-endian, then the
 * encoded chunk. Decoding any input must end, with a {@link CodecException} or within its target.
 */
final class CodecTarget {
    private static final int SIZE_BYTES = 2;
    private static final int COLUMNS = 32;

    private final List<BytesCodec> codecs;
    private final Workspace workspace = new Workspace();

    CodecTarget(String codec) {
        String name = FuzzTargetList.withoutSuffix(codec);
        JsonFields fields = JsonFields.ofCodec("fuzz", name, Map.of());
        codecs =
                List.of(BytesCodecRegistry.parse(name, fields, Integer.BYTES, false).orElseThrow());
    }

    void run(byte[] input) {
        if (input.length < SIZE_BYTES) {
            return;
        }
        int targetBytes = (input[0] & 0xff) | (input[1] & 0xff) << Byte.SIZE;
        try (Arena arena = Arena.ofConfined()) {
            int bytes = input.length - SIZE_BYTES;
            MemorySegment encoded = arena.allocate(bytes, 1);
            MemorySegment.copy(MemorySegment.ofArray(input), SIZE_BYTES, encoded, 0, bytes);
            Guarded target = new Guarded(arena, targetBytes);
            decode(encoded, target.segment());
            target.check();
            if (ChunkDecoder.decodesRanges(codecs, Long.MAX_VALUE)) {
                decodeFront(encoded, target.segment());
                target.check();
            }
            if (targetBytes > 0 && codecs.getFirst() instanceof BytesCodec.BoxDecoder codec) {
                placeBox(codec, encoded, arena, targetBytes);
            }
        }
    }

    private void decode(MemorySegment encoded, MemorySegment target) {
        try {
            MemorySegment decoded = ChunkDecoder.decode(codecs, encoded, target, workspace);
            if (decoded.byteSize() > target.byteSize()) {
                throw new IllegalStateException("decoded more than the target holds");
            }
        } catch (CodecException e) {
            checkReason(e);
        }
    }

    private void decodeFront(MemorySegment encoded, MemorySegment target) {
        long wanted = target.byteSize() / 2;
        try {
            long bytes = ChunkDecoder.decodeRange(codecs, encoded, target, 0, wanted, workspace);
            if (bytes < wanted || bytes > target.byteSize()) {
                throw new IllegalStateException("decoded " + bytes + " bytes for " + wanted);
            }
        } catch (CodecException e) {
            checkReason(e);
        }
    }

    /** Lets one call place all columns but the last, or all elements but the last. */
    private void placeBox(
            BytesCodec.BoxDecoder codec, MemorySegment encoded, Arena arena, int decodedBytes) {
        int elementBytes = Math.min(Integer.lowestOneBit(decodedBytes), Long.BYTES);
        long elements = decodedBytes / elementBytes;
        long columns = elements % COLUMNS == 0 ? COLUMNS : elements;
        long[] shape = {elements / columns, columns};
        long[] count = {shape[0], Math.max(1, columns - 1)};
        long[] stride = {count[1] * elementBytes, elementBytes};
        StridedBox box = new StridedBox();
        box.set(new Region(new long[2], new long[] {1, 1}, count, stride, 0), shape, elementBytes);
        Guarded buffer = new Guarded(arena, decodedBytes);
        Guarded target = new Guarded(arena, box.bytes());
        try {
            BoxCall call = codec.boxCall(workspace);
            if (call != null
                    && call.begin(encoded, decodedBytes, elementBytes, 1)
                    && call.add(box, target.segment())) {
                long bytes = call.place(encoded, buffer.segment(), target.segment());
                buffer.check();
                target.check();
                if (bytes > decodedBytes) {
                    throw new IllegalStateException("decoded " + bytes + " bytes");
                }
            }
        } catch (CodecException e) {
            checkReason(e);
        }
    }

    private static void checkReason(CodecException e) {
        if (e.getMessage().isBlank()) {
            throw new IllegalStateException("refused without a reason", e);
        }
    }
}
