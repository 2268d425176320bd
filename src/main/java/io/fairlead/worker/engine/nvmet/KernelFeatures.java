package io.fairlead.worker.engine.nvmet;

import io.fairlead.contract.Reason;
import io.fairlead.worker.engine.Capability;
import java.util.ArrayList;
import java.util.List;

/**
 * What the target of this kernel has, found by looking at objects that are made for it and taken away again: attributes are the only
 * honest list of what a kernel can do.
 *
 * @param authentication since 6.0, if it was built in
 * @param resize {@code revalidate_size}, since 5.8
 * @param inCapsule {@code param_inline_data_size}, since 4.20
 * @param queueSize {@code param_max_queue_size}, since 6.9
 */
record KernelFeatures(boolean authentication, boolean resize, boolean inCapsule, boolean queueSize) {

    /** No listener gets it. */
    private static final int PROBE_PORT = 65_535;

    private static final String PROBE = "nqn.2026-01.io.fairlead:nvmet:probe";

    static KernelFeatures probe(Tree tree) throws ConfigFsException {
        ConfigFs fs = tree.fs();
        try {
            tree.make(Tree.host(PROBE));
            tree.make(Tree.subsystem(PROBE));
            tree.make(Tree.namespace(PROBE, 1));
            tree.make(Tree.port(PROBE_PORT));
            return new KernelFeatures(
                    fs.isAttribute(Tree.host(PROBE) + "/dhchap_key"),
                    fs.isAttribute(Tree.namespace(PROBE, 1) + "/revalidate_size"),
                    fs.isAttribute(Tree.port(PROBE_PORT) + "/param_inline_data_size"),
                    fs.isAttribute(Tree.port(PROBE_PORT) + "/param_max_queue_size"));
        } finally {
            tree.remove(Tree.namespace(PROBE, 1));
            tree.remove(Tree.subsystem(PROBE));
            tree.remove(Tree.host(PROBE));
            tree.remove(Tree.port(PROBE_PORT));
        }
    }

    /** What this kernel lacks, each with the consequence. */
    List<Reason> limits() {
        List<Reason> limits = new ArrayList<>();
        if (!authentication) {
            limits.add(new Reason(
                    Capability.DHCHAP.code(),
                    "The target of this kernel has no DH-HMAC-CHAP: hosts with keys are not let in on this head. Use a kernel built with"
                            + " CONFIG_NVME_TARGET_AUTH, or the embedded engine."));
        }
        if (!resize) {
            limits.add(
                    new Reason(
                            Capability.NAMESPACE_RESIZE.code(),
                            "This kernel cannot be told that a device has grown: connected hosts see the new size when they scan again."));
        }
        if (!inCapsule) {
            limits.add(new Reason(
                    "listener.in_capsule_bytes",
                    "This kernel chooses the in-capsule size itself: what a listener asks for is not heeded."));
        }
        if (!queueSize) {
            limits.add(new Reason(
                    "listener.queue_size_max",
                    "This kernel chooses the queue size itself: what a listener asks for is not heeded."));
        }
        return limits;
    }

    static boolean isProbe(String name) {
        return name.equals(PROBE) || name.equals(Integer.toString(PROBE_PORT));
    }
}
