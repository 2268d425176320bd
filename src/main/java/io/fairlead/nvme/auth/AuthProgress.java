package io.fairlead.nvme.auth;

import io.fairlead.nvme.spec.DhchapGroup;
import io.fairlead.nvme.spec.DhchapHash;

/** How far an authentication is, on either side. */
public sealed interface AuthProgress {

    /** Messages are still to come. */
    record Pending() implements AuthProgress {}

    /** Who has proved itself to whom, and how. */
    record Succeeded(DhchapHash hash, DhchapGroup group, Direction direction) implements AuthProgress {}

    /** Final, also while the failure message has yet to be delivered. */
    record Refused(AuthRefusal refusal) implements AuthProgress {}

    /** Who proves itself. */
    enum Direction {
        /** Only the host, to the controller. */
        ONE_WAY,
        /** The controller as well, to the host. */
        TWO_WAY
    }
}
