package dev.recloser.stress.canary;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs the canaries and turns their result round: ends with 0 if jcstress failed because of {@link PlainCounterCanary}, with 1
 * if it found nothing or failed for another reason.
 *
 * <p>Arguments: the jcstress jar, and the options to run it with.
 */
public final class CanaryCheck {

    private static final String CANARIES =
            "^" + CanaryCheck.class.getPackageName().replace(".", "\\.") + "\\.";

    private CanaryCheck() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(java(), "--enable-native-access=ALL-UNNAMED", "-jar"));
        command.addAll(List.of(args));
        command.addAll(List.of("-t", CANARIES, "-r", "jcstress-canary-report"));
        Process jcstress = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(jcstress.getInputStream().readAllBytes(), Charset.defaultCharset());
        int exit = jcstress.waitFor();

        if (exit != 0 && lostIncrementReported(output)) {
            System.out.println("canary: jcstress found the lost increment, as it must");
        } else {
            System.out.println(output);
            System.out.println("canary: jcstress ended with " + exit + " and did not report the lost increment of "
                    + PlainCounterCanary.class.getSimpleName() + ": its other results mean nothing");
            System.exit(1);
        }
    }

    private static boolean lostIncrementReported(String output) {
        return output.lines().anyMatch(line -> line.contains("FAILED") && line.contains("PlainCounterCanary"));
    }

    private static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }
}
