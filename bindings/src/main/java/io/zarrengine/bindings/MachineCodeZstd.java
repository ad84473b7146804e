package io.zarrengine.bindings;

import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * A decoder of zstd frames as machine code of ours, for Linux on x86-64 with BMI2: 1.0 to 1.6 times
 * as fast as libzstd (docs/decoders.md). It refuses what is damaged, and what hardly any encoder
 * makes (dictionaries, several frames, windows of which an offset takes more than 27 bits): then
 * another decoder tells what is wrong, or decodes it. What it accepts is what libzstd would make of
 * it.
 *
 * <p>Whatever the input, nothing is read or written outside of what a call is given. {@code
 * -Dio.zarrengine.machinecode=off} switches it off.
 *
 * <p>Owner: one thread at a time.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc8878">RFC 8878</a>
 */
public final class MachineCodeZstd implements AutoCloseable {
    /** Frames with a larger window may be refused in their middle: an offset may take 28 bits. */
    public static final long WINDOW_BYTES_MAX = 128 << 20;

    private static final ZstdFunctions CODE = ZstdFunctions.load();

    /** How many bytes of a frame lie before a block of it, at least. */
    private static final long BEFORE_BLOCK_MIN = 6;

    /** Of State in zstd.h. */
    private static final long STATE_ALIGNMENT = 16;

    private final NativeMemory state;

    /**
     * Creates a decoder, some 170 KB.
     *
     * @throws UnsupportedOperationException if it is not {@linkplain #denial there}
     */
    public MachineCodeZstd() {
        if (CODE.denial() != null) {
            throw new UnsupportedOperationException(CODE.denial());
        }
        state = NativeMemory.allocate(CODE.callStateBytes());
        assert state.segment().address() % STATE_ALIGNMENT == 0 : "not whole pages";
        CODE.callOpenState(state.segment());
    }

    /** {@return why there is no such decoder, or empty if there is} */
    public static Optional<String> denial() {
        return Optional.ofNullable(CODE.denial());
    }

    /**
     * Decodes a frame.
     *
     * @param frame all of it, and nothing behind it: native memory that is no mapped file
     * @param target native memory, of which anything may be written
     * @param verifiesChecksum whether a checksum is compared if there is one
     * @return how many bytes it decodes to; negative if it is refused
     */
    public long decodeFrame(MemorySegment frame, MemorySegment target, boolean verifiesChecksum) {
        return CODE.callDecodeFrame(state.segment(), frame, target, verifiesChecksum);
    }

    /** Forgets the frame before, of which {@linkplain #decodeBlock blocks} were decoded. */
    public void beginFrame() {
        CODE.callBeginFrame(state.segment());
    }

    /**
     * Decodes a block of a frame, the blocks before which have been decoded.
     *
     * @param frame native memory that is no mapped file
     * @param from where the block's header begins in it
     * @param to where the block ends
     * @param target native memory: what has been decoded just before lies at its front, and the
     *     block goes behind that; anything may be written from there on
     * @param at where that is in the target
     * @param older what has been decoded before the target's front, as far as blocks may refer to
     *     it: native memory, which need not lie before the target; of size 0 if there is none
     * @return how many bytes it decodes to, 128 KiB at most; negative if it is refused
     * @throws IndexOutOfBoundsException if a place is not in its segment
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
        return CODE.callDecodeBlock(state.segment(), block, room, target, older);
    }

    @Override
    public void close() {
        state.close();
    }
}
