package dev.recloser.benchmarks.gateway;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** What Linux tells of a process. */
final class ProcFile {

    /** The unit of times in {@code /proc}: a hundredth of a second, whatever the kernel's own tick is. */
    private static final long TICK_MILLIS = 10;

    /** Where these fields stand in {@code stat}, counted from the one after the name, which may hold blanks. */
    private static final int UTIME = 11;

    private static final int STIME = 12;

    private ProcFile() {}

    /** The time that the process has needed, in user and kernel mode. */
    static Duration cpuTime(long pid) throws IOException {
        String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return Duration.ofMillis((Long.parseLong(fields[UTIME]) + Long.parseLong(fields[STIME])) * TICK_MILLIS);
    }

    /** The memory that the process holds. */
    static long residentBytes(long pid) throws IOException {
        return Files.readAllLines(Path.of("/proc/" + pid + "/status")).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .map(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024)
                .findFirst()
                .orElseThrow(() -> new IOException("no VmRSS of process " + pid));
    }
}
