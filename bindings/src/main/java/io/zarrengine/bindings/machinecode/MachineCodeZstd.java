package io.zarrengine.bindings.machinecode;

import io.zarrengine.bindings.NativeMemory;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

/**
 * A decoder of zstd frames in machine code, for Linux on x86-64 with BMI2: 1.0 to 1.6 times as fast
 * as libzstd (docs/decoders.md). It refuses damaged frames, and features that hardly any encoder
 * uses (dictionaries, several frames, windows in which an offset takes more than 27 bits): another
 * decoder then decodes the frame, or reports the error. For frames that it accepts, its output is
 * the same as libzstd's.
 *
 * <p>Whatever the input, a call accesses no memory outside its arguments. {@code
 * -Dio.zarrengine.machinecode=off} switches it off.
 *
 * <p>Owner: one thread at a time.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc8878">RFC 8878</a>
 */
public final class MachineCodeZstd implements AutoCloseable {
    /**
     * Largest window. Frames with a larger one may be refused in the middle, because an offset may
     * take 28 bits.
     */
    public static final long WINDOW_BYTES_MAX = 128 << 20;

    private static final ZstdFunctions CODE = ZstdFunctions.load();

    /** Fewest bytes of a frame before a block. */
    private static final long BEFORE_BLOCK_MIN = 6;

    /** Alignment of State in zstd.h. */
    private static final long STATE_ALIGNMENT = 16;

    /** Linked when a block is first decoded. */
    private static final class Blocks {
        static final MethodHandle DECODE = CODE.linkDecodeBlock();
    }

    private final NativeMemory state;

    /**
     * Creates a decoder of about 170 KB.
     *
     * @throws UnsupportedOperationException if it is {@linkplain #denial missing}
     */
    public MachineCodeZstd() {
        if (CODE.denial() != null) {
            throw new UnsupportedOperationException(CODE.denial());
        }
        state = NativeMemory.allocate(CODE.callStateBytes());
        assert state.segment().address() % STATE_ALIGNMENT == 0 : "not whole pages";
        CODE.callOpenState(state.segment());
    }

    /** {@return the reason why the decoder is missing; empty if it is there} */
    public static Optional<String> denial() {
        return Optional.ofNullable(CODE.denial());
    }

    /**
     * Decodes a frame.
     *
     * @param frame exactly one frame: native memory, not a mapped file
     * @param target native memory, all of which may be overwritten
     * @param verifiesChecksum whether a checksum is compared if there is one
     * @return the decoded size; negative if the frame is refused
     */
    public long decodeFrame(MemorySegment frame, MemorySegment target, boolean verifiesChecksum) {
        return CODE.callDecodeFrame(state.segment(), frame, target, verifiesChecksum);
    }

    /** Forgets the previous frame whose {@linkplain #decodeBlock blocks} were decoded. */
    public void beginFrame() {
        CODE.callBeginFrame(state.segment());
    }

    /**
     * Decodes a block of a frame, after the blocks before it.
     *
     * @param frame native memory, not a mapped file
     * @param from offset of the block's header in the frame
     * @param to end of the block
     * @param target native memory: the bytes decoded just before are at its front, and the block
     *     goes after them; everything from there on may be overwritten
     * @param at offset of the block's content in the target
     * @param older bytes decoded before those at the target's front, as far as blocks may refer to
     *     them: native memory, not necessarily adjacent to the target; of size 0 if there are none
     * @return the decoded size, at most 128 KiB; negative if the block is refused
     * @throws IndexOutOfBoundsException if an offset is not in its segment
     */
    public long decodeBlock(
            MemorySegment frame,
            long from,
            long to,
            MemorySegment target,
            long at,
            MemorySegment older) {
        if (from < BEFORE_BLOCK_MIN) {
            throw new IndexOutOfBoundsException("no header of a frame before " + from);
        }
        MemorySegment block = frame.asSlice(from, to - from);
        MemorySegment room = target.asSlice(at);
        return ZstdFunctions.callDecodeBlock(
                Blocks.DECODE, state.segment(), block, room, target, older);
    }

    @Override
    public void close() {
        state.close();
    }
}
