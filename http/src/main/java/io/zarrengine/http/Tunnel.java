package io.zarrengine.http;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import java.util.Optional;

/** Asks a proxy for a tunnel, and then removes itself. Threads: the connection's. */
final class Tunnel extends SimpleChannelInboundHandler<HttpObject> {
    private static final int ASKS_FOR_CREDENTIALS = 407;

    private final NettyConnection connection;
    private final String authority; // with a port
    private final Optional<BasicCredentials> credentials;

    Tunnel(NettyConnection connection, Origin to, Optional<BasicCredentials> credentials) {
        this.connection = connection;
        this.credentials = credentials;
        this.authority = to.host() + ":" + to.port();
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        var request =
                new DefaultFullHttpRequest(
                        HttpVersion.HTTP_1_1, HttpMethod.CONNECT, authority, Unpooled.EMPTY_BUFFER);
        request.headers()
                .set(HttpHeaderNames.HOST, authority)
                .set(HttpHeaderNames.USER_AGENT, NettyConnection.USER_AGENT);
        authenticate(request, credentials);
        var _ = context.writeAndFlush(request, context.voidPromise());
    }

    /** Adds the credentials for a proxy to a request that the proxy reads. */
    static void authenticate(HttpRequest request, Optional<BasicCredentials> credentials) {
        credentials.ifPresent(known ->
                request.headers().set(HttpHeaderNames.PROXY_AUTHORIZATION, known.header()));
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, HttpObject part)
            throws NoTunnelException {
        if (part instanceof HttpResponse response) {
            int status = response.status().code();
            if (status == ASKS_FOR_CREDENTIALS) {
                connection.refusedByProxy(response);
            } else if (status / 100 != 2) {
                throw new NoTunnelException(status);
            }
        }
        if (part instanceof LastHttpContent && connection.isBusy()) {
            context.pipeline().remove(HttpClientCodec.class);
            context.pipeline().remove(this);
            connection.reachedThroughTunnel();
        }
    }
}
