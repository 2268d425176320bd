package io.fairlead.nvme.initiator;

import io.fairlead.nvme.initiator.InitiatorFault.Kind;

/** Statuses in plain words (NVM Express Base 2.0, figures 93 to 98). */
final class StatusText {

    private static final int GENERIC = 0;
    private static final int COMMAND_SPECIFIC = 1;
    private static final int MEDIA = 2;
    private static final int PATH = 3;

    /** Of the result of a refused Connect (section 6.3): the invalid parameter is in the data, not in the command. */
    private static final long CONNECT_IN_DATA = 1 << 16;

    private StatusText() {}

    static InitiatorFault refusedConnect(Completion completion, HostIdentity host, String subsystemNqn) {
        String status = number(completion);
        if (completion.statusCodeType() != COMMAND_SPECIFIC) {
            return InitiatorFault.of(
                    Kind.CONNECT_REFUSED, "The controller refused Connect: " + words(completion) + status + ".");
        }
        return switch (completion.statusCode()) {
            case 0x80 ->
                InitiatorFault.of(
                        Kind.CONNECT_REFUSED, "The controller does not know this format of Connect" + status + ".");
            case 0x81 ->
                InitiatorFault.of(
                        Kind.CONNECT_REFUSED,
                        "The controller is busy or not available" + status + "; trying again later may help.");
            case 0x82 -> invalidParameter(completion, host, subsystemNqn, status);
            case 0x83 ->
                InitiatorFault.of(
                        Kind.CONNECT_REFUSED, "The controller asks to discover the subsystem anew" + status + ".");
            case 0x84 ->
                InitiatorFault.of(
                        Kind.HOST_NOT_ALLOWED,
                        "The subsystem " + subsystemNqn + " does not let the host " + host.nqn() + " in" + status
                                + ".");
            case 0x91 -> InitiatorFault.keyRequired();
            default ->
                InitiatorFault.of(
                        Kind.CONNECT_REFUSED, "The controller refused Connect: " + words(completion) + status + ".");
        };
    }

    private static InitiatorFault invalidParameter(
            Completion completion, HostIdentity host, String subsystemNqn, String status) {
        int offset = (int) (completion.result() & 0xFFFF);
        if ((completion.result() & CONNECT_IN_DATA) == 0) {
            return InitiatorFault.of(
                    Kind.CONNECT_REFUSED, "The controller refuses byte " + offset + " of Connect" + status + ".");
        }
        return switch (offset) {
            case FabricsCommands.CONNECT_SUBNQN_OFFSET ->
                InitiatorFault.of(
                        Kind.SUBSYSTEM_UNKNOWN,
                        "There is no subsystem " + subsystemNqn + " at this address" + status + ".");
            case FabricsCommands.CONNECT_HOSTNQN_OFFSET ->
                InitiatorFault.of(
                        Kind.CONNECT_REFUSED,
                        "The controller refuses the host name " + host.nqn() + status + "; it may be malformed.");
            case 0 ->
                InitiatorFault.of(
                        Kind.CONNECT_REFUSED,
                        "The controller refuses the host identifier " + host.hostIdentifier() + status + ".");
            case 16 ->
                InitiatorFault.of(
                        Kind.CONNECT_REFUSED, "The controller does not know this controller id" + status + ".");
            default ->
                InitiatorFault.of(
                        Kind.CONNECT_REFUSED,
                        "The controller refuses byte " + offset + " of the Connect data" + status + ".");
        };
    }

    static InitiatorFault failed(String what, Completion completion) {
        return InitiatorFault.of(
                Kind.COMMAND_FAILED, what + " failed: " + words(completion) + number(completion) + ".");
    }

    static String number(Completion completion) {
        return " (status %xh/%02xh%s)"
                .formatted(
                        completion.statusCodeType(),
                        completion.statusCode(),
                        completion.doNotRetry() ? ", do not retry" : "");
    }

    static String words(Completion completion) {
        return switch (completion.statusCodeType()) {
            case GENERIC -> generic(completion.statusCode());
            case COMMAND_SPECIFIC -> specific(completion.statusCode());
            case MEDIA -> media(completion.statusCode());
            case PATH -> path(completion.statusCode());
            default -> "a vendor's own status";
        };
    }

    private static String generic(int code) {
        return switch (code) {
            case 0x00 -> "success";
            case 0x01 -> "the command is not known to the controller";
            case 0x02 -> "a field of the command is invalid";
            case 0x04 -> "the data could not be transferred";
            case 0x06 -> "an internal error of the controller";
            case 0x07 -> "the command was aborted on request";
            case 0x08 -> "the command was aborted because its queue was deleted";
            case 0x0B -> "the namespace does not exist or is not ready";
            case 0x0C -> "the command came at the wrong time";
            case 0x0F -> "the length of the data pointer is invalid";
            case 0x21 -> "the command was interrupted";
            case 0x22 -> "a passing error of the transport";
            case 0x80 -> "the range is beyond the end of the namespace";
            case 0x81 -> "the device behind the namespace is full";
            case 0x82 -> "the namespace is not ready";
            case 0x83 -> "the reservation of another host stands in the way";
            default -> "a generic error";
        };
    }

    private static String specific(int code) {
        return switch (code) {
            case 0x09 -> "there is no such log page";
            case 0x91 -> "authentication is required first";
            default -> "an error of this command";
        };
    }

    private static String media(int code) {
        return switch (code) {
            case 0x80 -> "the medium could not be written";
            case 0x81 -> "the medium could not be read";
            case 0x85 -> "a comparison failed";
            case 0x86 -> "access was denied";
            default -> "an error of the medium or of data integrity";
        };
    }

    private static String path(int code) {
        return switch (code) {
            case 0x00 -> "the controller lost its path to the device";
            case 0x01 -> "this path has lost the namespace for good";
            case 0x02 -> "the namespace is not accessible on this path";
            case 0x03 -> "the namespace is changing its path";
            default -> "an error of the path";
        };
    }
}
