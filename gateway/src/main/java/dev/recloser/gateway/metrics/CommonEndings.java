package dev.recloser.gateway.metrics;

import dev.recloser.gateway.proxy.Ending;
import dev.recloser.gateway.proxy.StatusClass;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/** The ways for requests to end that are to be expected of every cluster, with what the client gets then. */
final class CommonEndings {

    private static final Map<Ending, Set<StatusClass>> COMMON = Map.of(
            Ending.OK,
            EnumSet.of(StatusClass.SUCCESS, StatusClass.REDIRECTION, StatusClass.CLIENT_ERROR),
            Ending.UPSTREAM_5XX,
            EnumSet.of(StatusClass.SERVER_ERROR),
            Ending.CIRCUIT_OPEN,
            EnumSet.of(StatusClass.SERVER_ERROR),
            Ending.CIRCUIT_ISOLATED,
            EnumSet.of(StatusClass.SERVER_ERROR),
            Ending.CONNECT,
            EnumSet.of(StatusClass.SERVER_ERROR),
            Ending.CONNECT_TIMEOUT,
            EnumSet.of(StatusClass.SERVER_ERROR),
            Ending.UPSTREAM_CLOSED,
            EnumSet.of(StatusClass.SERVER_ERROR),
            Ending.TIMEOUT,
            EnumSet.of(StatusClass.SERVER_ERROR),
            Ending.BODY_CUT,
            EnumSet.of(StatusClass.SUCCESS),
            Ending.CLIENT_GONE,
            EnumSet.of(StatusClass.NONE));

    private CommonEndings() {}

    static boolean contains(Ending ending, StatusClass status) {
        return COMMON.getOrDefault(ending, Set.of()).contains(status);
    }
}
