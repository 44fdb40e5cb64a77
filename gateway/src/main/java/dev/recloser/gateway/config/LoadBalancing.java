package dev.recloser.gateway.config;

import java.util.Locale;

/** How the requests to a cluster are shared among its destinations. All of them heed the weights. */
public enum LoadBalancing {
    /** They take turns. */
    ROUND_ROBIN,
    /** The one with the fewest requests under way, by its weight; those with equally few take turns. */
    LEAST_REQUESTS,
    /** Of two that are drawn by lot, the one with the fewer requests under way, by its weight. */
    POWER_OF_TWO_CHOICES;

    /** As it is written in the configuration. */
    public String key() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
