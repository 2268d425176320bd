package io.fairlead.nvme.tcp;

/** What a {@link PduReader} tells. Both calls read the current PDU from the reader they are given. */
public interface PduHandler {

    /**
     * A header arrived whole, its digest and all of its fields that need no context were right. When {@link PduReader#dataBytes()} is
     * not zero, the handler says with {@link PduReader#dataInto} where the data shall go; data that nobody wants is dropped.
     *
     * @throws PduFault when the header is wrong in the handler's context
     */
    void onHeader(PduReader pdu) throws PduFault;

    /** All of the PDU arrived; {@link PduReader#dataDigestMatches()} tells whether its data did so in one piece. */
    void onPdu(PduReader pdu) throws PduFault;
}
