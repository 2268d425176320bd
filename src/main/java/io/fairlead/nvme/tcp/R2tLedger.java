package io.fairlead.nvme.tcp;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Keeps what R2Ts are outstanding on one connection of a target, and checks each H2CData against them (sections 3.3.2.1 and
 * 3.6.2.8): data comes for a tag that was given, for the command it was given for, from front to back, within the range that was
 * asked, and ends exactly where LAST_PDU says. Owned by the connection's thread; allocates only to grow.
 */
public final class R2tLedger {

    private static final int FREE = -1;

    private int[] commandIds;
    private int[] next;
    private int[] end;
    private int outstanding;

    /** @param tags how many tags there are: 0 to {@code tags - 1} */
    public R2tLedger(int tags) {
        commandIds = new int[tags];
        next = new int[tags];
        end = new int[tags];
        Arrays.fill(commandIds, FREE);
    }

    /** Makes room for tags up to {@code tags - 1}; what is outstanding stays. */
    public void grow(int tags) {
        int had = commandIds.length;
        if (tags > had) {
            commandIds = Arrays.copyOf(commandIds, tags);
            next = Arrays.copyOf(next, tags);
            end = Arrays.copyOf(end, tags);
            Arrays.fill(commandIds, had, tags, FREE);
        }
    }

    /** An R2T with this tag is being sent. */
    public void open(int tag, int commandId, int offset, int length) {
        if (commandIds[tag] != FREE) {
            throw new IllegalStateException("transfer tag " + tag + " is outstanding already");
        }
        if (offset < 0 || length <= 0 || offset + length < 0) {
            throw new IllegalArgumentException("not a range: " + length + " bytes from " + offset);
        }
        commandIds[tag] = commandId;
        next[tag] = offset;
        end[tag] = offset + length;
        outstanding++;
    }

    /**
     * Checks the header of an H2CData.
     *
     * @return the tag
     * @throws PduFault when the host must not send that
     */
    public int accept(MemorySegment header, long at) throws PduFault {
        int tag = H2cData.transferTag(header, at);
        if (tag >= commandIds.length || commandIds[tag] == FREE) {
            throw PduFault.invalidField(H2cData.TTAG_OFFSET, "no R2T with this transfer tag is outstanding");
        }
        if (commandIds[tag] != H2cData.commandId(header, at)) {
            throw PduFault.invalidField(H2cData.CCCID_OFFSET, "the transfer tag belongs to another command");
        }
        long offset = H2cData.dataOffset(header, at);
        long length = H2cData.dataLength(header, at);
        if (offset != next[tag] || offset + length > end[tag]) {
            throw PduFault.of(
                    FatalError.DATA_TRANSFER_OUT_OF_RANGE,
                    length + " bytes from " + offset + " where " + next[tag] + " to " + end[tag] + " is outstanding");
        }
        boolean last = (CommonHeader.flags(header, at) & CommonHeader.FLAG_LAST_PDU) != 0;
        if (last != (offset + length == end[tag])) {
            throw PduFault.of(
                    FatalError.PDU_SEQUENCE_ERROR,
                    last ? "LAST_PDU before the transfer is whole" : "the transfer is whole without LAST_PDU");
        }
        return tag;
    }

    /**
     * Data of an accepted H2CData has arrived.
     *
     * @return whether the whole R2T is answered; its tag is then free
     */
    public boolean onArrived(int tag, int length) {
        next[tag] += length;
        if (next[tag] < end[tag]) {
            return false;
        }
        commandIds[tag] = FREE;
        outstanding--;
        return true;
    }

    public int outstanding() {
        return outstanding;
    }
}
