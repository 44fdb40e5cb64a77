package dev.recloser.tests.house;

import static java.util.stream.Collectors.joining;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What users of a module can type, as text: public and protected classes and members of its exported packages, sorted, one
 * line each, the same on every JDK.
 *
 * <p>Members that a visible class inherits from a hidden one stand with the visible class, since they are used through it.
 */
final class PublicApi {

    private final Map<String, Class<?>> classes = new TreeMap<>();

    private PublicApi(Collection<Class<?>> candidates) {
        for (Class<?> candidate : candidates) {
            if (isVisible(candidate)) {
                classes.put(candidate.getName(), candidate);
            }
        }
    }

    static String of(ModuleClasses module) {
        Set<String> exported = module.exportedPackages();
        PublicApi api = new PublicApi(module.classesIn(exported));
        StringBuilder text = new StringBuilder();
        for (String exportedPackage : new TreeSet<>(exported)) {
            text.append("package ").append(exportedPackage).append('\n');
            api.classes.values().stream()
                    .filter(c -> c.getPackageName().equals(exportedPackage))
                    .forEach(c -> api.render(c, text));
            text.append('\n');
        }
        return text.toString().stripTrailing() + "\n";
    }

    private void render(Class<?> type, StringBuilder text) {
        text.append("  ").append(header(type)).append('\n');
        Set<String> members =
                new TreeSet<>(Comparator.comparing(PublicApi::sortKey).thenComparing(line -> line));
        for (Class<?> source : withHiddenSupertypes(type)) {
            boolean own = source == type;
            Arrays.stream(source.getDeclaredFields())
                    .filter(member -> isVisible(member, type))
                    .forEach(field -> members.add(field(field)));
            Arrays.stream(source.getDeclaredConstructors())
                    .filter(member -> own && isVisible(member, type))
                    .forEach(constructor -> members.add(constructor(constructor)));
            Arrays.stream(source.getDeclaredMethods())
                    .filter(member -> isVisible(member, type) && (own || !overridden(member, type)))
                    .forEach(method -> members.add(method(method)));
        }
        members.forEach(member -> text.append("    ").append(member).append('\n'));
    }

    /** Fields, then constructors, then methods. */
    private static String sortKey(String line) {
        return line.startsWith("field ") ? "1" : line.startsWith("constructor ") ? "2" : "3";
    }

    private String header(Class<?> type) {
        StringBuilder line = new StringBuilder(annotations(type)).append(modifiers(type, type.getModifiers()));
        if (isSealed(type)) {
            line.append("sealed ");
        }
        line.append(kind(type)).append(' ').append(name(type));
        line.append(ApiTypes.parameters(type.getTypeParameters()));
        if (type.isRecord()) {
            line.append(Arrays.stream(type.getRecordComponents())
                    .map(PublicApi::component)
                    .collect(joining(", ", "(", ")")));
        }
        AnnotatedType superclass = visibleSuperclass(type);
        if (superclass != null && !type.isEnum() && !type.isRecord() && superclass.getType() != Object.class) {
            line.append(" extends ").append(ApiTypes.type(superclass));
        }
        String interfaces = withHiddenSupertypes(type).stream()
                .flatMap(source -> IntStream.range(0, source.getInterfaces().length)
                        .filter(i -> isVisible(source.getInterfaces()[i]))
                        .mapToObj(i -> ApiTypes.type(source.getAnnotatedInterfaces()[i])))
                .distinct()
                .sorted()
                .collect(joining(", "));
        if (!interfaces.isEmpty()) {
            line.append(type.isInterface() ? " extends " : " implements ").append(interfaces);
        }
        if (isSealed(type)) {
            line.append(Arrays.stream(type.getPermittedSubclasses())
                    .map(permitted -> isVisible(permitted) ? name(permitted) : "(hidden)")
                    .distinct()
                    .sorted()
                    .collect(joining(", ", " permits ", "")));
        }
        return line.toString();
    }

    private static String name(Class<?> type) {
        return type.getName().substring(type.getPackageName().length() + 1).replace('$', '.');
    }

    private static String kind(Class<?> type) {
        return type.isAnnotation()
                ? "@interface"
                : type.isInterface() ? "interface" : type.isEnum() ? "enum" : type.isRecord() ? "record" : "class";
    }

    private static String component(RecordComponent component) {
        return ApiTypes.type(component.getAnnotatedType()) + " " + component.getName();
    }

    private static String field(Field field) {
        return "field " + annotations(field) + modifiers(field.getDeclaringClass(), field.getModifiers())
                + ApiTypes.type(field.getAnnotatedType()) + " " + field.getName();
    }

