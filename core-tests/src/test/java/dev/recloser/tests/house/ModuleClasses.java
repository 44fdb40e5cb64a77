package dev.recloser.tests.house;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.module.ModuleDescriptor;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The classes of one module of this build, wherever the build has put them: a folder of class files or a jar.
 *
 * <p>A module is found by the {@code package-info} of one of its packages.
 */
final class ModuleClasses {

    private final URI location;

    private ModuleClasses(URI location) {
        this.location = location;
    }

    static ModuleClasses withPackage(String packageName) {
        String resource = packageName.replace('.', '/') + "/package-info.class";
        URL found = ModuleClasses.class.getClassLoader().getResource(resource);
        if (found == null) {
            throw new IllegalStateException("no " + resource + " on the class path");
        }
        String url = found.toString();
        try {
            return new ModuleClasses(new URI(url.substring(0, url.length() - resource.length())));
        } catch (URISyntaxException e) {
            throw new IllegalStateException(url, e);
        }
    }

    /** Where the classes are: a {@code file:} or a {@code jar:} address. */
    URI location() {
        return location;
    }

    /** The packages that the module exports to everyone; all of them if the code is not a module yet. */
    Set<String> exportedPackages() {
        return read(root -> {
            Path descriptor = root.resolve("module-info.class");
            if (!Files.exists(descriptor)) {
                return classNames(root).stream().map(ModuleClasses::packageOf).collect(Collectors.toSet());
            }
            try (InputStream in = Files.newInputStream(descriptor)) {
                return ModuleDescriptor.read(in).exports().stream()
                        .filter(exported -> !exported.isQualified())
                        .map(ModuleDescriptor.Exports::source)
                        .collect(Collectors.toSet());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    /** The classes of the given packages, nested ones included, not initialized. */
    List<Class<?>> classesIn(Set<String> packages) {
        return read(root -> classNames(root).stream()
                .filter(name -> packages.contains(packageOf(name)) && !name.endsWith("-info"))
                .<Class<?>>map(ModuleClasses::load)
                .toList());
    }

    private static List<String> classNames(Path root) {
        try (Stream<Path> files = Files.walk(root)) {
            return files.map(file -> root.relativize(file).toString())
                    .filter(name -> name.endsWith(".class"))
                    .map(name -> name.substring(0, name.length() - ".class".length()))
                    .map(name -> name.replace('\\', '/').replace('/', '.'))
                    .filter(name -> !name.equals("module-info") && !name.startsWith("META-INF"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String packageOf(String className) {
        return className.substring(0, Math.max(0, className.lastIndexOf('.')));
    }

    private static Class<?> load(String name) {
        try {
            return Class.forName(name, false, ModuleClasses.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    private <T> T read(Function<Path, T> reader) {
        if (!location.getScheme().equals("jar")) {
            return reader.apply(Path.of(location));
        }
        try (FileSystem jar = FileSystems.newFileSystem(location, Map.of())) {
            return reader.apply(jar.getPath("/"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
