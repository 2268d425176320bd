package io.fairlead.nvme.target;

import io.fairlead.nvme.spec.AnaState;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * A subsystem that is served: its present model, which the control thread replaces, and its live controllers, which any poll group may
 * add or remove.
 */
final class Subsystem {

    private volatile SubsystemModel model;
    private final Map<Integer, Controller> controllers = new ConcurrentHashMap<>();
    private int nextCntlid;

    Subsystem(SubsystemModel model) {
        this.model = model;
        this.nextCntlid = model.cntlidFirst();
    }

    SubsystemModel model() {
        return model;
    }

    void model(SubsystemModel changed) {
        this.model = changed;
    }

    Collection<Controller> controllers() {
        return controllers.values();
    }

    Optional<Controller> controller(int cntlid) {
        return Optional.ofNullable(controllers.get(cntlid));
    }

    /** Takes the next free id of the window, round robin, so that an id is not used again at once; 0 when all are taken. */
    synchronized int register(Controller controller) {
        SubsystemModel window = model;
        int count = window.cntlidLast() - window.cntlidFirst() + 1;
        for (int tried = 0; tried < count; tried++) {
            int candidate = nextCntlid >= window.cntlidFirst() && nextCntlid <= window.cntlidLast()
                    ? nextCntlid
                    : window.cntlidFirst();
            nextCntlid = candidate + 1;
            if (controllers.putIfAbsent(candidate, controller) == null) {
                return candidate;
            }
        }
        return 0;
    }

    void forget(Controller controller) {
        controllers.remove(controller.cntlid(), controller);
    }

    void end(Predicate<Controller> which) {
        List.copyOf(controllers.values()).stream().filter(which).forEach(Controller::end);
    }

    /** The state of a group through the controller's own listener. */
    AnaState anaState(Controller controller, int group) {
        return model.anaState(controller.listener(), group);
    }
}
