package dev.recloser.gateway.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.recloser.gateway.Gateway;
import dev.recloser.gateway.admin.AdminServer;
import dev.recloser.gateway.cli.ParsedCommand;
import dev.recloser.gateway.config.AdminConfig;
import dev.recloser.gateway.config.CheckedConfig;
import dev.recloser.gateway.config.ConfigReader;
import dev.recloser.gateway.config.GatewayConfig;
import dev.recloser.gateway.config.HostPort;
import dev.recloser.spi.SettingsReading;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What must agree in the files by which the gateway is deployed: with each other, with the program, and with what Prometheus expects. */
class DeploymentTest {

    private static final String TOKEN = "RECLOSER_ADMIN_TOKEN";
    private static final Duration TO_END = Duration.ofSeconds(5);

    @TempDir
    Path folder;

    private static CheckedConfig checked() throws IOException {
        String yaml = Files.readString(Deployed.CONFIG);
        assertThat(yaml).contains("${" + TOKEN + "}");
        return ConfigReader.parse("gateway.yaml", yaml.replace("${" + TOKEN + "}", "0123456789abcdef"));
    }

    private static GatewayConfig config() throws IOException {
        return checked().config().orElseThrow();
    }

    private static HostPort adminListen() throws IOException {
        return config().admin().map(AdminConfig::listen).orElseThrow();
    }

    private static ParsedCommand started() throws IOException {
        return ParsedCommand.of(Deployed.texts(Deployed.container().get("args")));
    }

    private static ParsedCommand startedByUnit() throws IOException {
        String command = Deployed.unit("ExecStart");
        List<String> words = Arrays.asList(command.split(" "));
        return ParsedCommand.of(words.subList(words.indexOf("-jar") + 2, words.size()));
    }

    // ---- Kubernetes

    @Test
    void everyFileIsPartOfTheKustomization() throws IOException {
        Set<String> files = new TreeSet<>(Set.of("kustomization.yaml", "service-monitor.yaml"));
        files.addAll(Deployed.texts(Deployed.document("kustomization.yaml").get("resources")));
        files.addAll(Deployed.texts(Deployed.document("kustomization.yaml").at("/configMapGenerator/0/files")));
        try (Stream<Path> there = Files.list(Deployed.KUBERNETES)) {
            assertThat(there.map(path -> path.getFileName().toString())).containsExactlyInAnyOrderElementsOf(files);
        }
    }

    @Test
    void theConfigurationIsRightAndWiseAndGetsItsToken() throws IOException {
        assertThat(checked().findings()).isEmpty();
        JsonNode variables = Deployed.container().get("env");
        assertThat(variables).hasSize(1);
        assertThat(variables.at("/0/name").asText()).isEqualTo(TOKEN);
        assertThat(variables.at("/0/valueFrom/secretKeyRef/key").asText()).isNotEmpty();
    }

    /** With a subPath the file would stay as it was. */
    @Test
    void theConfigurationIsMountedAsAFolderThatChanges() throws IOException {
        JsonNode pod = Deployed.document("deployment.yaml").at("/spec/template/spec");
        JsonNode kustomization = Deployed.document("kustomization.yaml");
        JsonNode mount = Deployed.container().at("/volumeMounts/0");
        assertThat(mount.has("subPath")).isFalse();
        assertThat(started().parameters())
                .containsExactly(mount.get("mountPath").asText() + "/"
                        + kustomization.at("/configMapGenerator/0/files/0").asText());
        assertThat(pod.at("/volumes/0/name")).isEqualTo(mount.get("name"));
        assertThat(pod.at("/volumes/0/configMap/name")).isEqualTo(kustomization.at("/configMapGenerator/0/name"));
        assertThat(kustomization.at("/generatorOptions/disableNameSuffixHash").asBoolean())
                .isTrue();
    }

