package io.fairlead.worker.inventory;

/** What is on a drive. */
sealed interface Content {

    /** Nothing that anybody knows. */
    record Blank() implements Content {}

    /**
     * Somebody's data.
     *
     * @param signature the names of all that was found, sorted and joined by {@code +}: what a request has to agree to lose, whole
     * @param description the same for people, with labels
     * @param isPartitionTable and nothing else
     */
    record Data(String signature, String description, boolean isPartitionTable) implements Content {}

    /** It cannot be known whether there is anything. */
    record Unreadable(String why) implements Content {}
}