    private static String constructor(Constructor<?> constructor) {
        return "constructor " + annotations(constructor)
                + modifiers(constructor.getDeclaringClass(), constructor.getModifiers())
                + prefixed(ApiTypes.parameters(constructor.getTypeParameters()))
                + constructor.getDeclaringClass().getSimpleName() + signature(constructor);
    }

    private static String method(Method method) {
        return "method " + annotations(method)
                + (method.isDefault() ? "default " : "")
                + modifiers(method.getDeclaringClass(), method.getModifiers())
                + prefixed(ApiTypes.parameters(method.getTypeParameters()))
                + ApiTypes.type(method.getAnnotatedReturnType()) + " " + method.getName() + signature(method)
                + (method.getDefaultValue() == null ? "" : " default");
    }

    private static String signature(Executable executable) {
        List<String> parameters = new ArrayList<>();
        for (AnnotatedType parameter : executable.getAnnotatedParameterTypes()) {
            parameters.add(ApiTypes.type(parameter));
        }
        if (executable.isVarArgs()) {
            int last = parameters.size() - 1;
            parameters.set(last, parameters.get(last).replaceFirst("\\[]$", "..."));
        }
        String thrown = Arrays.stream(executable.getAnnotatedExceptionTypes())
                .map(ApiTypes::type)
                .sorted()
                .collect(joining(", "));
        return "(" + String.join(", ", parameters) + ")" + (thrown.isEmpty() ? "" : " throws " + thrown);
    }

    private static String prefixed(String typeParameters) {
        return typeParameters.isEmpty() ? "" : typeParameters + " ";
    }

    private static String annotations(AnnotatedElement element) {
        Deprecated deprecated = element.getAnnotation(Deprecated.class);
        return (deprecated == null ? "" : deprecated.forRemoval() ? "@Deprecated(forRemoval) " : "@Deprecated ")
                + (element.isAnnotationPresent(FunctionalInterface.class) ? "@FunctionalInterface " : "");
    }

    /** Only what binds users: not that a method is synchronized, say, nor what an interface or enum implies. */
    private static String modifiers(Class<?> declaring, int modifiers) {
        int shown = modifiers & (Modifier.PUBLIC | Modifier.PROTECTED | Modifier.STATIC | Modifier.FINAL);
        if (!declaring.isInterface()) {
            shown |= modifiers & Modifier.ABSTRACT;
        }
        if (Modifier.isInterface(modifiers)) {
            shown &= ~Modifier.STATIC;
        }
        if (declaring.isEnum() || declaring.isRecord()) {
            shown &= ~(Modifier.FINAL | Modifier.ABSTRACT);
        }
        return shown == 0 ? "" : Modifier.toString(shown) + " ";
    }

    /** An enum whose constants have bodies is sealed too, but that is nobody's concern. */
    private static boolean isSealed(Class<?> type) {
        return type.isSealed() && !type.isEnum();
    }

    private static @Nullable AnnotatedType visibleSuperclass(Class<?> type) {
        Class<?> below = type;
        while (below.getSuperclass() != null && !isVisible(below.getSuperclass())) {
            below = below.getSuperclass();
        }
        return below.getAnnotatedSuperclass();
    }

    private static Set<Class<?>> withHiddenSupertypes(Class<?> type) {
        Set<Class<?>> found = new LinkedHashSet<>();
        found.add(type);
        Stream.concat(Stream.ofNullable(type.getSuperclass()), Arrays.stream(type.getInterfaces()))
                .filter(supertype -> !isVisible(supertype))
                .forEach(supertype -> found.addAll(withHiddenSupertypes(supertype)));
        return found;
    }

    private static boolean overridden(Method inherited, Class<?> type) {
        return Arrays.stream(type.getDeclaredMethods())
                .anyMatch(own -> !own.isSynthetic()
                        && own.getName().equals(inherited.getName())
                        && Arrays.equals(own.getParameterTypes(), inherited.getParameterTypes()));
    }

    private static boolean isVisible(Class<?> type) {
        if (type.isSynthetic() || type.isAnonymousClass() || type.isLocalClass()) {
            return false;
        }
        Class<?> declaring = type.getDeclaringClass();
        return (Modifier.isPublic(type.getModifiers()) || isUsableProtected(type.getModifiers(), declaring))
                && (declaring == null || isVisible(declaring));
    }

    private static boolean isVisible(Member member, Class<?> user) {
        return !member.isSynthetic()
                && (Modifier.isPublic(member.getModifiers()) || isUsableProtected(member.getModifiers(), user));
    }

    private static boolean isUsableProtected(int modifiers, Class<?> user) {
        return Modifier.isProtected(modifiers) && !Modifier.isFinal(user.getModifiers());
    }
}
