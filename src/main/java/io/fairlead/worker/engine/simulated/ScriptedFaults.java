package io.fairlead.worker.engine.simulated;

import io.fairlead.worker.engine.EngineFault;
import io.fairlead.worker.engine.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Faults in the order in which they were asked for. Thread-safe: the script may be written while the reconciler runs. */
public final class ScriptedFaults implements StepHook {

    private static final class Entry {
        private final Predicate<Step> which;
        private final Supplier<EngineFault> fault;
        private long timesLeft;

        private Entry(Predicate<Step> which, Supplier<EngineFault> fault, long times) {
            this.which = which;
            this.fault = fault;
            this.timesLeft = times;
        }
    }

    private final List<Entry> entries = new ArrayList<>();

    /** The next {@code times} steps that match end in the fault. */
    public synchronized void fail(Predicate<Step> which, int times, Supplier<EngineFault> fault) {
        entries.add(new Entry(which, fault, times));
    }

    /** Each step that matches ends in the fault until {@link #clear()}. */
    public synchronized void failAlways(Predicate<Step> which, Supplier<EngineFault> fault) {
        entries.add(new Entry(which, fault, Long.MAX_VALUE));
    }

    /** From now on every step succeeds. */
    public synchronized void clear() {
        entries.clear();
    }

    @Override
    public synchronized void before(Step step) throws EngineFault {
        for (Entry entry : entries) {
            if (entry.timesLeft > 0 && entry.which.test(step)) {
                entry.timesLeft--;
                throw entry.fault.get();
            }
        }
    }
}
