package io.fairlead.worker.prover;

/** Something that the command was asked for does not hold; the message is a sentence. */
final class CommandFailure extends Exception {

    private static final long serialVersionUID = 1L;

    private final String code;

    CommandFailure(String code, String sentence) {
        super(sentence);
        this.code = code;
    }

    String code() {
        return code;
    }
}
