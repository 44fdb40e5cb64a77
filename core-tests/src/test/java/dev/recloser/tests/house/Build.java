package dev.recloser.tests.house;

import java.nio.file.Files;
import java.nio.file.Path;

/** The folders of this build. */
final class Build {

    private Build() {}

    /** The folder of the root POM. */
    static Path root() {
        Path module = Path.of(System.getProperty("basedir", "")).toAbsolutePath();
        Path root = Files.exists(module.resolve("bom/pom.xml")) ? module : module.getParent();
        if (root == null || !Files.exists(root.resolve("bom/pom.xml"))) {
            throw new IllegalStateException("not in a module of this build: " + module);
        }
        return root;
    }
}
