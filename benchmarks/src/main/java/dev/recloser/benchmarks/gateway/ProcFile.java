package dev.recloser.benchmarks.gateway;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

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
        return cpuTimes(Path.of("/proc/" + pid)).sum();
    }

    /** The times that its threads have needed, by the name that the kernel has of them, which is cut after 15 characters. */
    static Map<String, CpuTimes> cpuTimesOfThreads(long pid) throws IOException {
        Map<String, CpuTimes> times = new TreeMap<>();
        try (Stream<Path> threads = Files.list(Path.of("/proc/" + pid + "/task"))) {
            for (Path thread : threads.toList()) {
                String name = Files.readString(thread.resolve("comm")).strip();
                times.merge(name, cpuTimes(thread), CpuTimes::plus);
            }
        }
        return times;
    }

    private static CpuTimes cpuTimes(Path folder) throws IOException {
        String stat = Files.readString(folder.resolve("stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return new CpuTimes(ticks(fields[UTIME]), ticks(fields[STIME]));
    }

    private static Duration ticks(String field) {
        return Duration.ofMillis(Long.parseLong(field) * TICK_MILLIS);
    }

    /** The memory that the process holds. */
    static long residentBytes(long pid) throws IOException {
        return bytesInStatus("VmRSS:", pid);
    }

    /** The most memory that it has held so far. */
    static long peakResidentBytes(long pid) throws IOException {
        return bytesInStatus("VmHWM:", pid);
    }

    private static long bytesInStatus(String field, long pid) throws IOException {
        return Files.readAllLines(Path.of("/proc/" + pid + "/status")).stream()
                .filter(line -> line.startsWith(field))
                .map(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024)
                .findFirst()
                .orElseThrow(() -> new IOException("no " + field + " of process " + pid));
    }

    /** Whether it has a file open whose name, or what the kernel gives as that, has a text in it. */
    static boolean hasOpen(String text, long pid) throws IOException {
        try (Stream<Path> files = Files.list(Path.of("/proc/" + pid + "/fd"))) {
            for (Path file : files.toList()) {
                if (Files.isSymbolicLink(file)
                        && Files.readSymbolicLink(file).toString().contains(text)) {
                    return true;
                }
            }
            return false;
        }
    }
}
