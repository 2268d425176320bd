package io.fairlead.nvme.auth;

/** A message that ends the authentication; caught by the state machine, which turns it into a failure message. */
public final class AuthFault extends Exception {

    private static final long serialVersionUID = 1L;

    private final transient AuthRefusal refusal;

    AuthFault(AuthRefusal refusal) {
        // Peers cause it at will, and the sentence says where it comes from: no stack trace.
        super(refusal.sentence(), null, false, false);
        this.refusal = refusal;
    }

    public AuthRefusal refusal() {
        return refusal;
    }
}
