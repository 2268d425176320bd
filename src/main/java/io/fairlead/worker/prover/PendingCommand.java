package io.fairlead.worker.prover;

import io.fairlead.nvme.initiator.Completion;
import io.fairlead.nvme.initiator.HostCommand;
import java.util.concurrent.CompletableFuture;

/** A command from its submission to its completion; owned by the queue's thread once it is submitted. */
final class PendingCommand {

    final HostCommand command;
    final CompletableFuture<Completion> future = new CompletableFuture<>();
    /** On the scale of the queue's nanoseconds; {@link Long#MAX_VALUE} for none. */
    final long deadlineNanos;

    int commandId;
    int slot;
    int dataBytesArrived;
    boolean dataDamaged;
    /** An R2T is being answered. */
    boolean readyToTransfer;

    PendingCommand(HostCommand command, long deadlineNanos) {
        this.command = command;
        this.deadlineNanos = deadlineNanos;
    }
}
