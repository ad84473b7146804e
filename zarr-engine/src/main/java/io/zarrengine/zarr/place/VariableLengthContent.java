package io.zarrengine.zarr.place;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.zarrengine.bindings.NativeMemory;
import io.zarrengine.zarr.memory.MemoryShortException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * The bytes of the elements of variable length that a request has read so far. The request's target
 * holds a descriptor of each element: block and length as 32-bit numbers, the offset in the block
 * as a 64-bit number.
 *
 * <p>Owner: the request. Threads: any.
 */
public final class VariableLengthContent implements AutoCloseable {
    private static final long BLOCK_BYTES = 1 << 20;

    /** Larger contents get a block of their own. */
    private static final long SHARED_BYTES_MAX = BLOCK_BYTES / 4;

    private final long bytesMax;
    private final List<NativeMemory> blocks = new ArrayList<>(); // null if given back
    private long bytes; // of all blocks
    private int shared = -1; // the block for small contents
    private long sharedUsed; // bytes

    /**
     * Creates an empty content.
     *
     * @param bytesMax limit of its bytes
     */
    public VariableLengthContent(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /**
     * Room for some elements, filled from the front by one thread.
     *
     * @param block number of its block
     * @param offset of the room in the block
     * @param memory of the room
     */
    public record Room(int block, long offset, MemorySegment memory) {
        /**
         * Copies an element's bytes to the room and writes its descriptor.
         *
         * @param used bytes of the room already taken
         * @param content the element's bytes
         * @param target of the descriptor
         * @param at offset of the descriptor in the target, in bytes
         * @return bytes of the room taken afterwards
         */
        public long add(long used, MemorySegment content, MemorySegment target, long at) {
            long bytes = content.byteSize();
            MemorySegment.copy(content, 0, memory, used, bytes);
            target.set(JAVA_INT_UNALIGNED, at, block);
            target.set(JAVA_INT_UNALIGNED, at + 4, Math.toIntExact(bytes));
            target.set(JAVA_LONG_UNALIGNED, at + 8, offset + used);
            return used + bytes;
        }
    }

    /** {@return the limit of its bytes} */
    public long bytesMax() {
        return bytesMax;
    }

    /**
     * {@return room for the bytes of some elements}
     *
     * @param wanted number of bytes
     * @throws OutOfMemoryError if there is not enough memory
     * @throws MemoryShortException if the content would exceed its limit
     */
    public synchronized Room reserve(long wanted) {
        if (wanted > SHARED_BYTES_MAX) {
            addBlock(wanted);
            return new Room(blocks.size() - 1, 0, blocks.getLast().segment());
        }
        if (shared < 0 || sharedUsed + wanted > BLOCK_BYTES) {
            addBlock(BLOCK_BYTES);
            shared = blocks.size() - 1;
            sharedUsed = 0;
        }
        long offset = sharedUsed;
        sharedUsed += wanted;
        return new Room(shared, offset, blocks.get(shared).segment().asSlice(offset, wanted));
    }

    /**
     * Gives back room whose elements will not be read. The room reserved last must come first.
     *
     * @param room from {@link #reserve}
     */
    public synchronized void giveBack(Room room) {
        long roomBytes = room.memory().byteSize();
        if (roomBytes > SHARED_BYTES_MAX) {
            blocks.set(room.block(), null).close();
            bytes -= roomBytes;
        } else if (room.block() == shared && room.offset() + roomBytes == sharedUsed) {
            sharedUsed = room.offset();
        }
    }

    private void addBlock(long blockBytes) {
        if (blockBytes > bytesMax - bytes) {
            throw MemoryShortException.ofResult(bytes + blockBytes, bytesMax);
        }
        blocks.add(NativeMemory.allocate(blockBytes));
        bytes += blockBytes;
    }

    /**
     * {@return the bytes of an element}
     *
     * @param target holds its descriptor
     * @param at offset of the descriptor in the target, in bytes
     */
    public MemorySegment content(MemorySegment target, long at) {
        int block = target.get(JAVA_INT_UNALIGNED, at);
        return blocks.get(block)
                .segment()
                .asSlice(
                        target.get(JAVA_LONG_UNALIGNED, at + 8),
                        target.get(JAVA_INT_UNALIGNED, at + 4));
    }

    /** Frees the bytes. */
    @Override
    public void close() {
        blocks.stream().filter(Objects::nonNull).forEach(NativeMemory::close);
    }
}
