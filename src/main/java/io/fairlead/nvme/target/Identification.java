package io.fairlead.nvme.target;

import static io.fairlead.nvme.wire.LittleEndian.text;
import static io.fairlead.nvme.wire.LittleEndian.u16;
import static io.fairlead.nvme.wire.LittleEndian.u32;
import static io.fairlead.nvme.wire.LittleEndian.u64;
import static io.fairlead.nvme.wire.LittleEndian.u8;

import io.fairlead.nvme.spec.IdentifyCns;
import io.fairlead.nvme.spec.StatusCode;
import io.fairlead.nvme.wire.IdentifyController;
import io.fairlead.nvme.wire.IdentifyNamespace;
import io.fairlead.nvme.wire.SubmissionEntry;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;

/** Identify (NVM Express Base 2.0, section 5.17): what this controller, its subsystem and its namespaces are. */
final class Identification {

    private static final int CMIC_SEVERAL_PORTS_CONTROLLERS_AND_ANA = 0b1011;
    private static final int OAES_IO = 1 << 8 | 1 << 11;
    private static final int OAES_DISCOVERY = 1 << 31;
    private static final int CTRATT_EXTENDED_HOST_IDENTIFIER = 1;
    private static final int CNTRLTYPE_IO = 1;
    private static final int CNTRLTYPE_DISCOVERY = 2;
    /** Effects log, extended data (32-bit lengths and offsets), supported-log-pages log. */
    private static final int LPA = 1 << 1 | 1 << 2 | 1 << 5;

    private static final int ANACAP_ALL_STATES_AND_FIXED_GROUPS = 0x1F | 1 << 6;
    private static final int ANA_TRANSITION_SECONDS_MAX = 10;
    private static final int SQE_SHIFT_BOTH = 0x66;
    private static final int CQE_SHIFT_BOTH = 0x44;
    private static final int ONCS_DATASET_MANAGEMENT = 1 << 2;
    private static final int ONCS_WRITE_ZEROES = 1 << 3;
    private static final int VWC_PRESENT_FLUSH_PER_NAMESPACE = 0b101;
    /** SGLs without alignment, keyed descriptors, offsets into the capsule. */
    private static final long SGLS = 1 | 1 << 2 | 1 << 20;

    private static final int FRMW_ONE_READ_ONLY_SLOT = 1 | 1 << 1;
    private static final int NMIC_SHARED = 1;
    private static final int NSTAT_READY = 1;
    private static final int WRITE_ZEROES_SHIFT = 12;
    private static final long DEALLOCATE_BLOCKS_MAX = 1L << 31;
    private static final int COMMAND_SET_NVM = 0;
    private static final long BROADCAST_NSID = 0xFFFF_FFFFL;

    private final FabricQueue queue;
    private final Controller controller;

    Identification(FabricQueue queue, Controller controller) {
        this.queue = queue;
        this.controller = controller;
    }

    void onIdentify(FabricCommand command) throws CommandFault {
        MemorySegment sqe = command.sqe();
        int cns = (int) (SubmissionEntry.dword(sqe, 10) & 0xFF);
        long nsid = SubmissionEntry.nsid(sqe);
        if (controller.kind() == Controller.Kind.DISCOVERY && cns != IdentifyCns.CONTROLLER) {
            throw CommandFault.of(StatusCode.INVALID_FIELD);
        }
        switch (cns) {
            case IdentifyCns.NAMESPACE -> writeNamespace(command, nsid);
            case IdentifyCns.CONTROLLER -> writeController(reply(command));
            case IdentifyCns.ACTIVE_NAMESPACES -> writeActive(command, nsid);
            case IdentifyCns.NAMESPACE_DESCRIPTORS -> writeDescriptors(command, nsid);
            case IdentifyCns.COMMAND_SET_NAMESPACE -> {
                requireNvm(sqe);
                if (requireNamespaceId(nsid) == null) {
                    throw CommandFault.of(StatusCode.INVALID_FIELD);
                }
                reply(command);
            }
            case IdentifyCns.COMMAND_SET_CONTROLLER -> {
                requireNvm(sqe);
                writeNvmController(reply(command));
            }
            case IdentifyCns.COMMAND_SET_ACTIVE_NAMESPACES -> {
                requireNvm(sqe);
                writeActive(command, nsid);
            }
            case IdentifyCns.INDEPENDENT_NAMESPACE -> writeIndependent(command, nsid);
            // The first combination, which is the only one, has the NVM command set.
            case IdentifyCns.COMMAND_SETS -> u64(reply(command), 0, 1L << COMMAND_SET_NVM);
            default -> throw CommandFault.of(StatusCode.INVALID_FIELD);
        }
        queue.complete(command, 0);
    }

