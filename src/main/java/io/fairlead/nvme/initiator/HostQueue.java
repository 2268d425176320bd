package io.fairlead.nvme.initiator;

/** One queue of a controller, as a transport offers it: connected to the controller's address, and not yet by Connect. */
public interface HostQueue {

    /**
     * Sends the command, and waits for its completion for as long as the transport's deadline allows.
     *
     * @throws InitiatorFault when the connection is lost or the deadline passes; never for a status that the controller answered
     */
    Completion execute(HostCommand command) throws InitiatorFault;
}
