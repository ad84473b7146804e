package io.zarrengine.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequestEncoder;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import java.io.IOException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpHeaders;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;

/**
 * A connection, with one request at a time.
 *
 * <p>Owner: the transport. Threads: its event loop; {@link #begin} and {@link #cancel} any.
 */
final class NettyConnection extends SimpleChannelInboundHandler<HttpObject> {
    /** Some servers refuse requests without. */
    static final String USER_AGENT = "zarr-engine";

    /** Of the JDK's client these are 384 KiB; the usual head has less than one. */
    private static final int HEAD_BYTES_MAX = 64 << 10;

    /** A part of a body is not cut further. */
    private static final int PART_BYTES_MAX = 1 << 20;

    private static final int SWITCHING_PROTOCOLS = 101;

    private final NettyTransport transport;
    private final Origin origin;
    private final NettyRoute route;
    private Channel channel;
    private Exchange current; // null if idle
    private boolean isSent; // the request
    private boolean isInformational; // what comes now, before the answer
    private boolean hasHead; // of the answer
    private boolean isKeptAlive;
    private boolean isComplete; // the answer, which the receiver is not told yet
    private boolean hasSurplus; // something came after the end of the answer
    private AnswerDecoder decoder; // null before the server is reached
    private long left; // of the body; negative if unknown
    private boolean isInPlace; // the next receive: where the bytes belong
    private long placed; // bytes that the codec has not passed on yet
    private long idleNanos; // since when; 0 before the first time

    NettyConnection(NettyTransport transport, Exchange first, NettyRoute route) {
        this.transport = transport;
        this.origin = first.origin();
        this.route = route;
        this.current = first;
    }

    Origin origin() {
        return origin;
    }

    // Opening

    /** Adds the handlers of a new channel. */
    void initialize(Channel newChannel) {
        channel = newChannel;
        current.sentBy(this);
        if (route.isTunnel()) {
            channel.pipeline()
                    .addLast(
                            new HttpClientCodec(limits(), false, false),
                            new Tunnel(this, origin, route.credentials()),
                            this);
        } else {
            channel.pipeline().addLast(this);
            addCodec();
        }
        if (current.isCancelled()) {
            cancelNow(current);
        }
    }

    private static HttpDecoderConfig limits() {
        return new HttpDecoderConfig()
                .setMaxInitialLineLength(HEAD_BYTES_MAX)
                .setMaxHeaderSize(HEAD_BYTES_MAX)
                .setMaxChunkSize(PART_BYTES_MAX);
    }

    private void addCodec() {
        decoder = new AnswerDecoder(limits());
        channel.pipeline().addFirst(decoder, new HttpRequestEncoder());
        route.tls().ifPresent(tls -> channel.pipeline().addFirst(tls));
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        write();
    }

    /** The server is reached by a tunnel. */
    void reachedThroughTunnel() {
        addCodec();
        write();
    }

    /** A proxy that opens no tunnel may say why. */
    void refusedByProxy(HttpResponse response) {
        current.receiver().begin(response.status().code(), headers(response));
        endExchange().receiver().end();
        closeChannel();
    }

    /** No connection could be opened. */
    void failed(Throwable cause) {
        if (cause instanceof ConnectTimeoutException) {
            fail(new HttpConnectTimeoutException("the connection was not accepted in time"));
        } else {
            fail(cause);
        }
    }

    // Requests

    /** Sends a request on an idle connection. */
    void begin(Exchange exchange) {
        if (channel.eventLoop().inEventLoop()) {
            beginNow(exchange);
            return;
        }
        try {
            channel.eventLoop().execute(() -> beginNow(exchange));
        } catch (RejectedExecutionException _) {
            exchange.receiver().fail(NettyTransport.closed());
        }
    }

    private void beginNow(Exchange exchange) {
        current = exchange;
        exchange.sentBy(this);
        if (exchange.isCancelled()) {
            cancelNow(exchange);
        } else if (channel.isActive() && !hasBytesLeft()) {
            write();
        } else {
            isSent = true;
            breakOff(new IOException("the connection was closed"));
            closeChannel();
        }
    }

    private void write() {
        if (current == null) {
            return;
        }
        var url = current.request().uri();
        String path = url.getRawPath().isEmpty() ? "/" : url.getRawPath();
        String target = path + Urls.query(url);
        if (route.isPlainProxy()) {
            target = "http://" + origin.authority() + target;
        }
        var request =
                new DefaultFullHttpRequest(
                        HttpVersion.HTTP_1_1, HttpMethod.GET, target, Unpooled.EMPTY_BUFFER);
        request.headers()
                .set(HttpHeaderNames.HOST, origin.authority())
                .set(HttpHeaderNames.USER_AGENT, USER_AGENT);
        if (route.isPlainProxy()) {
            Tunnel.authenticate(request, route.credentials());
        }
        current.request().headers().map().forEach(request.headers()::set);
        isSent = true;
        var _ = channel.writeAndFlush(request, channel.voidPromise());
    }

    /** Abandons a request, if it is this connection's. */
    void cancel(Exchange exchange) {
        try {
            channel.eventLoop().execute(() -> cancelNow(exchange));
        } catch (RejectedExecutionException _) {
            // The transport was closed, which closes the connection.
        }
    }

    private void cancelNow(Exchange exchange) {
        if (current == exchange) {
            endExchange();
            closeChannel();
        }
    }

    private Exchange endExchange() {
        Exchange ended = current;
        current = null;
        isSent = false;
        hasHead = false;
        isComplete = false;
        hasSurplus = false;
        isInPlace = false;
        placed = 0;
        return ended;
    }

    private void closeChannel() {
        var _ = channel.close();
    }