    private MemorySegment reply(FabricCommand command) throws CommandFault {
        return queue.replyBuffer(command, IdentifyController.BYTES);
    }

    private static void requireNvm(MemorySegment sqe) throws CommandFault {
        if (SubmissionEntry.dword(sqe, 11) >>> 24 != COMMAND_SET_NVM) {
            throw CommandFault.of(StatusCode.INVALID_FIELD);
        }
    }

    private SubsystemModel model() {
        return controller.subsystem().model();
    }

    /** The namespace; null for an identifier that is valid and not in use. */
    private NamespaceModel requireNamespaceId(long nsid) throws CommandFault {
        if (nsid < 1 || nsid > Target.NAMESPACES_MAX) {
            throw CommandFault.of(StatusCode.INVALID_NAMESPACE);
        }
        return model().namespaces().get((int) nsid);
    }

    private void writeController(MemorySegment data) {
        SubsystemModel model = model();
        TargetSettings settings = queue.settings();
        boolean isIo = controller.kind() == Controller.Kind.IO;
        text(data, IdentifyController.SN_OFFSET, IdentifyController.SN_BYTES, model.serial(), ' ');
        text(data, IdentifyController.MN_OFFSET, IdentifyController.MN_BYTES, model.model(), ' ');
        text(data, IdentifyController.FR_OFFSET, IdentifyController.FR_BYTES, settings.firmwareRevision(), ' ');
        u8(data, IdentifyController.MDTS_OFFSET, settings.transferShift());
        u16(data, IdentifyController.CNTLID_OFFSET, controller.cntlid());
        u32(data, IdentifyController.VER_OFFSET, AdminCommands.VERSION);
        u32(data, IdentifyController.OAES_OFFSET, isIo ? OAES_IO : OAES_DISCOVERY);
        u32(data, IdentifyController.CTRATT_OFFSET, CTRATT_EXTENDED_HOST_IDENTIFIER);
        u8(data, IdentifyController.CNTRLTYPE_OFFSET, isIo ? CNTRLTYPE_IO : CNTRLTYPE_DISCOVERY);
        u8(data, IdentifyController.AERL_OFFSET, Events.REQUESTS_MAX - 1);
        u8(data, IdentifyController.FRMW_OFFSET, FRMW_ONE_READ_ONLY_SLOT);
        u8(data, IdentifyController.LPA_OFFSET, LPA);
        u16(data, IdentifyController.KAS_OFFSET, AdminCommands.KEEP_ALIVE_GRANULARITY_100MS);
        u16(data, IdentifyController.MAXCMD_OFFSET, settings.queueDepth());
        u32(data, IdentifyController.SGLS_OFFSET, SGLS);
        text(data, IdentifyController.SUBNQN_OFFSET, IdentifyController.SUBNQN_BYTES, model.nqn(), '\0');
        u32(data, IdentifyController.IOCCSZ_OFFSET, (SubmissionEntry.BYTES + settings.inCapsuleBytes()) / 16);
        u32(data, IdentifyController.IORCSZ_OFFSET, 1);
        u8(data, IdentifyController.MSDBD_OFFSET, 1);
        if (isIo) {
            writeIoController(data);
        }
    }

    private void writeIoController(MemorySegment data) {
        u8(data, IdentifyController.CMIC_OFFSET, CMIC_SEVERAL_PORTS_CONTROLLERS_AND_ANA);
        u8(data, IdentifyController.ANATT_OFFSET, ANA_TRANSITION_SECONDS_MAX);
        u8(data, IdentifyController.ANACAP_OFFSET, ANACAP_ALL_STATES_AND_FIXED_GROUPS);
        u32(data, IdentifyController.ANAGRPMAX_OFFSET, Target.ANA_GROUPS_MAX);
        u32(data, IdentifyController.NANAGRPID_OFFSET, Target.ANA_GROUPS_MAX);
        u8(data, IdentifyController.SQES_OFFSET, SQE_SHIFT_BOTH);
        u8(data, IdentifyController.CQES_OFFSET, CQE_SHIFT_BOTH);
        u32(data, IdentifyController.NN_OFFSET, Target.NAMESPACES_MAX);
        u16(data, IdentifyController.ONCS_OFFSET, ONCS_DATASET_MANAGEMENT | ONCS_WRITE_ZEROES);
        u8(
                data,
                IdentifyController.VWC_OFFSET,
                controller.hasVolatileWriteCache() ? VWC_PRESENT_FLUSH_PER_NAMESPACE : 0);
        u32(data, IdentifyController.MNAN_OFFSET, Target.NAMESPACES_MAX);
        // Disconnect of an I/O queue.
        u16(data, IdentifyController.OFCS_OFFSET, 1);
    }

