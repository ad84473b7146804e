package io.zarrengine.http;

import io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.URI;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;

/**
 * Finds the way to a server: by a proxy or not, the address, and TLS. Threads: any that may wait.
 */
final class NettyRouter {
    private final Optional<ProxySelector> proxies;
    private final Optional<BasicCredentials> credentials; // for the proxy
    private final Optional<SSLContext> context;

    NettyRouter(HttpOptions options) {
        proxies = options.proxy().or(() -> Optional.ofNullable(ProxySelector.getDefault()));
        credentials = options.proxyCredentials();
        context = options.sslContext();
    }

    /** {@return the route of a new connection} It asks the name server, and code of the caller. */
    NettyRoute find(URI url, Origin origin) throws IOException {
        Optional<InetSocketAddress> proxy = proxy(url);
        InetSocketAddress to = proxy.orElseGet(origin::unresolved);
        if (to.isUnresolved()) {
            InetAddress address = InetAddress.getByName(to.getHostString());
            to = new InetSocketAddress(address, to.getPort());
        }
        Optional<SslHandler> tls =
                origin.isSecure()
                        ? Optional.of(new SslHandler(engine(origin), false, NettyRouter::compute))
                        : Optional.empty();
        return new NettyRoute(to, proxy.isPresent(), credentials, tls);
    }

    /** As the JDK's client does: the first one, if it is one for HTTP. */
    private Optional<InetSocketAddress> proxy(URI url) {
        List<Proxy> all = proxies.map(selector -> selector.select(url)).orElse(List.of());
        return all.stream()
                .limit(1)
                .filter(proxy -> proxy.type() == Proxy.Type.HTTP)
                .map(proxy -> (InetSocketAddress) proxy.address())
                .findFirst();
    }

    private SSLEngine engine(Origin origin) throws IOException {
        SSLEngine engine = contextOrDefault().createSSLEngine(origin.address(), origin.port());
        engine.setUseClientMode(true);
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS"); // The certificate names the host.
        parameters.setApplicationProtocols(new String[] {"http/1.1"});
        engine.setSSLParameters(parameters);
        return engine;
    }

    private SSLContext contextOrDefault() throws IOException {
        try {
            return context.isPresent() ? context.get() : SSLContext.getDefault();
        } catch (NoSuchAlgorithmException e) {
            throw new IOException("TLS: " + e.getMessage(), e);
        }
    }

    /** Checks certificates, which takes long, and may be code of the caller. */
    private static void compute(Runnable task) {
        Thread.ofVirtual().name("zarr-engine-http-tls").start(task);
    }
}
