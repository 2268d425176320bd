package io.fairlead.worker.engine;

import io.fairlead.contract.AuthenticationFailureReport;
import io.fairlead.contract.ForeignObject;
import io.fairlead.contract.Reason;
import java.util.List;
import java.util.Set;

/**
 * A target engine: something that serves subsystems to hosts. All methods are called from the reconciler's thread, one at a time.
 *
 * <p>The engine keeps no intent of its own. It is told one {@link Step} at a time and can always say what it serves. It must leave
 * alone what Fairlead did not make.
 */
public interface TargetEngine extends AutoCloseable {

    /** For example {@code embedded}. */
    String name();

    String version();

    /** What this engine can do here, now. */
    Set<Capability> capabilities();

    /**
     * What this engine cannot do here, now, each with the consequence and what mends it. Read anew at each call: a module may have been
     * loaded since.
     */
    List<Reason> limits();

    /** What it serves and Fairlead did not make. */
    List<ForeignObject> foreign();

    /** Whether hosts can really connect; of an engine that only pretends nothing can be proven. */
    default boolean servesHosts() {
        return true;
    }

    /** Reads what is served right now, from the engine itself and not from memory of earlier steps. */
    ObservedTarget observe();

    /**
     * Does one step and returns only when its effect can be observed.
     *
     * @throws EngineFault when the step cannot be done; nothing that existed before is disturbed
     */
    void apply(Step step) throws EngineFault;

    /** Authentications and connections that were refused since the last call, oldest first. */
    List<AuthenticationFailureReport> takeRefusals();

    /** Stops serving, if serving ends with this process; an engine outside the process goes on. */
    @Override
    void close();
}
