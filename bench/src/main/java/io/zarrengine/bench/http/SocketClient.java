package io.zarrengine.bench.http;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;

/** The limit of a thread for each connection: blocking sockets, which read into the targets. */
final class SocketClient implements RangeClient {
    private static final int HEAD_BYTES = 1024;
    private static final ThreadLocal<Connection> OWN = new ThreadLocal<>();

    private record Request(long offset, MemorySegment target, Done done) {}

    private final Server server;
    private final LinkedBlockingQueue<Request> queue = new LinkedBlockingQueue<>();
    private final List<Thread> threads = new ArrayList<>();

    SocketClient(Server server) {
        this.server = server;
        for (int i = 0; i < REQUESTS_MAX; i++) {
            threads.add(Thread.ofPlatform().daemon().start(this::run));
        }
    }

    @Override
    public void get(long offset, MemorySegment target, Done done) {
        Request request = new Request(offset, target, done);
        Connection mine = OWN.get();
        if (mine == null) {
            queue.add(request);
        } else {
            mine.next = request; // Asked from within Done: no other thread need wake up.
        }
    }

    private void run() {
        try (SocketChannel channel =
                SocketChannel.open(
                        new InetSocketAddress(server.url().getHost(), server.url().getPort()))) {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            Connection connection = new Connection(channel);
            OWN.set(connection);
            while (true) {
                Request request = connection.next;
                connection.next = null;
                if (request == null) {
                    request = queue.take();
                }
                Throwable error = null;
                try {
                    connection.read(request);
                } catch (IOException e) {
                    error = e;
                }
                request.done.done(error);
            }
        } catch (InterruptedException e) {
            // The client is closed.
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        threads.forEach(Thread::interrupt);
    }

    private final class Connection {
        private final SocketChannel channel;
        private final ByteBuffer head = ByteBuffer.allocateDirect(HEAD_BYTES);
        private Request next;

        Connection(SocketChannel channel) {
            this.channel = channel;
        }

        void read(Request request) throws IOException {
            String text =
                    server.requestHead()
                            + "Range: "
                            + RangeClient.range(request.offset, request.target)
                            + "\r\n\r\n";
            head.clear();
            head.put(text.getBytes(StandardCharsets.US_ASCII)).flip();
            channel.write(head);
            head.clear();
            RangeHead found = null;
            while (found == null) {
                receive(head);
                found =
                        RangeHead.parse(
                                MemorySegment.ofBuffer(head.duplicate().flip()), head.position());
            }
            ByteBuffer body = request.target.asByteBuffer();
            if (found.bodyBytes() != body.remaining()) {
                throw new IOException(found.bodyBytes() + " bytes");
            }
            body.put(head.flip().position(found.bytes()));
            while (body.hasRemaining()) {
                receive(body);
            }
        }

        private void receive(ByteBuffer buffer) throws IOException {
            if (channel.read(buffer) <= 0) {
                throw new IOException("the connection was closed");
            }
        }
    }
}
