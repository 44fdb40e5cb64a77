package dev.recloser.benchmarks.gateway;

import java.time.Duration;

/** CPU time, in user and in kernel mode. */
record CpuTimes(Duration user, Duration system) {

    static final CpuTimes NONE = new CpuTimes(Duration.ZERO, Duration.ZERO);

    Duration sum() {
        return user.plus(system);
    }

    CpuTimes plus(CpuTimes other) {
        return new CpuTimes(user.plus(other.user), system.plus(other.system));
    }

    CpuTimes minus(CpuTimes other) {
        return new CpuTimes(user.minus(other.user), system.minus(other.system));
    }
}
