package dev.recloser.tests.house;

import static java.util.stream.Collectors.joining;

import java.lang.reflect.AnnotatedArrayType;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.AnnotatedWildcardType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes types with their generics and {@code @Nullable}; the JDK's own {@code toString} differs between its versions. */
final class ApiTypes {

    private ApiTypes() {}

    static String type(AnnotatedType type) {
        if (type instanceof AnnotatedArrayType array) {
            return array(array);
        }
        if (type instanceof AnnotatedWildcardType wildcard) {
            return wildcard(wildcard);
        }
        return nullable(type) + plain(type);
    }

    /** {@code <T extends Bound, U>}, or nothing. */
    static String parameters(TypeVariable<?>[] variables) {
        if (variables.length == 0) {
            return "";
        }
        return Arrays.stream(variables).map(ApiTypes::parameter).collect(joining(", ", "<", ">"));
    }

    private static String parameter(TypeVariable<?> variable) {
        String bounds = Arrays.stream(variable.getAnnotatedBounds())
                .map(ApiTypes::type)
                .filter(bound -> !bound.equals("Object"))
                .collect(joining(" & "));
        return variable.getName() + (bounds.isEmpty() ? "" : " extends " + bounds);
    }

    private static String plain(AnnotatedType type) {
        if (!(type instanceof AnnotatedParameterizedType parameterized)) {
            return name(type.getType());
        }
        String arguments = Arrays.stream(parameterized.getAnnotatedActualTypeArguments())
                .map(ApiTypes::type)
                .collect(joining(", "));
        return owner(parameterized) + (arguments.isEmpty() ? "" : "<" + arguments + ">");
    }

    /** An inner class of a generic one has its outer class's arguments in its type: {@code Outer<T>.Inner}. */
    private static String owner(AnnotatedParameterizedType type) {
        Class<?> raw = (Class<?>) ((ParameterizedType) type.getType()).getRawType();
        AnnotatedType owner = type.getAnnotatedOwnerType();
        return owner instanceof AnnotatedParameterizedType ? plain(owner) + "." + raw.getSimpleName() : name(raw);
    }

    /** {@code byte @Nullable []} is an array that may be null, {@code @Nullable String[]} one of strings that may be. */
    private static String array(AnnotatedArrayType type) {
        List<String> dimensions = new ArrayList<>();
        AnnotatedType element = type;
        while (element instanceof AnnotatedArrayType array) {
            dimensions.add((nullable(array).isEmpty() ? "" : " @Nullable ") + "[]");
            element = array.getAnnotatedGenericComponentType();
        }
        return type(element) + String.join("", dimensions);
    }

    private static String wildcard(AnnotatedWildcardType type) {
        AnnotatedType[] lower = type.getAnnotatedLowerBounds();
        if (lower.length > 0 && lower[0].getType() != null) {
            return "? super " + type(lower[0]);
        }
        AnnotatedType[] upper = type.getAnnotatedUpperBounds();
        String bound = upper.length == 0 ? "Object" : type(upper[0]);
        return bound.equals("Object") ? "?" : "? extends " + bound;
    }

    private static String nullable(AnnotatedType type) {
        return type.isAnnotationPresent(Nullable.class) ? "@Nullable " : "";
    }

    /** Without the package for {@code java.lang}; nested classes as in source code. */
    private static String name(Type type) {
        String name = type.getTypeName().replace('$', '.');
        return name.matches("java\\.lang\\.[A-Z].*") ? name.substring("java.lang.".length()) : name;
    }
}
