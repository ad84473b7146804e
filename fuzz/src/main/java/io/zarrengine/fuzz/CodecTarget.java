package io.zarrengine.fuzz;

import io.zarrengine.zarr.codec.BytesCodec;
import io.zarrengine.zarr.codec.ChunkDecoder;
import io.zarrengine.zarr.codec.Workspace;
import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.json.JsonFields;
import io.zarrengine.zarr.pipeline.BytesCodecRegistry;
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

    private static void checkReason(CodecException e) {
        if (e.getMessage().isBlank()) {
            throw new IllegalStateException("refused without a reason", e);
        }
    }
}
