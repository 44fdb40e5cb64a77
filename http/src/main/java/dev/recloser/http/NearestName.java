package dev.recloser.http;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds the name that somebody meant who wrote another one. */
final class NearestName {

    private NearestName() {}

    /** The name that is nearest to what was written, if one is near. */
    static Optional<String> of(String written, Collection<String> names) {
        String plain = plain(written);
        return names.stream()
                .filter(name -> distance(plain, plain(name)) <= tolerance(plain) || isPart(plain, plain(name)))
                .min(Comparator.<String>comparingInt(name -> distance(plain, plain(name)))
                        .thenComparing(Comparator.naturalOrder()));
    }

    /** One slip in a short word, more in a longer one. */
    private static int tolerance(String word) {
        return Math.max(1, (word.length() + 1) / 3);
    }

    private static boolean isPart(String written, String name) {
        boolean longEnough = Math.min(written.length(), name.length()) > 3;
        return longEnough && (name.contains(written) || written.contains(name));
    }

    /** {@code maxRetries}, {@code max-retries} and {@code Max_Retries} are one. */
    private static String plain(String name) {
        return name.replaceAll("[-_. ]", "").toLowerCase(Locale.ROOT);
    }

    /** How many letters must be added, taken away or replaced to make one word of the other. */
    private static int distance(String a, String b) {
        int[] above = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            above[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int[] row = new int[b.length() + 1];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = above[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(replaced, Math.min(above[j], row[j - 1]) + 1);
            }
            above = row;
        }
        return above[b.length()];
    }
}
