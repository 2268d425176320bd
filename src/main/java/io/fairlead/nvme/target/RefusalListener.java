package io.fairlead.nvme.target;

/** Is told of each refusal, on the poll group's thread: it has to return at once and must not throw. */
@FunctionalInterface
public interface RefusalListener {
    void onRefusal(Refusal refusal);
}
