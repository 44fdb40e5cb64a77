package dev.recloser.gateway.proxy;

import dev.recloser.gateway.config.DestinationTls;
import dev.recloser.gateway.config.ListenerTls;
import dev.recloser.gateway.config.TlsIdentity;
import io.netty.channel.Channel;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLException;

/** TLS as the gateway speaks it: versions 1.2 and 1.3, by the JDK. */
final class Tls {

    private static final String[] VERSIONS = {"TLSv1.3", "TLSv1.2"};

    private Tls() {}

    static SslContext forClients(ListenerTls config) {
        TlsIdentity identity = config.identity();
        SslContextBuilder builder = SslContextBuilder.forServer(identity.key(), array(identity.chain()))
                .sslProvider(SslProvider.JDK)
                .protocols(VERSIONS)
                .applicationProtocolConfig(
                        offering(ApplicationProtocolNames.HTTP_2, ApplicationProtocolNames.HTTP_1_1));
        config.clientAuthorities()
                .ifPresent(authorities ->
                        builder.trustManager(array(authorities.certificates())).clientAuth(ClientAuth.REQUIRE));
        return build(builder);
    }

    static SslContext toDestinations(DestinationTls config, boolean http2) {
        SslContextBuilder builder = SslContextBuilder.forClient()
                .sslProvider(SslProvider.JDK)
                .protocols(VERSIONS)
                .applicationProtocolConfig(
                        offering(http2 ? ApplicationProtocolNames.HTTP_2 : ApplicationProtocolNames.HTTP_1_1));
        if (!config.verify()) {
            builder.trustManager(InsecureTrustManagerFactory.INSTANCE).endpointIdentificationAlgorithm(null);
        } else {
            config.authorities().ifPresent(authorities -> builder.trustManager(array(authorities.certificates())));
        }
        config.identity().ifPresent(identity -> builder.keyManager(identity.key(), array(identity.chain())));
        return build(builder);
    }

    private static X509Certificate[] array(List<X509Certificate> certificates) {
        return certificates.toArray(new X509Certificate[0]);
    }

    private static ApplicationProtocolConfig offering(String... protocols) {
        return new ApplicationProtocolConfig(
                Protocol.ALPN, SelectorFailureBehavior.NO_ADVERTISE, SelectedListenerFailureBehavior.ACCEPT, protocols);
    }

    private static SslContext build(SslContextBuilder builder) {
        try {
            return builder.build();
        } catch (SSLException e) {
            throw new IllegalStateException("TLS cannot be set up", e); // what could be wrong has been read already
        }
    }

    /** Says that nothing more comes, by TLS where it is spoken. */
    static void shutdownOutput(Channel channel) {
        SslHandler tls = channel.pipeline().get(SslHandler.class);
        if (tls == null) {
            shutdownSocket(channel);
        } else {
            var unused = tls.closeOutbound().addListener(said -> shutdownSocket(channel));
        }
    }

    private static void shutdownSocket(Channel channel) {
        var unused = ((DuplexChannel) channel).shutdownOutput();
    }

    /** Whether a connection has ended without TLS having said so, where it is spoken: who cut it may not be the other side. */
    static boolean isCut(Channel channel) {
        SslHandler tls = channel.pipeline().get(SslHandler.class);
        return tls != null && !tls.sslCloseFuture().isSuccess();
    }

    /** Whether it is the other side's doing: it does not speak TLS as it should, or not at all. */
    static boolean isFault(Throwable cause) {
        return cause instanceof SSLException
                || (cause instanceof DecoderException && cause.getCause() instanceof SSLException);
    }
}
