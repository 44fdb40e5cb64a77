package dev.recloser.benchmarks.gateway;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What {@code benchmarks/run} has found and built.
 *
 * @param recloser the script that runs Recloser
 * @param proxyCore the core that proxies are bound to, or null where nothing is bound
 * @param cores all cores that may be used, as taskset has them, or null where nothing is bound to any
 * @param springCloudGateway the jar of it, or null where that could not be built
 */
record Setup(
        Path recloser,
        @Nullable String proxyCore,
        @Nullable String cores,
        @Nullable Path springCloudGateway) {

    private static final String JAVA_OPTIONS = "RECLOSER_JAVA_OPTS";

    /** From the first argument and the system properties. */
    static Setup of(String[] args) {
        String jar = System.getProperty("recloser.benchmarks.spring-cloud-gateway");
        return new Setup(
                Path.of(args[0]),
                System.getProperty("recloser.benchmarks.proxy-core"),
                System.getProperty("recloser.benchmarks.cores"),
                jar == null ? null : Path.of(jar));
    }

    /** What is bound to which core, to be read by people. */
    String binding() {
        return proxyCore == null ? "nothing bound to a core" : "proxies alone on core " + proxyCore;
    }

    /** A command, bound to some cores, or to none where that is null. */
    static List<String> bound(@Nullable String cores, List<String> command) {
        if (cores == null) {
            return command;
        }
        List<String> bound = new ArrayList<>(List.of("taskset", "-c", cores));
        bound.addAll(command);
        return bound;
    }

    /** The command that runs Recloser's gateway, with options for Java beside those of the environment. */
    List<String> recloser(Path config, List<String> javaOptions) {
        List<String> options = new ArrayList<>();
        String inherited = System.getenv(JAVA_OPTIONS);
        if (inherited != null) {
            options.add(inherited);
        }
        options.addAll(javaOptions);
        return List.of(
                "env",
                JAVA_OPTIONS + "=" + String.join(" ", options),
                recloser.toString(),
                "gateway",
                config.toString());
    }

    /** The command that runs Spring Cloud Gateway, with one event loop. */
    static List<String> springCloudGateway(Path jar, Path config) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dreactor.netty.ioWorkerCount=1",
                "-jar",
                jar.toString(),
                "--spring.config.location=" + config);
    }
}
