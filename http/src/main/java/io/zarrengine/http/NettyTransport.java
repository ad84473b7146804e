package io.zarrengine.http;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.SingleThreadIoEventLoop;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.FastThreadLocalThread;
import io.netty.util.concurrent.ImmediateEventExecutor;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/**
 * HTTP/1.1 on Netty, with a pool of connections for each server. A connection is opened when none
 * is idle, so there are as many as requests were under way at once. A few threads, which run event
 * loops, serve all of them.
 *
 * <p>What is not received where it belongs goes to the heap: one buffer of at most 64 KiB for each
 * thread, and with TLS a record for each connection. Nothing outlives {@link #close}.
 *
 * <p>Owner: the queue of requests. Threads: any.
 */
final class NettyTransport implements Transport {
    /** Two of them can receive what a network of 100 Gbit/s brings. */
    private static final int LOOPS_MAX = 4;

    /** Servers close idle connections after some seconds to minutes. */
    static final Duration IDLE_MAX = Duration.ofSeconds(30);

    private final NettyRouter router;
    private final int connectMillis;
    private final long idleMaxNanos;
    private final ByteBufAllocator allocator;
    private final int loopsMax = Math.min(LOOPS_MAX, Runtime.getRuntime().availableProcessors());
    private final ChannelGroup open = new DefaultChannelGroup(ImmediateEventExecutor.INSTANCE);
    private final List<EventLoop> loops = new ArrayList<>(); // guarded by this, as all below
    private final Map<Origin, ArrayDeque<NettyConnection>> idle = new HashMap<>();
    private int opened;
    private boolean isClosed;

    NettyTransport(HttpOptions options, Duration connectTimeout, Duration idleMax) {
        router = new NettyRouter(options);
        connectMillis = Math.toIntExact(connectTimeout.toMillis());
        idleMaxNanos = idleMax.toNanos();
        // On the heap, in chunks of 128 KiB: 8 KiB, four times doubled. The other numbers are
        // Netty's.
        allocator = new PooledByteBufAllocator(false, loopsMax, 0, 8192, 4, 256, 64, false);
    }

    @Override
    public Sent send(HttpRequest request, Receiver receiver) {
        Exchange exchange = new Exchange(request, receiver);
        NettyConnection connection = takeIdle(exchange.origin());
        if (connection == null) {
            open(exchange);
        } else {
            connection.begin(exchange);
        }
        return exchange;
    }

    private synchronized NettyConnection takeIdle(Origin origin) {
        ArrayDeque<NettyConnection> ofOrigin = idle.get(origin);
        return ofOrigin == null ? null : ofOrigin.pollLast(); // The others may become too old.
    }

    synchronized void addIdle(NettyConnection connection) {
        idle.computeIfAbsent(connection.origin(), _ -> new ArrayDeque<>()).addLast(connection);
    }

    /** {@return whether the connection was idle; then nobody will use it any more} */
    synchronized boolean removeIdle(NettyConnection connection) {
        ArrayDeque<NettyConnection> ofOrigin = idle.get(connection.origin());
        return ofOrigin != null && ofOrigin.remove(connection);
    }

    long idleMaxNanos() {
        return idleMaxNanos;
    }

    /** Sends a request on a new connection. */
    void open(Exchange exchange) {
        Thread.ofVirtual().name("zarr-engine-http-connect").start(() -> connect(exchange));
    }

    private void connect(Exchange exchange) {
        if (exchange.isCancelled()) {
            return;
        }
        try {
            NettyRoute route = router.find(exchange.request().uri(), exchange.origin());
            NettyConnection connection = new NettyConnection(this, exchange, route);
            connect(connection, route);
        } catch (IOException | RuntimeException e) { // No such host, or the caller's code fails.
            exchange.receiver().fail(e);
        }
    }

    private synchronized void connect(NettyConnection connection, NettyRoute route)
            throws IOException {
        if (isClosed) {
            throw closed();
        }
        ChannelFuture connecting =
                new Bootstrap()
                        .group(nextLoop())
                        .channelFactory(() -> new BodyChannel(connection))
                        .option(ChannelOption.TCP_NODELAY, true)
                        .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, connectMillis)
                        .option(ChannelOption.ALLOCATOR, allocator)
                        .disableResolver()
                        .handler(new Initializer(connection))
                        .connect(route.address())
                        .addListener(connected -> {
                            if (!connected.isSuccess()) {
                                connection.failed(connected.cause());
                            }
                        });
        open.add(connecting.channel());
    }

    private EventLoop nextLoop() {
        if (loops.size() < loopsMax) {
            String name = "zarr-engine-http-" + (loops.size() + 1);
            ThreadFactory threads = task -> thread(task, name);
            loops.add(new SingleThreadIoEventLoop(null, threads, NioIoHandler.newFactory()));
        }
        return loops.get(opened++ % loops.size());
    }

    /** Netty finds its buffers faster on a thread of its own kind. */
    private static Thread thread(Runnable task, String name) {
        Thread thread = new FastThreadLocalThread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    static IOException closed() {
        return new IOException("the store is closed");
    }

    /** An event loop that ends just after it has looked for that leaves its connections open. */
    @Override
    public void close() {
        List<EventLoop> ending;
        synchronized (this) {
            isClosed = true;
            ending = List.copyOf(loops);
        }
        var _ = open.close();
        for (EventLoop loop : ending) {
            var _ = loop.shutdownGracefully(0, 0, TimeUnit.SECONDS);
        }
    }

    private static final class Initializer extends ChannelInitializer<Channel> {
        private final NettyConnection connection;

        Initializer(NettyConnection connection) {
            this.connection = connection;
        }

        @Override
        protected void initChannel(Channel channel) {
            connection.initialize(channel);
        }
    }
}
