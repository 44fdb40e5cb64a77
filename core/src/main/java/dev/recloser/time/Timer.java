package dev.recloser.time;

/**
 * Rings alarms when they are due. Costs little for an alarm that is removed before it rings, which is the rule for
 * timeouts: nothing is sorted and no other thread is woken unless the alarm is the first to become due.
 */
public interface Timer {

    /**
     * Watches an alarm that is not watched yet.
     *
     * @param alarm the alarm, with its {@linkplain Alarm#due() due time} set
     */
    void add(Alarm alarm);

    /** Must be called after the due time of a watched alarm was set to an earlier one, or was set again after it rang. */
    void moved(Alarm alarm);

    /** Stops watching. The alarm may be ringing at this moment; it does not ring afterwards unless added again. */
    void remove(Alarm alarm);
}
