package dev.recloser;

/**
 * Stands for every blocking call of a pipeline that has neither deadlines nor repetitions, so that such a call makes no object.
 * Nothing of it ever changes.
 */
final class SharedExecution extends Execution {

    SharedExecution(Plan plan) {
        super(plan, true, true);
    }

    @Override
    Runnable cut() {
        throw new AssertionError("no deadline is ever in force, and nobody cancels");
    }

    @Override
    public void onCancel(Runnable hook) {
        // Nothing cuts such a call, so the hook would never run.
    }
}
