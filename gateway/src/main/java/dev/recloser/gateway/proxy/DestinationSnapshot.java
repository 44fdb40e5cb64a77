package dev.recloser.gateway.proxy;

import java.util.Locale;

/**
 * How a destination is at one moment.
 *
 * @param secure whether it is connected to by TLS
 * @param address its host and port
 * @param weight how large its share of the requests is beside that of the others
 * @param state whether it gets its share
 * @param underway how many requests are under way there, those that wait for a connection included
 */
public record DestinationSnapshot(boolean secure, String address, int weight, State state, long underway) {

    /** Whether a destination gets its share of the requests. */
    public enum State {
        /** It does, as far as is known. */
        HEALTHY,
        /** It has returned, and its share is growing. */
        SLOW_START,
        /** It could not be reached just now, and others are asked first for a moment. */
        RESTING,
        /** It is left out for a time, because requests to it failed. */
        EJECTED,
        /** It is left out, because health checks say that it is not well. */
        UNHEALTHY;

        /** As it is shown. */
        public String label() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** Its URL, without a path. */
    public String url() {
        return (secure ? "https://" : "http://") + address;
    }

    /** Whether it is left out, be it by requests that failed or by checks. */
    public boolean isLeftOut() {
        return state == State.EJECTED || state == State.UNHEALTHY;
    }
}