    /** An identifier that is not in use is answered with zeros (section 5.17.2.1). */
    private void writeNamespace(FabricCommand command, long nsid) throws CommandFault {
        NamespaceModel namespace = requireNamespaceId(nsid);
        MemorySegment data = reply(command);
        if (namespace == null) {
            return;
        }
        long blocks = namespace.device().blockCount();
        u64(data, IdentifyNamespace.NSZE_OFFSET, blocks);
        u64(data, IdentifyNamespace.NCAP_OFFSET, blocks);
        u64(data, IdentifyNamespace.NUSE_OFFSET, blocks);
        u8(data, IdentifyNamespace.NMIC_OFFSET, NMIC_SHARED);
        u32(data, IdentifyNamespace.ANAGRPID_OFFSET, namespace.anaGroup());
        bytes(data, IdentifyNamespace.NGUID_OFFSET, namespace.nguid());
        bytes(data, IdentifyNamespace.EUI64_OFFSET, namespace.eui64());
        u8(
                data,
                IdentifyNamespace.LBAF0_LBADS_OFFSET,
                Integer.numberOfTrailingZeros(namespace.device().blockBytes()));
    }

    private void writeIndependent(FabricCommand command, long nsid) throws CommandFault {
        NamespaceModel namespace = requireNamespaceId(nsid);
        MemorySegment data = reply(command);
        if (namespace != null) {
            u8(data, IdentifyNamespace.INDEPENDENT_NMIC_OFFSET, NMIC_SHARED);
            u32(data, IdentifyNamespace.INDEPENDENT_ANAGRPID_OFFSET, namespace.anaGroup());
            u8(data, IdentifyNamespace.INDEPENDENT_NSTAT_OFFSET, NSTAT_READY);
        }
    }

    private void writeActive(FabricCommand command, long after) throws CommandFault {
        if (after >= BROADCAST_NSID - 1) {
            throw CommandFault.of(StatusCode.INVALID_NAMESPACE);
        }
        MemorySegment data = reply(command);
        long at = 0;
        for (int nsid : model().namespaces().keySet()) {
            if (nsid > after && at < IdentifyNamespace.BYTES) {
                u32(data, at, nsid);
                at += Integer.BYTES;
            }
        }
    }

    private void writeDescriptors(FabricCommand command, long nsid) throws CommandFault {
        NamespaceModel namespace = requireNamespaceId(nsid);
        if (namespace == null) {
            throw CommandFault.of(StatusCode.INVALID_NAMESPACE);
        }
        MemorySegment data = reply(command);
        long at = descriptor(data, 0, IdentifyNamespace.NIDT_NGUID, namespace.nguid());
        if (!isZero(namespace.eui64())) {
            at = descriptor(data, at, IdentifyNamespace.NIDT_EUI64, namespace.eui64());
        }
        byte[] uuid = ByteBuffer.allocate(16)
                .putLong(namespace.uuid().getMostSignificantBits())
                .putLong(namespace.uuid().getLeastSignificantBits())
                .array();
        at = descriptor(data, at, IdentifyNamespace.NIDT_UUID, uuid);
        descriptor(data, at, IdentifyNamespace.NIDT_CSI, new byte[] {COMMAND_SET_NVM});
    }

    private static long descriptor(MemorySegment data, long at, int type, byte[] value) {
        u8(data, at, type);
        u8(data, at + 1, value.length);
        bytes(data, at + IdentifyNamespace.DESCRIPTOR_HEADER_BYTES, value);
        return at + IdentifyNamespace.DESCRIPTOR_HEADER_BYTES + value.length;
    }

    /** I/O command set specific Identify Controller of the NVM command set (NVM Command Set 1.0, figure 102). */
    private static void writeNvmController(MemorySegment data) {
        u8(data, 1, WRITE_ZEROES_SHIFT);
        u8(data, 3, 0);
        u32(data, 4, DEALLOCATE_BLOCKS_MAX);
    }

    private static boolean isZero(byte[] bytes) {
        for (byte b : bytes) {
            if (b != 0) {
                return false;
            }
        }
        return true;
    }

    private static void bytes(MemorySegment data, long at, byte[] value) {
        MemorySegment.copy(value, 0, data, ValueLayout.JAVA_BYTE, at, value.length);
    }
}