    @Test
    void portsAreThoseOfTheConfiguration() throws IOException {
        JsonNode ports = Deployed.container().get("ports");
        assertThat(ports).hasSize(2);
        assertThat(ports.at("/0/name").asText()).isEqualTo("http");
        assertThat(ports.at("/0/containerPort").asInt())
                .isEqualTo(config().listen().port());
        assertThat(ports.at("/1/name").asText()).isEqualTo("admin");
        assertThat(ports.at("/1/containerPort").asInt()).isEqualTo(adminListen().port());
        List<JsonNode> services = Deployed.documents("service.yaml");
        assertThat(services.get(0).at("/spec/ports/0/targetPort").asText()).isEqualTo("http");
        assertThat(services.get(1).at("/spec/ports/0/targetPort").asText()).isEqualTo("admin");
        JsonNode allowed = Deployed.document("network-policy.yaml").at("/spec/ingress");
        assertThat(allowed.at("/0/ports/0/port").asText()).isEqualTo("http");
        assertThat(allowed.get(0).has("from")).isFalse();
        assertThat(allowed.at("/1/ports/0/port").asText()).isEqualTo("admin");
        assertThat(allowed.at("/1/from")).isNotEmpty();
        assertThat(allowed).hasSize(2);
        assertThat(Deployed.image("EXPOSE"))
                .containsExactly(config().listen().port() + " " + adminListen().port());
    }

