package io.fairlead.contract;

import io.fairlead.core.HeadId;

/**
 * The head's id and the credential that it sends as {@code Authorization: Bearer} from now on. The credential is shown this once;
 * the management plane keeps its hash.
 */
public record EnrolmentAnswer(HeadId headId, String credential, CntlidWindow cntlids) {

    @Override
    public String toString() {
        return "EnrolmentAnswer[headId=" + headId + ", credential=hidden, cntlids=" + cntlids + "]";
    }
}
