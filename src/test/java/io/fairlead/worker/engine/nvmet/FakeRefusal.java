package io.fairlead.worker.engine.nvmet;

import java.io.IOException;

/** What a system call on the fake tree fails with. */
final class FakeRefusal extends IOException {

    private static final long serialVersionUID = 1L;

    FakeRefusal(Errno errno) {
        super(errno.sentence());
    }

    /** An error that has no name in {@link Errno}. */
    FakeRefusal(String sentence) {
        super(sentence);
    }
}
