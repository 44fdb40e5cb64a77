package dev.recloser.tests.house;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.LocationProvider;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.BaseStream;
import java.util.stream.Stream;

/** The rules that keep the modules core and testing in order. */
@AnalyzeClasses(locations = ArchitectureTest.Published.class)
class ArchitectureTest {

    private static final String ROOT = "dev.recloser";
    private static final String SYSTEM_TIME = "dev.recloser.time.SystemTime";
    private static final Set<String> BUILDERS = Set.of(
            "dev.recloser.PipelineBuilder", "dev.recloser.StandardPipelineBuilder", "dev.recloser.PipelineAdvice");
    private static final Set<String> NOT_STRATEGIES = Set.of("spi", "telemetry", "time", "testing");
    private static final Pattern BELOW_ROOT = Pattern.compile("dev\\.recloser\\.(\\w+)(\\..*)?");
    private static final int MAX_LINES = 320;

    @ArchTest
    static final ArchRule only_the_JDK_is_needed = classes()
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("java..", "dev.recloser..", "org.jspecify.annotations");

    @ArchTest
    static final ArchRule core_does_not_know_testing = noClasses()
            .that()
            .resideOutsideOfPackage("dev.recloser.testing..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.recloser.testing..");

    @ArchTest
    static final ArchRule a_strategy_knows_no_other_strategy = classes()
            .that(describe("belong to a strategy", ArchitectureTest::isStrategy))
            .should(dependOnNoStrategyButItsOwn())
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule of_the_rest_only_the_builder_of_pipelines_and_telemetry_know_strategies = classes()
            .that(describe(
                    "belong to no strategy and are neither the builder of pipelines nor telemetry",
                    type -> !isStrategy(type)
                            && !isTesting(type)
                            && !type.getPackageName().equals("dev.recloser.telemetry")
                            && BUILDERS.stream().noneMatch(name -> isPartOf(name, type))))
            .should(dependOnNoStrategyButItsOwn());

    @ArchTest
    static final ArchRule one_class_reads_the_clock = noClasses()
            .that(describe("are not " + SYSTEM_TIME, type -> !isPartOf(SYSTEM_TIME, type)))
            .should()
            .accessTargetWhere(readsTheClock());

    @ArchTest
    static final ArchRule nothing_runs_on_the_common_pool = noClasses().should().accessTargetWhere(usesTheCommonPool());

    @ArchTest
    static void every_package_is_null_marked(JavaClasses classes) {
        List<String> unmarked = classes.stream()
                .map(JavaClass::getPackage)
                .filter(somePackage -> !somePackage.isAnnotatedWith("org.jspecify.annotations.NullMarked"))
                .map(somePackage -> somePackage.getName())
                .filter(name -> !name.isEmpty())
                .distinct()
                .sorted()
                .toList();
        assertThat(unmarked)
                .as("packages without @NullMarked in their package-info")
                .isEmpty();
    }

    @ArchTest
    static void no_main_file_is_too_long(JavaClasses unused) throws IOException {
        try (Stream<Path> modules = Files.list(Build.root())) {
            List<String> tooLong = modules.map(module -> module.resolve("src/main/java"))
                    .filter(Files::isDirectory)
                    .flatMap(ArchitectureTest::javaFiles)
                    .filter(file -> lines(file) > MAX_LINES)
                    .map(file -> Build.root().relativize(file) + ": " + lines(file) + " lines")
                    .toList();
            assertThat(tooLong).as("files of more than " + MAX_LINES + " lines").isEmpty();
        }
    }

    /** Core and testing, as this build made them. */
    static final class Published implements LocationProvider {
        @Override
        public Set<Location> get(Class<?> testClass) {
            return Set.of(
                    Location.of(ModuleClasses.withPackage(ROOT).location()),
                    Location.of(
                            ModuleClasses.withPackage("dev.recloser.testing").location()));
        }
    }

    private static ArchCondition<JavaClass> dependOnNoStrategyButItsOwn() {
        return new ArchCondition<>("depend on no strategy but their own") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                type.getDirectDependenciesFromSelf().stream()
                        .filter(dependency -> isStrategy(dependency.getTargetClass()))
                        .filter(dependency ->
                                !strategyOf(dependency.getTargetClass()).equals(strategyOf(type)))
                        .forEach(dependency ->
                                events.add(SimpleConditionEvent.violated(dependency, dependency.getDescription())));
            }
        };
    }

    private static DescribedPredicate<JavaAccess<?>> readsTheClock() {
        return describe("it reads the system clock or sleeps", access -> {
            String owner = access.getTargetOwner().getName();
            String name = access.getTarget().getName();
            return switch (owner) {
                case "java.lang.System" -> name.equals("nanoTime") || name.equals("currentTimeMillis");
                case "java.lang.Thread", "java.util.concurrent.TimeUnit" -> name.equals("sleep");
                case "java.time.Clock" -> name.startsWith("system") || name.startsWith("tick");
                case "java.util.Date" -> name.equals("<init>");
                default -> owner.startsWith("java.time.") && name.equals("now");
            };
        });
    }

    /** By name, by leaving out the executor of an asynchronous stage, by a parallel stream, or on the JDK's timer thread. */
    private static DescribedPredicate<JavaAccess<?>> usesTheCommonPool() {
        return describe("it uses the common pool or the timer thread of CompletableFuture", access -> {
            JavaClass owner = access.getTargetOwner();
            String name = access.getTarget().getName();
            if (owner.isEquivalentTo(ForkJoinPool.class)) {
                return name.equals("commonPool");
            }
            if (owner.isAssignableTo(CompletionStage.class)) {
                return name.equals("orTimeout")
                        || name.equals("completeOnTimeout")
                        || name.equals("delayedExecutor")
                        || (name.endsWith("Async") && !takesAnExecutor(access));
            }
            return name.equals("parallelStream") || (owner.isAssignableTo(BaseStream.class) && name.equals("parallel"));
        });
    }

    private static boolean takesAnExecutor(JavaAccess<?> access) {
        return access.getTarget() instanceof CodeUnitAccessTarget target
                && target.getRawParameterTypes().stream().anyMatch(type -> type.isEquivalentTo(Executor.class));
    }

    private static boolean isStrategy(JavaClass type) {
        return !strategyOf(type).isEmpty();
    }

    /** The part of the package name that tells the strategy, empty for what is not a strategy's. */
    private static String strategyOf(JavaClass type) {
        Matcher belowRoot = BELOW_ROOT.matcher(type.getPackageName());
        return belowRoot.matches() && !NOT_STRATEGIES.contains(belowRoot.group(1)) ? belowRoot.group(1) : "";
    }

    private static boolean isTesting(JavaClass type) {
        return type.getPackageName().startsWith("dev.recloser.testing");
    }

    private static boolean isPartOf(String outer, JavaClass type) {
        return type.getName().equals(outer) || type.getName().startsWith(outer + "$");
    }

    private static Stream<Path> javaFiles(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long lines(Path file) {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