    private void fail(Throwable cause) {
        if (current != null) {
            endExchange().receiver().fail(cause);
        }
    }

    /** The connection has ended, or will: the request may use another one. */
    private void breakOff(Throwable cause) {
        if (isComplete) {
            isKeptAlive = false;
            endComplete();
            return;
        }
        boolean isAnswered = hasHead || !isSent;
        if (current != null && !isAnswered && current.repeats()) {
            transport.open(endExchange());
        } else {
            fail(cause);
        }
    }

    // Answers

    /** {@return whether a request has not all of its answer} */
    boolean isBusy() {
        return current != null && !isComplete;
    }

    boolean isInBody() {
        return hasHead;
    }

    /** {@return where the next bytes are received; empty: anywhere} */
    Optional<ByteBuf> place() {
        Optional<ByteBuffer> memory =
                hasHead && left > 0 && !origin.isSecure()
                        ? current.receiver().place(left)
                        : Optional.empty();
        isInPlace = memory.isPresent();
        return memory.map(bytes -> Unpooled.wrappedBuffer(bytes).clear());
    }

    /** {@return whether {@link #receive} is to bring the bytes to the last {@link #place}} */
    boolean isInPlace() {
        return isInPlace;
    }

    int receive(Receiver.Receive receive) throws IOException {
        int count = current.receiver().receive(receive);
        placed = Math.max(count, 0);
        return count;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, HttpObject part) throws IOException {
        if (isComplete) {
            hasSurplus = true;
            return;
        }
        if (part.decoderResult().isFailure()) {
            throw new IOException("the answer is not HTTP/1.1"); // Netty's words may repeat a URL.
        }
        if (part instanceof HttpResponse response) {
            takeHead(response);
        }
        if (part instanceof HttpContent content && hasHead) {
            takeBody(content.content());
        }
        if (part instanceof LastHttpContent) {
            takeEnd();
        }
    }

    private void takeHead(HttpResponse response) throws IOException {
        if (current == null) {
            throw new IOException("an answer without a request");
        }
        int status = response.status().code();
        isInformational = status / 100 == 1 && status != SWITCHING_PROTOCOLS;
        if (!isInformational) {
            hasHead = true;
            isKeptAlive = status != SWITCHING_PROTOCOLS && HttpUtil.isKeepAlive(response);
            left =
                    HttpUtil.isTransferEncodingChunked(response)
                            ? -1
                            : HttpUtil.getContentLength(response, -1L);
            current.receiver().begin(status, headers(response));
        }
    }

    private static HttpHeaders headers(HttpResponse response) {
        Map<String, List<String>> map = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (Map.Entry<String, String> header : response.headers()) {
            map.computeIfAbsent(header.getKey(), _ -> new ArrayList<>(1)).add(header.getValue());
        }
        return HttpHeaders.of(map, (_, _) -> true);
    }

    private void takeBody(ByteBuf content) {
        int count = content.readableBytes();
        left = Math.max(left - count, -1);
        if (placed > 0) {
            placed -= count;
        } else if (count > 0 && !current.receiver().take(content.nioBuffer())) {
            Exchange ended = endExchange();
            closeChannel();
            ended.receiver().end();
        }
    }

    private void takeEnd() {
        if (isInformational) {
            isInformational = false;
        } else if (current != null) {
            isComplete = true;
        }
    }

    /** Ends the exchange only here: bytes after the end of the answer are no answer to another. */
    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        if (isComplete) {
            endComplete();
        } else if (current == null && hasBytesLeft() && transport.removeIdle(this)) {
            closeChannel();
        }
    }

    private boolean hasBytesLeft() {
        return decoder != null && decoder.hasBytes();
    }

    private void endComplete() {
        boolean isReusable = isKeptAlive && channel.isActive() && !hasSurplus && !hasBytesLeft();
        Exchange ended = endExchange();
        if (isReusable) {
            becomeIdle();
        } else {
            closeChannel();
        }
        ended.receiver().end(); // It may send the next request here.
    }

    // The end

    private void becomeIdle() {
        boolean isFirst = idleNanos == 0;
        idleNanos = System.nanoTime();
        transport.addIdle(this);
        if (isFirst) {
            lookLater(transport.idleMaxNanos());
        }
    }

    private void lookLater(long nanos) {
        var _ = channel.eventLoop().schedule(this::look, nanos, TimeUnit.NANOSECONDS);
    }

    /** Closes the connection if it was idle for too long. */
    private void look() {
        long more = transport.idleMaxNanos() - (System.nanoTime() - idleNanos);
        if (!channel.isActive()) {
            return;
        }
        if (more > 0) {
            lookLater(more);
        } else if (current == null && transport.removeIdle(this)) {
            closeChannel();
        } else {
            lookLater(transport.idleMaxNanos());
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof SslHandshakeCompletionEvent handshake && !handshake.isSuccess()) {
            fail(handshake.cause());
        } else if (event instanceof SslCloseCompletionEvent && transport.removeIdle(this)) {
            closeChannel(); // A later request would be written to nobody.
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        transport.removeIdle(this);
        breakOff(new IOException("the connection was closed"));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable error) {
        Throwable cause =
                error instanceof DecoderException && error.getCause() != null
                        ? error.getCause()
                        : error;
        if (cause instanceof NotSslRecordException && isTlsBegun()) {
            cause = new SSLException("the server sends bytes outside of its records");
        }
        transport.removeIdle(this);
        boolean isTls = cause instanceof SSLException;
        if (isComplete || (cause instanceof IOException && !isTls)) {
            breakOff(cause);
        } else {
            fail(cause);
        }
        closeChannel();
    }

    private boolean isTlsBegun() {
        return route.tls().filter(tls -> tls.handshakeFuture().isSuccess()).isPresent();
    }
}
