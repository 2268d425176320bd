package io.fairlead.nvme.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** Where hosts look for the fields of the larger structures: figures of NVM Express Base 2.0 and NVM Command Set 1.0, by hand. */
class StructureLayout {

    private static String hex(MemorySegment segment) {
        return HexFormat.of().formatHex(segment.toArray(ValueLayout.JAVA_BYTE));
    }

    @Test
    void shouldReadTheDataOfConnect() {
        byte[] bytes = new byte[ConnectCommand.DATA_BYTES];
        bytes[16] = (byte) 0xCD;
        bytes[17] = (byte) 0xAB;
        byte[] subsystem = "nqn.2026-01.io.fairlead:s".getBytes(StandardCharsets.UTF_8);
        byte[] host = "nqn.2026-01.io.fairlead:ü".getBytes(StandardCharsets.UTF_8);
        System.arraycopy(subsystem, 0, bytes, 256, subsystem.length);
        System.arraycopy(host, 0, bytes, 512, host.length);
        MemorySegment data = MemorySegment.ofArray(bytes);

        assertThat(ConnectCommand.cntlid(data)).isEqualTo(0xABCD);
        assertThat(ConnectCommand.subsystemNqn(data)).isEqualTo("nqn.2026-01.io.fairlead:s");
        assertThat(ConnectCommand.hostNqn(data)).isEqualTo("nqn.2026-01.io.fairlead:ü");

        Arrays.fill(bytes, 256, 512, (byte) 'a');
        assertThat(ConnectCommand.subsystemNqn(data)).isNull();
        assertThat(ConnectCommand.hostNqn(data)).isEqualTo("nqn.2026-01.io.fairlead:ü");
    }

    @Test
    void shouldPadTextsAndRefuseWhatDoesNotFit() {
        MemorySegment field = MemorySegment.ofArray(new byte[8]);
        LittleEndian.text(field, 2, 4, "ab", ' ');
        assertThat(hex(field)).isEqualTo("0000" + "61622020" + "0000");
        LittleEndian.text(field, 2, 4, "abcd", '\0');
        assertThat(LittleEndian.text(field, 2, 4)).isNull();
        assertThat(LittleEndian.text(field, 2, 5)).isEqualTo("abcd");
        assertThatIllegalArgumentException().isThrownBy(() -> LittleEndian.text(field, 2, 4, "abcde", ' '));
    }

    @Test
    void shouldPlaceTheFieldsOfIdentifyControllerWhereAHostLooksForThem() {
        assertThat(new int[] {
                    IdentifyController.SN_OFFSET,
                    IdentifyController.MN_OFFSET,
                    IdentifyController.FR_OFFSET,
                    IdentifyController.CMIC_OFFSET,
                    IdentifyController.MDTS_OFFSET,
                    IdentifyController.CNTLID_OFFSET,
                    IdentifyController.VER_OFFSET,
                    IdentifyController.OAES_OFFSET,
                    IdentifyController.CTRATT_OFFSET,
                    IdentifyController.CNTRLTYPE_OFFSET,
                    IdentifyController.ACL_OFFSET,
                    IdentifyController.AERL_OFFSET,
                    IdentifyController.FRMW_OFFSET,
                    IdentifyController.LPA_OFFSET
                })
                .containsExactly(4, 24, 64, 76, 77, 78, 80, 92, 96, 111, 258, 259, 260, 261);
        assertThat(new int[] {
                    IdentifyController.KAS_OFFSET,
                    IdentifyController.ANATT_OFFSET,
                    IdentifyController.ANACAP_OFFSET,
                    IdentifyController.ANAGRPMAX_OFFSET,
                    IdentifyController.NANAGRPID_OFFSET,
                    IdentifyController.SQES_OFFSET,
                    IdentifyController.CQES_OFFSET,
                    IdentifyController.MAXCMD_OFFSET,
                    IdentifyController.NN_OFFSET,
                    IdentifyController.ONCS_OFFSET,
                    IdentifyController.VWC_OFFSET,
                    IdentifyController.SGLS_OFFSET,
                    IdentifyController.MNAN_OFFSET,
                    IdentifyController.SUBNQN_OFFSET,
                    IdentifyController.IOCCSZ_OFFSET,
                    IdentifyController.IORCSZ_OFFSET,
                    IdentifyController.MSDBD_OFFSET,
                    IdentifyController.OFCS_OFFSET
                })
                .containsExactly(
                        320, 342, 343, 344, 348, 512, 513, 514, 516, 520, 525, 536, 540, 768, 1792, 1796, 1803, 1804);
    }

    @Test
    void shouldPlaceTheFieldsOfIdentifyNamespaceWhereAHostLooksForThem() {
        assertThat(new int[] {
                    IdentifyNamespace.NSZE_OFFSET,
                    IdentifyNamespace.NCAP_OFFSET,
                    IdentifyNamespace.NUSE_OFFSET,
                    IdentifyNamespace.NSFEAT_OFFSET,
                    IdentifyNamespace.NMIC_OFFSET,
                    IdentifyNamespace.ANAGRPID_OFFSET,
                    IdentifyNamespace.NGUID_OFFSET,
                    IdentifyNamespace.EUI64_OFFSET,
                    IdentifyNamespace.LBAF0_LBADS_OFFSET
                })
                .containsExactly(0, 8, 16, 24, 30, 92, 104, 120, 130);
    }

    @Test
    void shouldPlaceTheFieldsOfADiscoveryEntryWhereAHostLooksForThem() {
        assertThat(new int[] {
                    LogPage.ENTRY_TRTYPE_OFFSET,
                    LogPage.ENTRY_ADRFAM_OFFSET,
                    LogPage.ENTRY_SUBTYPE_OFFSET,
                    LogPage.ENTRY_PORTID_OFFSET,
                    LogPage.ENTRY_CNTLID_OFFSET,
                    LogPage.ENTRY_ASQSZ_OFFSET,
                    LogPage.ENTRY_TRSVCID_OFFSET,
                    LogPage.ENTRY_SUBNQN_OFFSET,
                    LogPage.ENTRY_TRADDR_OFFSET,
                    LogPage.DISCOVERY_ENTRY_BYTES
                })
                .containsExactly(0, 1, 2, 4, 6, 8, 32, 256, 512, 1024);
    }
}
