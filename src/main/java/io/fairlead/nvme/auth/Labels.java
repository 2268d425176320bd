package io.fairlead.nvme.auth;

import io.fairlead.nvme.spec.DhchapGroup;
import io.fairlead.nvme.spec.DhchapHash;
import java.util.List;
import java.util.stream.Collectors;

/** Names of hashes and groups in sentences. */
final class Labels {

    private Labels() {}

    static String ofHashes(List<DhchapHash> hashes) {
        return hashes.isEmpty()
                ? "none"
                : hashes.stream().map(DhchapHash::label).collect(Collectors.joining(", "));
    }

    static String ofGroups(List<DhchapGroup> groups) {
        return groups.isEmpty()
                ? "none"
                : groups.stream().map(DhchapGroup::label).collect(Collectors.joining(", "));
    }
}
