package io.fairlead.nvme.auth;

/** Which check of an authentication failed. */
public enum AuthCheck {
    /** The host did something else instead of authenticating. */
    KEY_NOT_PRESENTED,
    /** The host's response does not match its key. */
    KEY_MISMATCH,
    /** No hash is offered by the host and accepted by the controller. */
    HASH_NOT_OFFERED,
    /** No Diffie-Hellman group is offered by the host and accepted by the controller. */
    DH_GROUP_NOT_OFFERED,
    /** The host asked the controller to prove itself, and the controller has no key to do so. */
    CONTROLLER_KEY_MISSING,
    /** The controller's proof does not match the key that the host has for it. */
    CONTROLLER_PROOF_REFUSED,
    /** A message was malformed, or came at the wrong time. */
    PROTOCOL_ERROR
}
