package io.zarrengine.bench.http;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;

/** Netty's codec, with a pool of connections on one event loop. */
final class NettyClient implements RangeClient {
    /** Most bytes of one receive, for long bodies. */
    private static final int RECEIVE_BYTES_MAX = 256 << 10;

    private final Server server;
    private final boolean intoTarget;
    private final EventLoopGroup group;
    private final Bootstrap bootstrap;
    private final ArrayDeque<Connection> idle = new ArrayDeque<>(); // of the event loop

    NettyClient(Server server, boolean usesRing, boolean intoTarget, SslProvider provider)
            throws SSLException {
        this.server = server;
        this.intoTarget = intoTarget;
        IoHandlerFactory factory =
                usesRing ? IoUringIoHandler.newFactory() : NioIoHandler.newFactory();
        group = new MultiThreadIoEventLoopGroup(1, factory);
        Optional<SslContext> context = Optional.empty();
        if (server.authority().isPresent()) {
            context =
                    Optional.of(
                            SslContextBuilder.forClient()
                                    .sslProvider(provider)
                                    .trustManager(server.authority().get().toFile())
                                    .build());
        }
        bootstrap =
                new Bootstrap()
                        .group(group)
                        .channel(usesRing ? IoUringSocketChannel.class : NioSocketChannel.class)
                        .option(ChannelOption.TCP_NODELAY, true)
                        .option(
                                ChannelOption.RECVBUF_ALLOCATOR,
                                new AdaptiveRecvByteBufAllocator(4096, 16384, RECEIVE_BYTES_MAX))
                        .handler(new Initializer(context));
    }

    @Override
    public void get(long offset, MemorySegment target, Done done) {
        group.execute(() -> begin(offset, target, done));
    }

    private void begin(long offset, MemorySegment target, Done done) {
        Connection connection = idle.poll();
        if (connection != null) {
            connection.send(offset, target, done);
            return;
        }
        var _ =
                bootstrap
                        .connect(server.url().getHost(), server.url().getPort())
                        .addListener(future -> {
                            if (future.isSuccess()) {
                                ((io.netty.channel.ChannelFuture) future)
                                        .channel()
                                        .pipeline()
                                        .get(Connection.class)
                                        .send(offset, target, done);
                            } else {
                                done.done(future.cause());
                            }
                        });
    }

    @Override
    public void close() {
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }

    private final class Initializer extends ChannelInitializer<SocketChannel> {
        private final Optional<SslContext> context;

        Initializer(Optional<SslContext> context) {
            this.context = context;
        }

        @Override
        protected void initChannel(SocketChannel channel) {
            context.ifPresent(ssl ->
                    channel.pipeline()
                            .addLast(
                                    ssl.newHandler(
                                            channel.alloc(),
                                            server.url().getHost(),
                                            server.url().getPort())));
            Connection connection = new Connection(channel);
            if (intoTarget) {
                channel.config().setRecvByteBufAllocator(new TargetAllocator(connection::rest));
            }
            HttpDecoderConfig config = new HttpDecoderConfig().setMaxChunkSize(RECEIVE_BYTES_MAX);
            channel.pipeline().addLast(new HttpClientCodec(config, false, false), connection);
        }
    }

    /** One connection: it has one request at a time. */
    private final class Connection extends SimpleChannelInboundHandler<HttpObject> {
        private final Channel channel;
        private RangeBody body;
        private Done done; // null if idle
        private int status;
        private boolean hasHead;

        Connection(Channel channel) {
            this.channel = channel;
        }

        void send(long offset, MemorySegment target, Done newDone) {
            body = new RangeBody(target);
            done = newDone;
            FullHttpRequest request =
                    new DefaultFullHttpRequest(
                            HttpVersion.HTTP_1_1, HttpMethod.GET, server.url().getRawPath());
            request.headers()
                    .set(HttpHeaderNames.HOST, server.url().getRawAuthority())
                    .set(HttpHeaderNames.ACCEPT_ENCODING, HttpHeaderValues.IDENTITY)
                    .set(HttpHeaderNames.RANGE, RangeClient.range(offset, target));
            var _ = channel.writeAndFlush(request, channel.voidPromise());
        }

        /** {@return where the next bytes are received; null: anywhere} */
        private ByteBuf rest() {
            if (!hasHead) {
                return null;
            }
            ByteBuffer rest = body.rest();
            return rest.hasRemaining() ? Unpooled.wrappedBuffer(rest).clear() : null;
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, HttpObject part)
                throws IOException {
            if (part instanceof HttpResponse response) {
                status = response.status().code();
                hasHead = status == 206;
            }
            if (part instanceof HttpContent content && content.content().isReadable()) {
                body.take(content.content().nioBuffer());
            }
            if (part instanceof LastHttpContent) {
                hasHead = false;
                idle.push(this);
                end(body.problem(status));
            }
        }

        private void end(Throwable error) {
            Done ended = done;
            done = null;
            if (ended != null) {
                ended.done(error);
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            end(new IOException("the connection was closed"));
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            end(cause);
        }
    }
}
