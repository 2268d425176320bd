package io.fairlead.worker.volume.lvm;

import io.fairlead.contract.Reason;
import java.util.List;
import java.util.Optional;

/** The machine's LVM. It may be used by several threads: its commands lock what they change against each other. */
interface LvmTool {

    /** Why LVM cannot be used on this machine at present; empty: it can. */
    Optional<Reason> absence();

    /**
     * Runs one command to its end.
     *
     * @param arguments the command's name first, for example {@code vgcreate}
     * @return what it wrote to its standard output
     * @throws LvmFault when it could not be run, did not end in time, or ended with an error
     */
    String run(List<String> arguments) throws LvmFault;
}
