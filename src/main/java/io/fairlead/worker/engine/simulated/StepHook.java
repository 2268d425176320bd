package io.fairlead.worker.engine.simulated;

import io.fairlead.worker.engine.EngineFault;
import io.fairlead.worker.engine.Step;

/** Called before each step takes effect: it may throw the fault that the step shall end in, or take its time. */
@FunctionalInterface
public interface StepHook {

    /** Lets every step through at once. */
    StepHook NONE = step -> {};

    void before(Step step) throws EngineFault;
}
