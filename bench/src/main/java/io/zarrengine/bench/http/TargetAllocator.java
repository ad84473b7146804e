package io.zarrengine.bench.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.RecvByteBufAllocator;
import java.util.function.Supplier;

/** Has Netty receive into memory of ours, while there is some. */
final class TargetAllocator implements RecvByteBufAllocator {
    private final RecvByteBufAllocator otherwise = new AdaptiveRecvByteBufAllocator();
    private final Supplier<ByteBuf> next; // null: Netty's memory

    TargetAllocator(Supplier<ByteBuf> next) {
        this.next = next;
    }

    @Override
    @SuppressWarnings("deprecation") // The way to implement this interface.
    public Handle newHandle() {
        return new TargetHandle((ExtendedHandle) otherwise.newHandle());
    }

    private final class TargetHandle extends DelegatingHandle implements ExtendedHandle {
        private final ExtendedHandle handle;

        TargetHandle(ExtendedHandle handle) {
            super(handle);
            this.handle = handle;
        }

        @Override
        public ByteBuf allocate(ByteBufAllocator allocator) {
            ByteBuf target = next.get();
            return target == null ? handle.allocate(allocator) : target;
        }

        @Override
        public boolean continueReading(io.netty.util.UncheckedBooleanSupplier maybeMore) {
            return handle.continueReading(maybeMore);
        }
    }
}
