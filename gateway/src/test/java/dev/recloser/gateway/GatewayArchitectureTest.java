package dev.recloser.gateway;

import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Which package of the gateway knows which. */
@AnalyzeClasses(packages = "dev.recloser.gateway", importOptions = ImportOption.DoNotIncludeTests.class)
class GatewayArchitectureTest {

    private static final String CONFIG = "config";
    private static final String PROXY = "proxy";
    private static final String ACCESS_LOG = "access log";
    private static final String GATEWAY = "gateway";
    private static final String METRICS = "metrics";
    private static final String ADMIN = "admin";
    private static final String DEMO = "demo";
    private static final String CLI = "cli";

    @ArchTest
    static final ArchRule packages_know_each_other_in_one_direction = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .layer(CONFIG)
            .definedBy("dev.recloser.gateway.config..")
            .layer(PROXY)
            .definedBy("dev.recloser.gateway.proxy..")
            .layer(ACCESS_LOG)
            .definedBy("dev.recloser.gateway.accesslog..")
            .layer(GATEWAY)
            .definedBy("dev.recloser.gateway")
            .layer(METRICS)
            .definedBy("dev.recloser.gateway.metrics..")
            .layer(ADMIN)
            .definedBy("dev.recloser.gateway.admin..")
            .layer(DEMO)
            .definedBy("dev.recloser.gateway.demo..")
            .layer(CLI)
            .definedBy("dev.recloser.gateway.cli..")
            .whereLayer(CONFIG)
            .mayNotAccessAnyLayer()
            .whereLayer(PROXY)
            .mayOnlyAccessLayers(CONFIG)
            .whereLayer(ACCESS_LOG)
            .mayOnlyAccessLayers(CONFIG, PROXY)
            .whereLayer(GATEWAY)
            .mayOnlyAccessLayers(CONFIG, PROXY, ACCESS_LOG)
            .whereLayer(METRICS)
            .mayOnlyAccessLayers(CONFIG, PROXY, GATEWAY)
            .whereLayer(ADMIN)
            .mayOnlyAccessLayers(CONFIG, PROXY, GATEWAY, METRICS)
            .whereLayer(DEMO)
            .mayOnlyAccessLayers(CONFIG, PROXY, GATEWAY, ADMIN)
            .whereLayer(CLI)
            .mayNotBeAccessedByAnyLayer();
}