    @Test
    void whatIsProbedAndScrapedIsServed() throws Exception {
        List<String> paths = new ArrayList<>();
        for (String probe : List.of("startupProbe", "readinessProbe", "livenessProbe")) {
            JsonNode request = Deployed.container().get(probe).get("httpGet");
            assertThat(request.get("port").asText()).isEqualTo("admin");
            paths.add(request.get("path").asText());
        }
        JsonNode scraped = Deployed.document("service-monitor.yaml").at("/spec/endpoints/0");
        assertThat(scraped.get("port"))
                .isEqualTo(Deployed.documents("service.yaml").get(1).at("/spec/ports/0/name"));
        paths.add(scraped.get("path").asText());
        GatewayConfig config = ConfigReader.parse("c", """
                listen: 127.0.0.1:0
                routes: [ { match: { path: /** }, cluster: a } ]
                clusters: { a: { destinations: [ "http://127.0.0.1:1" ] } }
                """).config().orElseThrow();
        HttpClient client = HttpClient.newHttpClient();
        try (Gateway gateway = Gateway.start(config);
                AdminServer admin = AdminServer.start(new AdminConfig(new HostPort("127.0.0.1", 0)), gateway)) {
            for (String path : paths) {
                URI uri = URI.create("http://127.0.0.1:" + admin.address().getPort() + path);
                assertThat(client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.discarding())
                                .statusCode())
                        .as(path)
                        .isEqualTo(200);
            }
            gateway.withdraw();
            URI ready = URI.create("http://127.0.0.1:" + admin.address().getPort() + paths.get(1));
            assertThat(client.send(HttpRequest.newBuilder(ready).build(), BodyHandlers.discarding())
                            .statusCode())
                    .isEqualTo(503);
        }
    }

    @Test
    void thereIsTimeToSeeThatAPodIsNotReadyAndToDrainIt() throws IOException {
        Duration delay = started().duration("--drain-delay");
        Duration drain = started().duration("--drain-timeout");
        JsonNode pod = Deployed.document("deployment.yaml").at("/spec/template/spec");
        Duration grace =
                Duration.ofSeconds(pod.get("terminationGracePeriodSeconds").asLong());
        assertThat(grace).isGreaterThanOrEqualTo(delay.plus(drain).plus(TO_END));
        JsonNode probe = Deployed.container().get("readinessProbe");
        Duration seen = Duration.ofSeconds((long) probe.get("periodSeconds").asInt()
                * probe.get("failureThreshold").asInt());
        assertThat(delay).isGreaterThanOrEqualTo(seen.multipliedBy(2));
    }

    @Test
    void theyAllMeanTheSamePods() throws IOException {
        JsonNode name = Deployed.document("deployment.yaml").at("/metadata/name");
        JsonNode labels = Deployed.document("kustomization.yaml").at("/labels/0/pairs");
        assertThat(Deployed.document("autoscaler.yaml").at("/spec/scaleTargetRef/name"))
                .isEqualTo(name);
        assertThat(Deployed.document("disruption-budget.yaml").at("/spec/selector/matchLabels"))
                .isEqualTo(labels);
        assertThat(Deployed.document("network-policy.yaml").at("/spec/podSelector/matchLabels"))
                .isEqualTo(labels);
        Deployed.document("deployment.yaml")
                .at("/spec/template/spec/topologySpreadConstraints")
                .forEach(spread ->
                        assertThat(spread.at("/labelSelector/matchLabels")).isEqualTo(labels));
        assertThat(Deployed.document("deployment.yaml").at("/spec").has("replicas"))
                .as("the number is the autoscaler's")
                .isFalse();
        assertThat(Deployed.document("kustomization.yaml").at("/images/0/name"))
                .isEqualTo(Deployed.container().get("image"));
    }

    @Test
    void theScrapeJobIsTheOneOfTheAlertRules() throws IOException {
        JsonNode monitor = Deployed.document("service-monitor.yaml").get("spec");
        String job = Deployed.document("kustomization.yaml")
                .at("/labels/0/pairs")
                .get(monitor.get("jobLabel").asText())
                .asText();
        assertThat(Files.readString(RuleFile.RULES)).contains("job=\"" + job + "\"");
        assertThat(monitor.at("/selector/matchLabels/app.kubernetes.io~1component"))
                .isEqualTo(
                        Deployed.documents("service.yaml").get(1).at("/metadata/labels/app.kubernetes.io~1component"));
    }

    @Test
    void podsHaveNoRightsThatTheyDoNotNeed() throws IOException {
        JsonNode pod = Deployed.document("deployment.yaml").at("/spec/template/spec");
        JsonNode container = Deployed.container().get("securityContext");
        assertThat(pod.at("/securityContext/runAsNonRoot").asBoolean()).isTrue();
        assertThat(pod.get("automountServiceAccountToken").asBoolean()).isFalse();
        assertThat(container.get("allowPrivilegeEscalation").asBoolean()).isFalse();
        assertThat(container.get("readOnlyRootFilesystem").asBoolean()).isTrue();
        assertThat(Deployed.texts(container.at("/capabilities/drop"))).containsExactly("ALL");
        assertThat(Deployed.image("USER"))
                .containsExactly(pod.at("/securityContext/runAsUser").asText() + ":"
                        + pod.at("/securityContext/runAsGroup").asText());
    }

    // ---- the image

    @Test
    void theImageNeedsNoShellAndStartsTheGateway() throws IOException {
        List<String> entry = Deployed.words("ENTRYPOINT");
        assertThat(entry).startsWith("/usr/bin/java").containsAll(Deployed.javaOptions());
        assertThat(entry).contains("-XX:MaxRAMPercentage=40", "-XX:+ExitOnOutOfMemoryError");
        assertThat(Deployed.image("COPY")).singleElement().asString().endsWith(" " + entry.get(entry.size() - 1));
        ParsedCommand byDefault = ParsedCommand.of(Deployed.words("CMD"));
        assertThat(byDefault.name()).isEqualTo("gateway");
        assertThat(byDefault.parameters()).isEqualTo(started().parameters());
        assertThat(Deployed.image("RUN")).isEmpty();
    }

    // ---- systemd

    @Test
    void theUnitStartsReloadsAndEndsTheGateway() throws IOException {
        ParsedCommand command = startedByUnit();
        assertThat(command.name()).isEqualTo("gateway");
        assertThat(Arrays.asList(Deployed.unit("ExecStart").split(" "))).containsAll(Deployed.javaOptions());
        Duration stop =
                SettingsReading.duration(Deployed.unit("TimeoutStopSec")).orElseThrow();
        assertThat(stop)
                .isGreaterThanOrEqualTo(command.duration("--drain-delay")
                        .plus(command.duration("--drain-timeout"))
                        .plus(TO_END));
        assertThat(Deployed.unit("KillSignal")).isEqualTo("SIGTERM");
        assertThat(Deployed.unit("ExecReload")).contains(" -HUP $MAINPID");
        assertThat(Deployed.unit("RestartPreventExitStatus")).isEqualTo("2");
        assertThat(Deployed.unit())
                .contains("DynamicUser=yes", "ProtectSystem=strict", "NoNewPrivileges=yes", "CapabilityBoundingSet=")
                .noneMatch(line -> line.startsWith("MemoryDenyWriteExecute"));
    }

    @Test
    void systemdUnderstandsTheUnit() throws Exception {
        Path program = Path.of("/usr/bin/systemd-analyze");
        assumeTrue(Files.isExecutable(program), "systemd is not installed");
        String java = ProcessHandle.current().info().command().orElseThrow();
        String here = String.join("\n", Deployed.unit()).replace("=/usr/bin/java ", "=" + java + " ") + "\n";
        Path unit = Files.writeString(folder.resolve("recloser-gateway.service"), here);
        Path said = folder.resolve("said");
        int code = new ProcessBuilder(program.toString(), "verify", "--man=no", unit.toString())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start()
                .waitFor();
        assertThat(Files.readString(said)).isEmpty();
        assertThat(code).isZero();
    }
}
