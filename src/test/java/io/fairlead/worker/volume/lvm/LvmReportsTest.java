package io.fairlead.worker.volume.lvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fairlead.worker.volume.lvm.LvmReports.Group;
import io.fairlead.worker.volume.lvm.LvmReports.LogicalVolume;
import io.fairlead.worker.volume.lvm.LvmReports.Machine;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LvmReportsTest {

    /** In the form that LVM 2.03 prints. */
    private static final String REPORT = """
              {
                  "report": [
                      {
                          "vg": [
                              {"vg_uuid":"vgAAAA-0000-0000-0000-0000-0000-000001", "vg_name":"fast", "vg_tags":"fairlead.pool=1,other", "vg_extent_size":"4194304", "vg_size":"838860800", "vg_missing_pv_count":"1"}
                          ]
                          ,
                          "pv": [
                              {"pv_uuid":"pvAAAA-0000-0000-0000-0000-0000-000001", "pv_name":"/dev/nvme0n1", "pv_missing":"", "pv_pe_count":"100", "pv_pe_alloc_count":"11"},
                              {"pv_uuid":"pvAAAA-0000-0000-0000-0000-0000-000002", "pv_name":"[unknown]", "pv_missing":"missing", "pv_pe_count":"100", "pv_pe_alloc_count":"11"}
                          ]
                          ,
                          "lv": [
                              {"lv_uuid":"lvAAAA-0000-0000-0000-0000-0000-000001", "lv_name":"data", "lv_tags":"fairlead.volume=2,fairlead.zeroed", "lv_size":"41943040", "lv_dm_path":"/dev/mapper/fast-data", "lv_active":"active", "lv_device_open":"open", "lv_health_status":"partial", "lv_role":"public", "sync_percent":"100.00", "data_percent":"", "metadata_percent":""},
                              {"lv_uuid":"lvAAAA-0000-0000-0000-0000-0000-000002", "lv_name":"[data_rimage_0]", "lv_tags":"", "lv_size":"41943040", "lv_dm_path":"/dev/mapper/fast-data_rimage_0", "lv_active":"", "lv_device_open":"", "lv_health_status":"", "lv_role":"private,raid,image", "sync_percent":"", "data_percent":"", "metadata_percent":""}
                          ]
                          ,
                          "pvseg": [
                              {"pvseg_start":"0"}
                          ]
                          ,
                          "seg": [
                              {"lv_uuid":"lvAAAA-0000-0000-0000-0000-0000-000001", "lv_name":"data", "segtype":"raid1", "seg_pe_ranges":"data_rimage_0:0-9 data_rimage_1:0-9"},
                              {"lv_uuid":"lvAAAA-0000-0000-0000-0000-0000-000002", "lv_name":"[data_rimage_0]", "segtype":"linear", "seg_pe_ranges":"/dev/nvme0n1:1-10"}
                          ]
                      }
                      ,
                      {
                          "pv": [
                              {"pv_uuid":"pvAAAA-0000-0000-0000-0000-0000-000003", "pv_name":"/dev/nvme2n1", "pv_missing":"", "pv_pe_count":"0", "pv_pe_alloc_count":"0"},
                              {"pv_uuid":"", "pv_name":"/dev/nvme3n1", "pv_missing":"", "pv_pe_count":"0", "pv_pe_alloc_count":"0"}
                          ]
                          ,
                          "pvseg": [
                              {"pvseg_start":"0"}
                          ]
                      }
                  ]
              }
            """;

    @Test
    void shouldReadAGroupWithItsDrivesAndVolumes() throws Exception {
        Group group = LvmReports.read(REPORT).groups().getFirst();

        assertThat(group.name()).isEqualTo("fast");
        assertThat(group.tags()).containsExactlyInAnyOrder("fairlead.pool=1", "other");
        assertThat(group.extentBytes()).isEqualTo(4 << 20);
        assertThat(group.missingDriveCount()).isEqualTo(1);
        assertThat(group.physicalVolumes()).hasSize(2);
        assertThat(group.physicalVolumes().getFirst().freeExtentCount()).isEqualTo(89);
        assertThat(group.physicalVolumes().getLast().isMissing()).isTrue();
        LogicalVolume data = group.logicalVolumes().getFirst();
        assertThat(data.tags()).containsExactlyInAnyOrder("fairlead.volume=2", "fairlead.zeroed");
        assertThat(data.kind()).isEqualTo("raid1");
        assertThat(data.isActive()).isTrue();
        assertThat(data.isOpen()).isTrue();
        assertThat(data.health()).isEqualTo("partial");
        assertThat(data.syncPercent()).hasValue(100);
        assertThat(data.dataPercent()).isEmpty();
    }

    @Test
    void shouldTellPartsFromWholes() throws Exception {
        Group group = LvmReports.read(REPORT).groups().getFirst();

        assertThat(group.logicalVolumes()).extracting(LogicalVolume::name).containsExactly("data", "data_rimage_0");
        assertThat(group.logicalVolumes()).extracting(LogicalVolume::isWhole).containsExactly(true, false);
        assertThat(Extents.imageDevices(group, group.logicalVolumes().getFirst()))
                .containsExactly("/dev/nvme0n1");
    }

    @Test
    void shouldTellPreparedDrivesFromThoseThatWereNever() throws Exception {
        Machine machine = LvmReports.read(REPORT);

        assertThat(machine.orphans())
                .extracting(LvmReports.PhysicalVolume::device)
                .containsExactly("/dev/nvme2n1");
    }

    @Test
    void shouldReadThatThereIsNothing() throws Exception {
        Machine nothing = new Machine(List.of(), List.of());

        assertThat(LvmReports.read("{\"report\": []}")).isEqualTo(nothing);
        assertThat(LvmReports.read("{\"report\": [{}]}")).isEqualTo(nothing);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"report\"| \"rapport\"| LVM's report has no list 'report'.",
                "\"lv\"| \"lw\"| LVM's report has no list 'lv'.",
                "\"vg_tags\"| \"vg_tax\"| LVM's report lacks the field 'vg_tags'.",
                "\"vg_name\":\"fast\"| \"vg_name\":\"\"| LVM's report has an empty field 'vg_name'.",
                "\"4194304\"| \"4.00m\"| LVM's report has '4.00m' in the field 'vg_extent_size', which cannot be.",
                "\"4194304\"| \"0\"| LVM's report has '0' in the field 'vg_extent_size', which cannot be.",
                "\"open\"| \"unknown\"| LVM's report has 'unknown' in the field 'lv_device_open', which cannot be.",
                "\"100.00\"| \"-1\"| LVM's report has '-1' in the field 'sync_percent', which cannot be.",
                "\"lv_size\":\"41943040\"| \"lv_size\":41943040| LVM's report lacks the field 'lv_size'."
            })
    void shouldRefuseAReportThatItCannotBelieve(String good, String bad, String sentence) {
        assertThat(REPORT).contains(good);

        assertThat(refusal(REPORT.replaceFirst(java.util.regex.Pattern.quote(good), bad)))
                .isEqualTo(sentence);
    }

    @Test
    void shouldRefuseWhatIsNoJson() {
        assertThat(refusal("  Volume group \"fast\" not found")).isEqualTo("LVM's report is not JSON.");
        assertThat(refusal("")).isEqualTo("LVM's report has no list 'report'.");
        assertThat(refusal("{\"report\": {}}")).isEqualTo("LVM's report has no list 'report'.");
    }

    @Test
    void shouldRefuseAVolumeWithoutASegment() {
        String report = REPORT.replace(
                "{\"lv_uuid\":\"lvAAAA-0000-0000-0000-0000-0000-000001\", \"lv_name\":\"data\", \"segtype\"",
                "{\"lv_uuid\":\"lvAAAA-0000-0000-0000-0000-0000-000009\", \"lv_name\":\"data\", \"segtype\"");

        assertThat(refusal(report))
                .isEqualTo("LVM's report has no segment of volume lvAAAA-0000-0000-0000-0000-0000-000001.");
    }

    private static String refusal(String report) {
        return catchThrowableOfType(LvmFault.class, () -> LvmReports.read(report))
                .getMessage();
    }
}
