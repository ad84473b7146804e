package io.zarrengine.nvcomp;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.zarrengine.bindings.nvcomp.Nvcomp;
import io.zarrengine.cuda.DeviceMemoryPool.Allocation;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** Encodes on the device what nothing else can: NVIDIA's own formats, one chunk at a time. */
final class DeviceEncoder {
    private static final int OPTIONS_BYTES = 64;
    private static final int CHUNK_BYTES_MAX = 1 << 17;
    private static final int ENCODED_BYTES_MAX = 1 << 19;
    private static final int SCRATCH_BYTES = 32 << 20;
    private static final int ARRAYS_BYTES = 64;

    private DeviceEncoder() {}

    static List<byte[]> encode(Lab lab, NvcompFormat format, List<byte[]> chunks)
            throws IOException {
        List<byte[]> encoded = new ArrayList<>();
        try (Arena arena = Arena.ofConfined();
                Allocation source = lab.pool().allocate(CHUNK_BYTES_MAX, lab.stream());
                Allocation target = lab.pool().allocate(ENCODED_BYTES_MAX, lab.stream());
                Allocation scratch = lab.pool().allocate(SCRATCH_BYTES, lab.stream());
                Allocation arrays = lab.pool().allocate(ARRAYS_BYTES, lab.stream())) {
            MemorySegment options = options(arena, format);
            for (byte[] chunk : chunks) {
                MemorySegment staged = lab.pinned().asSlice(4096);
                MemorySegment words = lab.pinned().asSlice(0, ARRAYS_BYTES);
                words.set(JAVA_LONG, 0, source.slice().address());
                words.set(JAVA_LONG, 8, chunk.length);
                words.set(JAVA_LONG, 16, target.slice().address());
                words.set(JAVA_INT, 32, -1);
                MemorySegment.copy(chunk, 0, staged, JAVA_BYTE, 0, chunk.length);
                lab.stream().copyToDevice(staged.asSlice(0, chunk.length), source.slice());
                lab.stream().copyToDevice(words, arrays.slice());
                long at = arrays.slice().address();
                int code =
                        calls(format)
                                .call(
                                        MemorySegment.ofAddress(at),
                                        MemorySegment.ofAddress(at + 8),
                                        chunk.length,
                                        1,
                                        scratch.slice().pointer(),
                                        SCRATCH_BYTES,
                                        MemorySegment.ofAddress(at + 16),
                                        MemorySegment.ofAddress(at + 24),
                                        options,
                                        MemorySegment.ofAddress(at + 32),
                                        lab.stream().handle());
                assertEquals(0, code, "nvcompBatched" + format.cName() + "CompressAsync");
                lab.stream().copyToHost(arrays.slice().slice(0, ARRAYS_BYTES), words);
                lab.stream().synchronize();
                assertEquals(0, words.get(JAVA_INT, 32), "status of a chunk of " + chunk.length);
                long bytes = words.get(JAVA_LONG, 24);
                lab.stream().copyToHost(target.slice().slice(0, bytes), staged);
                lab.stream().synchronize();
                encoded.add(staged.asSlice(0, bytes).toArray(JAVA_BYTE));
            }
        }
        return encoded;
    }

    /**
     * The first words differ by format; source: nvcomp/gdeflate.h, bitcomp.h, cascaded.h of 5.1.
     */
    private static MemorySegment options(Arena arena, NvcompFormat format) {
        MemorySegment options = arena.allocate(OPTIONS_BYTES, 8);
        switch (format) {
            case GDEFLATE -> options.set(JAVA_INT, 0, 1); // high throughput
            case BITCOMP -> options.set(JAVA_INT, 4, 1); // unsigned bytes
            case CASCADED -> {
                options.set(JAVA_LONG, 0, 4096); // bytes of an inner chunk
                options.set(JAVA_INT, 8, 1); // unsigned bytes
                options.set(JAVA_INT, 12, 2); // run-length passes
                options.set(JAVA_INT, 16, 1); // delta passes
                options.set(JAVA_INT, 20, 1); // bit packing
            }
            default -> throw new IllegalArgumentException(format + "");
        }
        return options;
    }

    private interface Compress {
        int call( // Allowed: nvCOMP's function has eleven
                MemorySegment sources,
                MemorySegment sourceBytes,
                long chunkBytesMax,
                long chunks,
                MemorySegment scratch,
                long scratchBytes,
                MemorySegment targets,
                MemorySegment targetBytes,
                MemorySegment options,
                MemorySegment statuses,
                MemorySegment stream);
    }

    private static Compress calls(NvcompFormat format) {
        return switch (format) {
            case GDEFLATE -> Nvcomp::nvcompBatchedGdeflateCompressAsync;
            case BITCOMP -> Nvcomp::nvcompBatchedBitcompCompressAsync;
            default -> Nvcomp::nvcompBatchedCascadedCompressAsync;
        };
    }
}
