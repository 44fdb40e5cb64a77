package dev.recloser.http;

import dev.recloser.SettingsException;
import dev.recloser.SettingsException.Problem;
import dev.recloser.http.EndpointHttpClientBuilder.Given;
import dev.recloser.spi.SettingsCheck;
import java.net.URI;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Finds all that is wrong with the settings of an {@link EndpointHttpClient}. */
final class EndpointSettingsCheck {

    private static final int MOST_ENDPOINTS = 64;
    private static final int MOST_HEDGED_ATTEMPTS = 11;
    private static final int HIGHEST_PORT = 65_535;
    private static final int MOST_WEIGHT = 1_000_000;

    private final EndpointHttpClientBuilder builder;
    private final SettingsCheck check = new SettingsCheck();

    private EndpointSettingsCheck(EndpointHttpClientBuilder builder) {
        this.builder = builder;
    }

    static void throwIfWrong(EndpointHttpClientBuilder builder) {
        EndpointSettingsCheck own = new EndpointSettingsCheck(builder);
        own.checkClient();
        own.checkEndpoints();
        own.checkAttempts();
        // A set: what is wrong may be found twice.
        Set<Problem> problems = new LinkedHashSet<>(own.check.problems());
        problems.addAll(problemsOf(builder::pipelineAround));
        problems.addAll(problemsOf(builder::standardPipeline));
        if (!problems.isEmpty()) {
            throw new SettingsException(List.copyOf(problems));
        }
    }

    private static List<Problem> problemsOf(Runnable building) {
        try {
            building.run();
            return List.of();
        } catch (SettingsException wrong) {
            return wrong.problems();
        }
    }

    private void checkClient() {
        String name = builder.name;
        check.require(!name.isBlank(), "name", "'" + name + "'", "not blank");
        check.in(name)
                .require(
                        builder.around == null || builder.transport == null,
                        "around",
                        "set together with transport",
                        "set alone: the client that exists has its settings");
        if (!builder.isSecondLayerAllowed) {
            PipelinedHttpClient.checkTransport(check, name, builder.around);
        }
    }

    private void checkEndpoints() {
        check.range("endpoints", builder.endpoints.size(), 1, MOST_ENDPOINTS);
        Set<String> seen = new HashSet<>();
        for (Given endpoint : builder.endpoints) {
            URI base = endpoint.base();
            check.require(
                            isBase(base),
                            "endpoint",
                            base,
                            "an http or https URI with a host, a port up to 65535 if any, without user, query and fragment, such as"
                                    + " https://eu.example.com/v1")
                    .require(seen.add(comparable(base)), "endpoint", base + " twice", "given once")
                    .range("weight of " + base, endpoint.weight(), 1, MOST_WEIGHT)
                    .require(
                            builder.isWeighted || endpoint.weight() == 1,
                            "weight of " + base,
                            endpoint.weight(),
                            "left out unless the client is weighted()");
        }
    }

    private static boolean isBase(URI base) {
        String scheme = base.getScheme();
        return ("http".equalsIgnoreCase(scheme) || "https".equalsIgnoreCase(scheme))
                && base.getHost() != null
                && base.getPort() != 0
                && base.getPort() <= HIGHEST_PORT
                && base.getRawUserInfo() == null
                && base.getRawQuery() == null
                && base.getRawFragment() == null;
    }

    /** Two endpoints are the same if this is: the scheme, the host and the port in one form, and the path as it is. */
    private static String comparable(URI base) {
        if (!isBase(base)) {
            return base.toString();
        }
        String path = base.getRawPath().replaceFirst("/$", "");
        return base.getScheme().toLowerCase(Locale.ROOT) + "://" + Partitions.authority(base) + path;
    }

    private void checkAttempts() {
        int endpoints = builder.endpoints.size();
        Duration hedgeAfter = builder.hedgeAfter;
        if (builder.maxAttempts != null) {
            int most = hedgeAfter == null ? endpoints : Math.min(endpoints, MOST_HEDGED_ATTEMPTS);
            check.range("maxAttempts", builder.maxAttempts, 1, Math.max(1, most));
        }
        if (hedgeAfter != null) {
            check.require(
                    hedgeAfter.compareTo(builder.attemptTimeout) < 0,
                    "hedgeAfter",
                    SettingsCheck.readable(hedgeAfter),
                    "shorter than the attemptTimeout of " + SettingsCheck.readable(builder.attemptTimeout)
                            + ", when every attempt has ended");
        }
    }
}
