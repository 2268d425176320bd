package io.fairlead.nvme.target;

import io.fairlead.nvme.spec.Nqn;
import io.fairlead.nvme.spec.StatusCode;
import io.fairlead.nvme.spec.StatusCode.Retry;
import io.fairlead.nvme.wire.ConnectCommand;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;

/**
 * Connect (NVM Express Base 2.0, section 6.3): who comes, to what, and whether that is allowed. Each refusal carries the status that the
 * specification names and, where it names one, the offset of the parameter.
 *
 * <p>A host that is not allowed is told not to retry. A subsystem that is not here may only be late, for instance while a restarted head
 * is being filled: that status allows a retry.
 */
final class Connecting {

    private static final int QUEUE_ENTRIES_MIN = 2;

    private final FabricQueue queue;
    private final Target target;

    Connecting(FabricQueue queue, Target target) {
        this.queue = queue;
        this.target = target;
    }

    void onConnect(FabricCommand command) throws CommandFault {
        MemorySegment sqe = command.sqe();
        if (ConnectCommand.recordFormat(sqe) != 0) {
            throw CommandFault.of(StatusCode.CONNECT_INCOMPATIBLE_FORMAT);
        }
        if (!queue.hasHostData(command, ConnectCommand.DATA_BYTES)) {
            return;
        }
        int entries = ConnectCommand.sqSize(sqe) + 1;
        if (entries < QUEUE_ENTRIES_MIN || entries > target.settings().queueDepth()) {
            throw invalid(ConnectCommand.SQSIZE_OFFSET);
        }
        MemorySegment data = command.data();
        String hostNqn = ConnectCommand.hostNqn(data);
        String subsystemNqn = ConnectCommand.subsystemNqn(data);
        if (hostNqn == null || Nqn.flaw(hostNqn).isPresent()) {
            throw invalidData(ConnectCommand.HOSTNQN_OFFSET, Retry.NEVER);
        }
        if (subsystemNqn == null) {
            throw invalidData(ConnectCommand.SUBNQN_OFFSET, Retry.NEVER);
        }
        if (ConnectCommand.qid(sqe) == 0) {
            connectAdmin(command, entries, hostNqn, subsystemNqn);
        } else {
            connectIo(command, entries, hostNqn, subsystemNqn);
        }
    }

    private void connectAdmin(FabricCommand command, int entries, String hostNqn, String subsystemNqn)
            throws CommandFault {
        MemorySegment data = command.data();
        boolean isDiscovery = subsystemNqn.equals(Nqn.DISCOVERY);
        Subsystem subsystem = isDiscovery ? target.discoverySubsystem() : find(hostNqn, subsystemNqn);
        if (!admits(subsystem.model(), hostNqn)) {
            throw notAllowed(hostNqn, subsystemNqn);
        }
        if (ConnectCommand.cntlid(data) != ConnectCommand.CNTLID_ANY) {
            throw invalidData(ConnectCommand.CNTLID_OFFSET, Retry.NEVER);
        }
        Controller controller = new Controller(
                subsystem,
                isDiscovery ? Controller.Kind.DISCOVERY : Controller.Kind.IO,
                hostNqn,
                hostIdentifier(data),
                queue.listener(),
                queue);
        if (controller.cntlid() == 0) {
            throw CommandFault.forNow(StatusCode.CONNECT_CONTROLLER_BUSY);
        }
        if (!isDiscovery && !isStillServed(subsystem, hostNqn)) {
            // The right was taken away between the check and the registration, which the control thread could not see.
            controller.end();
            throw CommandFault.forNow(StatusCode.CONNECT_CONTROLLER_BUSY);
        }
        accept(command, controller, 0, entries);
        queue.adminCommands().onKeepAliveTimeout(ConnectCommand.keepAliveMillis(command.sqe()));
    }

    private Subsystem find(String hostNqn, String subsystemNqn) throws CommandFault {
        Optional<Subsystem> found = target.find(subsystemNqn)
                .filter(subsystem -> subsystem.model().listeners().contains(queue.listener()));
        if (found.isEmpty()) {
            queue.refuse(
                    Refusal.Check.SUBSYSTEM_UNKNOWN,
                    hostNqn,
                    subsystemNqn,
                    "The host asked for a subsystem that is not served on this listener.");
            throw invalidData(ConnectCommand.SUBNQN_OFFSET, Retry.ALLOWED);
        }
        return found.get();
    }

