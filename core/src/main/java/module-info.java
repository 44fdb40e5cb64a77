/** Circuit breaking and resilience for Java: pipelines of strategies around any call. */
@org.jspecify.annotations.NullMarked
module dev.recloser {
    requires static org.jspecify;

    exports dev.recloser;
    exports dev.recloser.adaptivelimiter;
    exports dev.recloser.chaos;
    exports dev.recloser.circuitbreaker;
    exports dev.recloser.concurrencylimiter;
    exports dev.recloser.fallback;
    exports dev.recloser.hedging;
    exports dev.recloser.ratelimiter;
    exports dev.recloser.retry;
    exports dev.recloser.spi;
    exports dev.recloser.telemetry;
    exports dev.recloser.time;
    exports dev.recloser.timeout;
}
