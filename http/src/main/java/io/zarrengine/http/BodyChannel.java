package io.zarrengine.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.socket.nio.NioSocketChannel;

/**
 * A socket that receives the body of an answer where it belongs, and everything else into small
 * buffers. Threads: its event loop's.
 */
final class BodyChannel extends NioSocketChannel {
    /** A head, with the body of a small object behind it. */
    private static final int HEAD_BYTES = 16 << 10;

    /** A part of a body that cannot be received where it belongs. */
    private static final int PART_BYTES = 64 << 10;

    private final NettyConnection connection;

    BodyChannel(NettyConnection connection) {
        this.connection = connection;
        config().setRecvByteBufAllocator(new Allocator());
    }

    @Override
    protected int doReadBytes(ByteBuf buffer) throws Exception {
        if (!connection.isInPlace()) {
            return super.doReadBytes(buffer);
        }
        int most = buffer.writableBytes();
        unsafe().recvBufAllocHandle().attemptedBytesRead(most);
        return connection.receive(() -> buffer.writeBytes(javaChannel(), most));
    }

    private final class Allocator implements RecvByteBufAllocator {
        private final RecvByteBufAllocator counting = new FixedRecvByteBufAllocator(HEAD_BYTES);

        @Override
        @SuppressWarnings("deprecation") // The way to implement this interface.
        public Handle newHandle() {
            return new PlaceHandle(counting.newHandle());
        }
    }

    private final class PlaceHandle extends RecvByteBufAllocator.DelegatingHandle {
        @SuppressWarnings("deprecation") // As above.
        PlaceHandle(RecvByteBufAllocator.Handle handle) {
            super(handle);
        }

        @Override
        public ByteBuf allocate(ByteBufAllocator allocator) {
            return connection
                    .place()
                    .orElseGet(() ->
                            allocator.heapBuffer(connection.isInBody() ? PART_BYTES : HEAD_BYTES));
        }

        /** After the last byte of an answer nothing is expected, so nothing is asked for. */
        @Override
        public boolean continueReading() {
            return connection.isBusy() && super.continueReading();
        }
    }
}