    private boolean isStillServed(Subsystem subsystem, String hostNqn) {
        SubsystemModel now = subsystem.model();
        return admits(now, hostNqn) && now.listeners().contains(queue.listener());
    }

    /** A listed host of which nobody said what it has to prove is not let in unproven. */
    private boolean admits(SubsystemModel model, String hostNqn) {
        return model.admits(hostNqn)
                && (model.access() == SubsystemModel.Access.ANY_HOST
                        || target.host(hostNqn).isPresent());
    }

    private CommandFault notAllowed(String hostNqn, String subsystemNqn) {
        queue.refuse(
                Refusal.Check.HOST_NOT_ALLOWED,
                hostNqn,
                subsystemNqn,
                "The host is not in the subsystem's list of allowed hosts.");
        return CommandFault.of(StatusCode.CONNECT_INVALID_HOST);
    }

    private void connectIo(FabricCommand command, int entries, String hostNqn, String subsystemNqn)
            throws CommandFault {
        MemorySegment data = command.data();
        int qid = ConnectCommand.qid(command.sqe());
        Controller controller = target.find(subsystemNqn)
                .flatMap(subsystem -> subsystem.controller(ConnectCommand.cntlid(data)))
                .filter(found -> !found.hasEnded() && found.listener().equals(queue.listener()))
                .orElseThrow(() -> invalidData(ConnectCommand.CNTLID_OFFSET, Retry.NEVER));
        if (!controller.isOf(hostNqn, hostIdentifier(data))) {
            throw invalidData(
                    controller.hostNqn().equals(hostNqn) ? ConnectCommand.HOSTID_OFFSET : ConnectCommand.HOSTNQN_OFFSET,
                    Retry.NEVER);
        }
        if (!controller.isEnabled()) {
            throw CommandFault.of(StatusCode.COMMAND_SEQUENCE_ERROR);
        }
        if (qid > controller.ioQueuesGranted() || !controller.addIoQueue(qid, queue)) {
            throw invalid(ConnectCommand.QID_OFFSET);
        }
        if (controller.hasEnded() || !controller.isEnabled()) {
            // It ended, or was reset, before it could know of this queue.
            controller.removeIoQueue(qid, queue);
            throw invalidData(ConnectCommand.CNTLID_OFFSET, Retry.NEVER);
        }
        accept(command, controller, qid, entries);
    }

    private void accept(FabricCommand command, Controller controller, int qid, int entries) {
        MemorySegment sqe = command.sqe();
        boolean flowControl = (ConnectCommand.attributes(sqe) & ConnectCommand.CATTR_DISABLE_SQ_FLOW_CONTROL) == 0;
        boolean authenticates = controller.kind() == Controller.Kind.IO
                && controller.subsystem().model().access() == SubsystemModel.Access.LISTED_HOSTS
                && target.host(controller.hostNqn())
                        .flatMap(HostCredential::policy)
                        .isPresent();
        queue.toConnected(
                controller,
                qid,
                entries,
                flowControl,
                authenticates ? FabricQueue.State.AUTHENTICATING : FabricQueue.State.LIVE);
        queue.complete(command, controller.cntlid() | (authenticates ? ConnectCommand.AUTHENTICATION_REQUIRED : 0));
    }

    private static byte[] hostIdentifier(MemorySegment data) {
        return data.asSlice(ConnectCommand.HOSTID_OFFSET, ConnectCommand.HOSTID_BYTES)
                .toArray(ValueLayout.JAVA_BYTE);
    }

    private static CommandFault invalid(int offset) {
        return CommandFault.of(StatusCode.CONNECT_INVALID_PARAMETERS, Retry.NEVER, offset);
    }

    private static CommandFault invalidData(int offset, Retry retry) {
        return CommandFault.of(StatusCode.CONNECT_INVALID_PARAMETERS, retry, offset | ConnectCommand.INVALID_IN_DATA);
    }
}
