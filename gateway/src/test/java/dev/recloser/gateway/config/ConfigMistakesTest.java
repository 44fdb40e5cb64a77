package dev.recloser.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever is wrong with a configuration is said at once, each mistake at its place and with what would be right. */
class ConfigMistakesTest {

    @TempDir
    Path folder;

    @Test
    void everyMistakeOfAFileIsReportedAtItsPlaceWithWhatWouldBeRight() throws IOException {
        CheckedConfig checked = ConfigReader.parse("gw.yaml", resource("mistakes.yaml"));
        assertThat(checked.config()).isEmpty();
        assertThat(checked.findings().stream().map(Finding::toString).collect(Collectors.joining("\n", "", "\n")))
                .isEqualTo(resource("mistakes.txt"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            500                  | is '500', which has no unit; write 500s for seconds or 500ms for milliseconds
            2 seconds            | is '2 seconds', which is no duration; write a number and a unit, such as 500ms, 10s, 2m or 1h
            -2s                  | is '-2s', which is no duration; write a number and a unit, such as 500ms, 10s, 2m or 1h
            1.5s                 | is '1.5s', which is no duration; write a number and a unit, such as 500ms, 10s, 2m or 1h
            PT2S                 | is 'PT2S', which is no duration; write a number and a unit, such as 500ms, 10s, 2m or 1h
            0ms                  | is '0ms'; it must be more than 0
            25h                  | is '25h'; it must be at most 1d
            999999999999d        | is '999999999999d'; it must be at most 1d
            [2s]                 | is a list; write a single value
            {a: b}               | is a mapping; write a single value
            """)
    void aBadDurationIsAMistake(String written, String message) {
        assertThat(mistakes(CLUSTER.formatted("timeout: §" + written))).isEqualTo(HERE + "timeout " + message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            failure-ratio: 0           | 0; it must be more than 0 and at most 1
            failure-ratio: -0.5        | -0.5; it must be more than 0 and at most 1
            failure-ratio: 1.01        | 1.01; it must be more than 0 and at most 1
            failure-ratio: 50%         | '50%', which is no number; write one such as 0.5
            failure-ratio: .nan        | '.nan', which is no number; write one such as 0.5
            minimum-throughput: 0      | 0; it must be from 1 to 1000000
            minimum-throughput: 99999999999999999999 | 99999999999999999999; it must be from 1 to 1000000
            minimum-throughput: 2.5    | '2.5', which is no whole number; write one such as 5
            sampling-duration: 9ms     | 9ms; it must be from 10 ms to 1 d
            sampling-duration: 2d      | 2d; it must be from 10 ms to 1 d
            break-duration: 0s         | '0s'; it must be more than 0
            probes: 1001               | 1001; it must be from 1 to 1000
            successes-to-close: none   | 'none', which is no whole number; write one such as 5
            probe-lease: long          | 'long', which is no duration; write a number and a unit, such as 500ms, 10s, 2m or 1h
            """)
    void aBadSettingOfTheBreakerIsAMistakeAtItsValue(String written, String message) {
        String key = written.substring(0, written.indexOf(':'));
        String marked = written.replace(": ", ": §");
        assertThat(mistakes(CLUSTER.formatted("circuit-breaker: { " + marked + " }")))
                .isEqualTo(HERE + key + " is " + message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ftp://h               | has the scheme 'ftp', which is not supported; write http://HOST:PORT or https://HOST:PORT
            127.0.0.1:9101        | is no URL; write http://127.0.0.1:9101
            //h                   | is no URL; write http://HOST:PORT, such as http://127.0.0.1:9101
            http://h/             | has a path, but requests keep their own; write http://h
            http://h:80/api       | has a path, but requests keep their own; write http://h:80
            http://h?a=b          | has a query, but requests keep their own; write http://h
            http://h#a            | has a fragment, but requests keep their own; write http://h
            http://me:pw@h:80     | has user information, which is not supported; write http://h:80
            http://h:0            | has the port '0'; it must be from 1 to 65535
            http://h:65536        | has the port '65536'; it must be from 1 to 65535
            http://h:x            | has the port 'x'; it must be from 1 to 65535
            http://h:             | has the port ''; it must be from 1 to 65535
            http://               | has the host '', which is no name and no address; write one such as localhost, 127.0.0.1 or [::1]
            http://a b            | has the host 'a b', which is no name and no address; write one such as localhost, 127.0.0.1 or [::1]
            http://256.1.1.1      | has the host '256.1.1.1', which is no name and no address; write one such as localhost, 127.0.0.1 or [::1]
            http://[::g]          | has the host '[::g]', which is no name and no address; write one such as localhost, 127.0.0.1 or [::1]
            http://::1:80         | has a malformed host; write http://HOST:PORT, such as http://127.0.0.1:9101 or http://[::1]:9101
            """)
    void aBadDestinationIsAMistake(String url, String message) {
        String yaml = VALID.replace("\"http://a:1\"", "§\"" + url + "\"");
        assertThat(mistakes(yaml)).isEqualTo(HERE + "destination '" + url + "' " + message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            { url: http://h, weight: §0 }    | weight is 0; it must be from 1 to 1000
            { url: http://h, weight: §1001 } | weight is 1001; it must be from 1 to 1000
            { url: http://h, weight: §x }    | weight is 'x', which is no whole number; write one such as 5
            { url: §h:1, weight: 1 }         | destination 'h:1' is no URL; write http://h:1
            { url: http://h, §wheight: 1 }   | unknown key 'wheight' in destination; did you mean 'weight'?
            §{ weight: 1 }                   | destination has no 'url'; add url: "http://127.0.0.1:9101"
            §[]                              | destination is a list; write a single value
            """)
    void aBadDestinationWithAWeightIsAMistake(String destination, String message) {
        assertThat(mistakes(VALID.replace("\"http://a:1\"", destination))).isEqualTo(HERE + message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            §on                          | outlier-detection is 'on'; write off, or outlier-detection: { consecutive-failures: 5 }
            §[]                          | outlier-detection must be a mapping; write KEY: VALUE
            { §consecutive-failure: 5 }  | unknown key 'consecutive-failure' in outlier-detection; did you mean 'consecutive-failures'?
            { failure-ratio: §0 }        | failure-ratio is 0; it must be more than 0 and at most 1
            { max-ejection-time: §1s }   | max-ejection-time 1s is shorter than the ejection-time of 10s; use 10s or more
            """)
    void aBadOutlierDetectionIsAMistake(String written, String message) {
        assertThat(mistakes(CLUSTER.formatted("outlier-detection: " + written))).isEqualTo(HERE + message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            §health-check: {}                               | health-check has no 'path'; add path: /healthz
            health-check: §on                               | health-check must be a mapping; write KEY: VALUE
            health-check: { path: §up }                     | path is 'up'; it must begin with '/', and have neither blanks nor '#'; write one such as /healthz
            health-check: { path: §"/a b" }                 | path is '/a b'; it must begin with '/', and have neither blanks nor '#'; write one such as /healthz
            health-check: { path: /, statuses: §ok }        | statuses is 'ok'; write a status from 200 to 599, or a range of them such as 200-299
            health-check: { path: /, statuses: §299-200 }   | statuses is '299-200'; write a status from 200 to 599, or a range of them such as 200-299
            health-check: { path: /, probes-circuit: §yes } | probes-circuit is 'yes'; write true or false
            health-check: { path: /, §intervall: 1s }       | unknown key 'intervall' in health-check; did you mean 'interval'?
            """)
    void aBadHealthCheckIsAMistake(String written, String message) {
        assertThat(mistakes(CLUSTER.formatted(written))).isEqualTo(HERE + message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            round robin    | 'round robin', which there is not; did you mean 'round-robin'?
            least-request  | 'least-request', which there is not; did you mean 'least-requests'?
            sticky         | 'sticky', which there is not; the values are least-requests, power-of-two-choices, round-robin
            """)
    void aWayOfSharingThatThereIsNotIsAMistake(String written, String message) {
        assertThat(mistakes(CLUSTER.formatted("load-balancing: §" + written)))
                .isEqualTo(HERE + "load-balancing is " + message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            8080                  | is '8080', which is no address; write HOST:PORT, such as 127.0.0.1:8080 or [::1]:8080
            :8080                 | is ':8080', which is no address; write HOST:PORT, such as 127.0.0.1:8080 or [::1]:8080
            http://127.0.0.1:8080 | is 'http://127.0.0.1:8080', which is a URL; write HOST:PORT alone, such as 127.0.0.1:8080
            127.0.0.1:65536       | is '127.0.0.1:65536' has the port '65536'; it must be from 0 to 65535
            300.0.0.1:80          | is '300.0.0.1:80' has the host '300.0.0.1', which is no name and no address; write one such as localhost, 127.0.0.1 or [::1]
            [8080]                | is a list; write a single value
            """)
    void aBadListenAddressIsAMistake(String address, String message) {
        assertThat(mistakes(VALID.replace("127.0.0.1:0", "§" + address))).isEqualTo(HERE + "listen " + message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            accounts        | does not begin with '/'; write /accounts
            /a/**/b         | has a '*' that does not stand in /** at the end; write /a/**
            /a*             | has a '*' that does not stand in /** at the end; write /a/**
            /*/b            | has a '*' that does not stand in /** at the end; write /**
            /a/../b         | has a dot segment, and such requests are refused; write the path without it
            /a/./**         | has a dot segment, and such requests are refused; write the path without it
            /a/%2E%2e;x/b   | has a dot segment, and such requests are refused; write the path without it
            /a?b=c          | has a query or fragment, which is not part of a path; leave it out
            /a%2fb          | has %2f, and such requests are refused; leave it out, or add clients: { allow-encoded-slashes: true }
            /a/..%2fb       | has a dot segment, and such requests are refused; write the path without it
            /a%00           | has %00, and such requests are refused; leave it out
            /a b            | has ' ', which cannot stand in the path of a request; write it as %XX, byte for byte
            /%zz            | has a '%' without two hexadecimal digits; write %25 for the sign itself
            /straße         | has 'ß', which cannot stand in the path of a request; write it as %XX, byte for byte
            """)
    void aBadPathIsAMistake(String path, String message) {
        String yaml = VALID.replace("/p", "§\"" + path + "\"");
        assertThat(mistakes(yaml)).isEqualTo(HERE + "path '" + path + "' " + message);
    }

    @Test
    void anEncodedSlashInAPathIsNoMistakeWhereRequestsMayHaveIt() {
        String allowing = VALID + "clients: { allow-encoded-slashes: true }\n";
        assertThat(errors(allowing.replace("/p", "\"/a%2Fb\""))).isEmpty();
        assertThat(mistakes(allowing.replace("/p", "§\"/a/..%2Fb\"")))
                .isEqualTo(HERE + "path '/a/..%2Fb' has a dot segment, and such requests are refused; write the path"
                        + " without it");
        assertThat(mistakes(allowing.replace("true", "§yes")))
                .isEqualTo(HERE + "allow-encoded-slashes is 'yes'; write true or false");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            host: §"*.example.com"      | host '*.example.com' has a wildcard, which is not supported; write a route for each host
            host: §example.com:80       | host 'example.com:80' has a port, but hosts are compared without; write example.com
            host: §"[::1]:80"           | host '[::1]:80' has a port, but hosts are compared without; write [::1]
            host: §a_b..c               | host 'a_b..c' is no name and no address; write one such as pay.example.com
            methods: §GET              | methods must be a list; write methods: [GET, POST]
            methods: §[]                | methods is empty; give at least one, such as [GET, POST]
            methods: [§get]             | method 'get' is not in upper case; write GET
            methods: [GET, §GET]        | method GET is listed twice; leave one of them out
            methods: [§CONNECT]         | the gateway never serves CONNECT; leave it out
            methods: [§"G T"]           | 'G T' is no method; write one such as GET
            headers: { §Host: a }       | the host is a condition of its own; write host: beside headers:
            headers: { §"a b": c }      | 'a b' is no name of a header; write one such as X-Version
            headers: { X: §[a] }        | header 'X' is a list; write a single value
            headers: { X: §" a" }       | header 'X' has a value that no request can have; write it without line ends and outer blanks
            headers: { X: a, §x: b }    | header 'x' stands here twice; names differ in more than case
            headers: §{}                | headers is empty; give at least one, such as { X-Version: "2" }
            §pth: /                     | unknown key 'pth' in match; did you mean 'path'?
            """)
    void aBadConditionIsAMistake(String condition, String message) {
        assertThat(mistakes(VALID.replace("path: /p", condition))).isEqualTo(HERE + message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            ``                              | :1:1: is empty; give at least listen, routes and clusters
            `# nothing`                     | :1:1: is empty; give at least listen, routes and clusters
            `just words`                    | :1:1: the configuration must be a mapping; write KEY: VALUE
            `- a`                           | :1:1: the configuration must be a mapping; write KEY: VALUE
            `a: b: c`                       | :1:5: is not YAML: mapping values are not allowed here; look at the indentation, colons and quotes up to here
            `a: [b`                         | :1:6: is not YAML: expected ',' or ']', but got <stream end> while parsing a flow sequence; look at the indentation, colons and quotes up to here
            """)
    void whatIsNoConfigurationAtAllIsAMistake(String yaml, String message) {
        assertThat(errors(yaml)).containsExactly("c.yaml" + message);
    }

    @Test
    void secondDocumentIsAMistake() {
        assertThat(errors(VALID + "---\n" + VALID))
                .hasSize(1)
                .first()
                .asString()
                .startsWith("c.yaml:6:1: is not YAML");
    }

    @Test
    void charactersThatYamlForbidsAreAMistake() {
        assertThat(errors("listen: a\nadmin: \u0007"))
                .containsExactly("c.yaml:2:8: holds a character that YAML does not allow (BEL); remove it");
    }

    @Test
    void missingFileAndDirectoryAreMistakes() {
        assertThat(read(folder.resolve("none.yaml")))
                .containsExactly(folder.resolve("none.yaml") + ": there is no such file; give the path of a YAML file");
        assertThat(read(folder)).containsExactly(folder + ": is a directory; give the path of a YAML file");
    }

    @Test
    void fileThatIsNotUtf8IsAMistakeAtTheFirstBadByte() throws IOException {
        Path file = folder.resolve("latin1.yaml");
        Files.write(file, "listen: a\n# gr\u00fc\u00dfe".getBytes(StandardCharsets.ISO_8859_1));
        assertThat(read(file))
                .containsExactly(file + ":2:5: is not UTF-8 from here on; save the file in that encoding");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            max-request-body: §10MB           | max-request-body is '10MB', which is no size; write a whole number and a unit, such as 512KiB or 10MiB
            max-request-body: §0B             | max-request-body is '0B'; it must be more than 0
            concurrency-limit: { max-concurrent: §0 }  | max-concurrent is 0; it must be from 1 to 1000000
            concurrency-limit: { max-concurrent: 1, queue: §x } | queue is 'x', which is no whole number; write one such as 5
            §concurrency-limit: { queue: 1 }  | concurrency-limit has no 'max-concurrent'; add max-concurrent: 100
            §adaptive-limit: { window: 1s }   | adaptive-limit has no 'latency-goal'; add latency-goal: 100ms
            §adaptive-limit: { latency-goal: 1s, min-limit: 2000 } | max-limit is 1000 when left out; it must be from 2000 to 1000000
            adaptive-limit: { latency-goal: §soon } | latency-goal is 'soon', which is no duration; write a number and a unit, such as 500ms, 10s, 2m or 1h
            rate-limit: { permits: 1, algorithm: §bucket } | algorithm is 'bucket'; did you mean 'token-bucket'?
            rate-limit: { permits: §200000, algorithm: sliding-window } | permits is 200000; it must be from 1 to 100000
            rate-limit: { permits: 1, algorithm: sliding-window, §burst: 2 } | burst is for algorithm: token-bucket; leave it out
            rate-limit: { permits: 1, per: §2d } | per is 2d; it must be from 1000 ns to 1 d
            max-connections: §0               | max-connections is 0; it must be from 1 to 1000000
            §max-connections: { queue: 1 }    | max-connections has no 'per-destination'; add per-destination: 100
            retry: { max-retries: §11 }       | max-retries is 11; it must be from 1 to 10
            §retry: { statuses: [503] }       | retry has no 'max-retries'; add max-retries: 1
            retry: { max-retries: 1, statuses: [503, §404] } | '404' is no status that says that another attempt may help; write 429, or one from 500 to 599
            retry: { max-retries: 1, budget: { ratio: §-1 } } | ratio is -1; it must be from 0 to 10
            total-timeout: §2d                | total-timeout is '2d'; it must be at most 1d
            """)
    void whatIsWrongWithLimitsIsSaidWhereItStands(String written, String message) {
        assertThat(mistakes(CLUSTER.formatted(written))).isEqualTo(HERE + message);
    }

    @Test
    void aFixedAndAnAdaptiveLimitExcludeEachOther() {
        String both = "concurrency-limit: { max-concurrent: 1 }, §adaptive-limit: { latency-goal: 1s }";
        assertThat(mistakes(CLUSTER.formatted(both)))
                .isEqualTo(
                        HERE
                                + "there are both concurrency-limit and adaptive-limit, which bound the same; leave one of them out");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            §stdot                      | access-log is 'stdot'; write stdout, or for a file access-log: { file: /var/log/recloser/access.log }
            §[stdout]                   | access-log must be a mapping; write KEY: VALUE
            { §fil: /tmp/a }            | unknown key 'fil' in access-log; did you mean 'file'?
            { file: §[] }               | file is a list; write a single value
            { file: §"" }               | file '' is no path; name a file that can be written
            { file: §/ }                | file '/' is a folder; name a file that can be written
            { file: §/no/such/folder/a } | file '/no/such/folder/a' is in a folder that is not there; name a file that can be written
            """)
    void anAccessLogThatCannotBeWrittenIsAMistake(String written, String message) {
        assertThat(mistakes(VALID + "access-log: " + written + "\n")).isEqualTo(HERE + message);
    }

    @Test
    void anAccessLogWithoutAFileIsAMistake() {
        assertThat(errors(VALID + "access-log: {}\n"))
                .containsExactly("c.yaml:6:1: access-log has no 'file'; add file: /var/log/recloser/access.log");
    }

    @Test
    void adminAtTheAddressOfListenIsAMistake() {
        String yaml = VALID.replace("127.0.0.1:0", "127.0.0.1:8080") + "admin: 127.0.0.1:8080\n";
        assertThat(errors(yaml)).containsExactly("c.yaml:6:8: admin is the same address as listen; use another port");
    }

    @Test
    void routeWithTheConditionsOfAnEarlierOneIsAMistake() {
        String route = "{ match: { path: /p }, cluster: a }";
        assertThat(mistakes(VALID.replace(route, route + ",\n  §" + route)))
                .isEqualTo(HERE + "this route matches the same requests as the one in line 2; leave one of them out");
    }

    @Test
    void everythingThatMustBeThereIsAskedFor() {
        assertThat(errors("{}"))
                .hasSize(3)
                .allSatisfy(error -> assertThat(error).contains("the configuration has no '"));
    }

    @Test
    void emptyClustersAndRoutesAreMistakes() {
        assertThat(errors("listen: 127.0.0.1:0\nroutes: []\nclusters: {}\n"))
                .containsExactly(
                        "c.yaml:2:9: routes is empty; give at least one, such as [ { match: { path: /** }, cluster: NAME } ]",
                        "c.yaml:3:11: clusters is empty; give at least one, such as { NAME: { destinations: [ \"http://127.0.0.1:9101\" ] } }");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a b", "a/b", "-a", "\u00e9"})
    void nameThatCannotStandInAPathIsAMistake(String name) {
        String yaml = VALID.replace("  a:", "  \"" + name + "\":").replace("cluster: a", "cluster: \"" + name + "\"");
        assertThat(errors(yaml))
                .containsExactly("c.yaml:4:3: '" + name
                        + "' is no name for a cluster; use up to 100 letters, digits, '-', '_' and '.'");
    }

    @Test
    void mergeKeyIsAMistakeAndAliasIsNone() {
        String yaml = VALID
                + "    circuit-breaker: &cb { probes: 2 }\n  b: { destinations: [\"http://b\"], circuit-breaker: ";
        assertThat(errors(yaml + "{ <<: *cb } }\n"))
                .containsExactly("c.yaml:7:55: merge keys are not supported; use an alias for a value as a whole");
        assertThat(errors(yaml + "*cb }\n")).isEmpty();
    }

    @Test
    void nestingWithoutMeasureIsAMistake() {
        assertThat(errors("listen: 127.0.0.1:0\nroutes: " + "[".repeat(60) + "]".repeat(60) + "\n"))
                .singleElement()
                .asString()
                .startsWith("c.yaml:2:")
                .contains("is too intricate: Nesting Depth exceeded max 50; write it more simply");
    }

    @Test
    void aliasesWithoutMeasureAreAMistake() {
        assertThat(errors("a: &a [ x ]\nlisten:\n" + "- [ *a ]\n".repeat(60)))
                .singleElement()
                .asString()
                .startsWith("c.yaml:")
                .contains("is too intricate: Number of aliases for non-scalar nodes exceeds the specified max=50");
    }

    @Test
    void aStructureThatHoldsItselfIsAMistakeAndNoEndlessLoop() {
        assertThat(errors("&a\nlisten: *a\nroutes: [*a]\nclusters: *a\n")).isNotEmpty();
    }

    private static final String VALID = """
            listen: 127.0.0.1:0
            routes: [ { match: { path: /p }, cluster: a } ]
            clusters:
              a:
                destinations: [ "http://a:1" ]
            """;

    private static final String CLUSTER = """
            listen: 127.0.0.1:0
            routes: [ { match: { path: /p }, cluster: a } ]
            clusters: { a: { destinations: [ "http://a:1" ],
                %s } }
            """;

    /** What stands before a message that is about the marked place. */
    private static final String HERE = "here: ";

    /** What is wrong with a text in which a place is marked; that place is called "here". */
    private static String mistakes(String marked) {
        String before = marked.substring(0, marked.indexOf('§'));
        String line = before.lines().reduce("", (earlier, later) -> later);
        String place = "c.yaml:" + before.lines().count() + ":" + (line.length() + 1) + ": ";
        return String.join("\n", errors(marked.replace("§", ""))).replace(place, HERE);
    }

    private static List<String> errors(String yaml) {
        return ConfigReader.parse("c.yaml", yaml).errors().stream()
                .map(Finding::toString)
                .toList();
    }

    private static List<String> read(Path file) {
        return ConfigReader.read(file).errors().stream().map(Finding::toString).toList();
    }

    private static String resource(String name) throws IOException {
        try (InputStream in = ConfigMistakesTest.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
