package io.fairlead.worker.volume.lvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fairlead.contract.DesiredPool;
import io.fairlead.contract.DesiredPool.Layout;
import io.fairlead.contract.DesiredPool.Provisioning;
import io.fairlead.contract.DesiredVolume;
import io.fairlead.core.PoolId;
import io.fairlead.core.VolumeId;
import io.fairlead.worker.volume.Pool;
import io.fairlead.worker.volume.Pool.History;
import io.fairlead.worker.volume.PoolHistory;
import io.fairlead.worker.volume.VolumeFault;
import io.fairlead.worker.volume.VolumeStatus;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class LvmPoolTest {

    private static final PoolId POOL = new PoolId(new UUID(7, 7));
    private static final long EXTENT = FakeLvm.EXTENT_BYTES;

    private final FakeLvm lvm = new FakeLvm();
    private final LinkedBlockingQueue<String> nudges = new LinkedBlockingQueue<>();
    private final VolumeId id = new VolumeId(new UUID(0x0123, 0x4567));
    private final String volumeName = "volume-" + id;
    private DesiredPool wanted;
    private LvmPools pools;

    @AfterEach
    void close() {
        pools.close();
    }

    @ParameterizedTest
    @EnumSource(Layout.class)
    void shouldShowNothingOfWhatTheDrivesHeldBefore(Layout layout) throws Exception {
        open(layout, Provisioning.THICK);

        assertThat(pool().ensure(volume(10 * EXTENT), History.NEW)).isInstanceOf(VolumeStatus.Allocating.class);
        VolumeStatus.Ready ready = settled(10 * EXTENT);

        assertThat(ready.sizeBytes()).isEqualTo(10 * EXTENT);
        assertThat(lvm.showsFormerData(volumeName)).isFalse();
        assertThat(lvm.volume(volumeName).tags).containsExactlyInAnyOrder("fairlead.volume=" + id, "fairlead.zeroed");
    }

    @Test
    void shouldRoundTheSizeUpToWholeExtents() throws Exception {
        open(Layout.LINEAR, Provisioning.THICK);
        pool().ensure(volume(EXTENT + 512), History.NEW);

        assertThat(settled(EXTENT + 512).sizeBytes()).isEqualTo(2 * EXTENT);
        assertThat(pool().ensure(volume(EXTENT + 512), History.MADE_BEFORE)).isInstanceOf(VolumeStatus.Ready.class);
    }

    @Test
    void shouldPutEachCopyOnDrivesOfItsOwn() throws Exception {
        open(Layout.RAID10, Provisioning.THICK);
        pool().ensure(volume(10 * EXTENT), History.NEW);
        settled(10 * EXTENT);

        List<Set<String>> images = lvm.imageDrives(volumeName);
        assertThat(images).hasSize(4).allSatisfy(image -> assertThat(image).hasSize(1));
        assertThat(Set.copyOf(images)).hasSize(4);
    }

    @Test
    void shouldNotAgreeThatAVolumeIsThereBeforeAllOfItIsZeros() throws Exception {
        open(Layout.MIRROR, Provisioning.THICK);
        lvm.zeroingFails = new IOException("Input/output error");
        pool().ensure(volume(10 * EXTENT), History.NEW);
        awaitNudge();

        VolumeFault fault = fault(10 * EXTENT, History.NEW);
        assertThat(fault.reason().code()).isEqualTo("volume.not_allocated");
        assertThat(fault.reason().text()).contains("Input/output error");
        assertThat(lvm.volume(volumeName).tags).doesNotContain("fairlead.zeroed");

        lvm.zeroingFails = null;
        assertThat(pool().ensure(volume(10 * EXTENT), History.NEW)).isInstanceOf(VolumeStatus.Allocating.class);
        settled(10 * EXTENT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"lvcreate", "lvchange"})
    void shouldWriteZerosAgainAfterAPowerCutInTheMaking(String command) throws Exception {
        open(Layout.MIRROR, Provisioning.THICK);
        lvm.powerGoesBefore = command.equals("lvchange") ? command : "";
        lvm.powerGoesAfter = command.equals("lvcreate") ? command : "";
        if (command.equals("lvcreate")) {
            assertThat(fault(10 * EXTENT, History.NEW)).isNotNull();
        } else {
            pool().ensure(volume(10 * EXTENT), History.NEW);
            awaitNudge();
            assertThat(fault(10 * EXTENT, History.NEW)).isNotNull();
        }
        restart();

        assertThat(pool().ensure(volume(10 * EXTENT), History.NEW)).isInstanceOf(VolumeStatus.Allocating.class);
        settled(10 * EXTENT);

        assertThat(lvm.group("fairlead-" + POOL).volumes).hasSize(1);
    }

    @Test
    void shouldNeverWriteZerosOverAVolumeThatWasWhole() throws Exception {
        make(Layout.LINEAR, 10 * EXTENT);
        lvm.volume(volumeName).tags.remove("fairlead.zeroed");
        restart();

        VolumeFault fault = fault(10 * EXTENT, History.MADE_BEFORE);

        assertThat(fault.kind()).isEqualTo(VolumeFault.Kind.BROKEN);
        assertThat(fault.reason().code()).isEqualTo("volume.mark_lost");
        assertThat(nudges).isEmpty();
    }

    @Test
    void shouldActivateTheVolumeAfterAReboot() throws Exception {
        make(Layout.MIRROR, 10 * EXTENT);
        restart();

        assertThat(pool().ensure(volume(10 * EXTENT), History.MADE_BEFORE)).isInstanceOf(VolumeStatus.Ready.class);
        assertThat(lvm.volume(volumeName).isActive).isTrue();
    }

    @Test
    void shouldPutNoEmptyVolumeInPlaceOfALostOne() throws Exception {
        open(Layout.LINEAR, Provisioning.THICK);

        VolumeFault fault = fault(10 * EXTENT, History.MADE_BEFORE);

        assertThat(fault.kind()).isEqualTo(VolumeFault.Kind.NOT_YET);
        assertThat(fault.reason().code()).isEqualTo("volume.data_absent");
        assertThat(lvm.group("fairlead-" + POOL).volumes).isEmpty();
    }

    @Test
    void shouldNotHandOutANodeThatLeadsElsewhere() throws Exception {
        make(Layout.LINEAR, 10 * EXTENT);
        lvm.wrongNodes.put(volumeName, "LVM-another");

        VolumeFault fault = fault(10 * EXTENT, History.MADE_BEFORE);

        assertThat(fault.kind()).isEqualTo(VolumeFault.Kind.BROKEN);
        assertThat(fault.reason().code()).isEqualTo("volume.other_device");
        assertThat(removal().reason().code()).isEqualTo("volume.other_device");
    }

    @ParameterizedTest
    @EnumSource(Layout.class)
    void shouldGrowWhileItIsOpenWithoutShowingWhatTheDrivesHeldBefore(Layout layout) throws Exception {
        make(layout, 10 * EXTENT);
        lvm.volume(volumeName).isOpen = true;

        VolumeStatus growing = pool().ensure(volume(20 * EXTENT), History.MADE_BEFORE);

        assertThat(growing).isInstanceOf(VolumeStatus.Growing.class);
        assertThat(((VolumeStatus.Growing) growing).present().sizeBytes()).isEqualTo(10 * EXTENT);
        assertThat(lvm.volume(volumeName).extents).isEqualTo(10);
        assertThat(settled(20 * EXTENT).sizeBytes()).isEqualTo(20 * EXTENT);
        assertThat(lvm.volume(volumeName).isOpen).isTrue();
        assertThat(lvm.group("fairlead-" + POOL).volumes).hasSize(1);
        assertThat(lvm.imageDrives(volumeName))
                .allSatisfy(image -> assertThat(image).hasSizeLessThanOrEqualTo(layout == Layout.LINEAR ? 4 : 1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"lvcreate", "lvremove", "lvextend"})
    void shouldGrowAfterAPowerCutAtAnyCommand(String command) throws Exception {
        make(Layout.MIRROR, 10 * EXTENT);
        lvm.powerGoesAfter = command;
        if (!command.equals("lvcreate")) {
            pool().ensure(volume(20 * EXTENT), History.MADE_BEFORE);
            awaitNudge();
        }
        assertThat(fault(20 * EXTENT, History.MADE_BEFORE)).isNotNull();
        restart();

        if (!command.equals("lvextend")) {
            assertThat(pool().ensure(volume(20 * EXTENT), History.MADE_BEFORE))
                    .isInstanceOf(VolumeStatus.Growing.class);
            awaitNudge();
        }
        assertThat(pool().ensure(volume(20 * EXTENT), History.MADE_BEFORE)).isInstanceOf(VolumeStatus.Ready.class);

        assertThat(lvm.volume(volumeName).extents).isEqualTo(20);
        assertThat(lvm.group("fairlead-" + POOL).volumes).hasSize(1);
    }

    @Test
    void shouldNeverShrink() throws Exception {
        make(Layout.LINEAR, 10 * EXTENT);

        assertThat(fault(9 * EXTENT, History.MADE_BEFORE).reason().code()).isEqualTo("volume.shrink");
        assertThat(lvm.volume(volumeName).extents).isEqualTo(10);
    }

    @Test
    void shouldSayHowMuchRoomThereIsWhenThereIsTooLittle() throws Exception {
        open(Layout.MIRROR, Provisioning.THICK);

        VolumeFault fault = fault(100 * EXTENT, History.NEW);

        assertThat(fault.kind()).isEqualTo(VolumeFault.Kind.NOT_YET);
        assertThat(fault.reason().code()).isEqualTo("pool.insufficient_capacity");
        assertThat(fault.reason().text()).contains(Long.toString(99 * EXTENT));
    }

    @Test
    void shouldPromiseMoreThanThereIsInAThinPool() throws Exception {
        open(Layout.MIRROR, Provisioning.THIN);

        assertThat(pool().ensure(volume(1000 * EXTENT), History.NEW)).isInstanceOf(VolumeStatus.Ready.class);
        assertThat(((VolumeStatus.Ready) pool().ensure(volume(2000 * EXTENT), History.MADE_BEFORE)).sizeBytes())
                .isEqualTo(2000 * EXTENT);
        assertThat(pool().report().details().orElseThrow().provisionedBytes()).isEqualTo(2000 * EXTENT);
        pool().remove(id);
        assertThat(lvm.group("fairlead-" + POOL).volumes).containsOnlyKeys("thin");
    }

    @Test
    void shouldRemoveTheVolumeAndNothingElse() throws Exception {
        make(Layout.MIRROR, 10 * EXTENT);
        lvm.foreignVolume(lvm.group("fairlead-" + POOL), "somebodys", "fairlead.volume=" + id + "0");

        pool().remove(id);

        assertThat(lvm.group("fairlead-" + POOL).volumes).containsOnlyKeys("somebodys");
        pool().remove(id);
    }

    @Test
    void shouldNotRemoveAVolumeThatIsOpenAndNameWhoHasItOpen() throws Exception {
        make(Layout.MIRROR, 10 * EXTENT);
        lvm.volume(volumeName).isOpen = true;
        VolumeStatus.Ready ready = (VolumeStatus.Ready) pool().ensure(volume(10 * EXTENT), History.MADE_BEFORE);
        lvm.users.put(ready.device().toString(), List.of("process 42 (dd)"));

        VolumeFault fault = removal();

        assertThat(fault.reason().code()).isEqualTo("volume.in_use");
        assertThat(fault.reason().text()).contains("process 42 (dd)");
        assertThat(lvm.volume(volumeName).isActive).isTrue();
    }

    @Test
    void shouldRefuseTwoVolumesWithOneMark() throws Exception {
        make(Layout.LINEAR, 10 * EXTENT);
        lvm.foreignVolume(lvm.group("fairlead-" + POOL), "copy", "fairlead.volume=" + id);
        pools.ensure(wanted, PoolHistory.MADE_BEFORE, new FakeDrives(lvm));

        assertThat(fault(10 * EXTENT, History.MADE_BEFORE).reason().code()).isEqualTo("volume.ambiguous");
        assertThat(removal().reason().code()).isEqualTo("volume.ambiguous");
        assertThat(lvm.group("fairlead-" + POOL).volumes).hasSize(2);
    }

    @Test
    void shouldServeTheOtherCopyWhenADriveIsMissing() throws Exception {
        make(Layout.MIRROR, 10 * EXTENT);
        String lost = lvm.imageDrives(volumeName).getFirst().iterator().next();
        lvm.drives.get(lost).isPlugged = false;
        restart();

        assertThat(pool().ensure(volume(10 * EXTENT), History.MADE_BEFORE)).isInstanceOf(VolumeStatus.Ready.class);
    }

    @Test
    void shouldRefuseAVolumeWhoseOnlyCopyIsCut() throws Exception {
        make(Layout.LINEAR, 400 * EXTENT);
        lvm.drives.get("/dev/b").isPlugged = false;
        restart();

        assertThat(fault(400 * EXTENT, History.MADE_BEFORE).reason().text()).contains("partial");
    }

    private void open(Layout layout, Provisioning provisioning) throws Exception {
        for (String device : List.of("/dev/a", "/dev/b", "/dev/c", "/dev/d")) {
            lvm.add(device, 100);
        }
        wanted = LvmPoolsTest.pool(layout, provisioning, "a", "b", "c", "d");
        pools = new LvmPools(lvm, lvm, () -> nudges.add("worth asking"), () -> 0, Runnable::run);
        pools.ensure(wanted, PoolHistory.DRIVES_TAKEN, new FakeDrives(lvm));
    }

    private void make(Layout layout, long sizeBytes) throws Exception {
        open(layout, Provisioning.THICK);
        pool().ensure(volume(sizeBytes), History.NEW);
        settled(sizeBytes);
    }

    private void restart() throws VolumeFault {
        pools.close();
        lvm.restart();
        pools = new LvmPools(lvm, lvm, () -> nudges.add("worth asking"), () -> 0, Runnable::run);
        pools.ensure(wanted, PoolHistory.MADE_BEFORE, new FakeDrives(lvm));
    }

    private Pool pool() {
        return pools.pool(POOL).orElseThrow();
    }

    private VolumeStatus.Ready settled(long sizeBytes) throws Exception {
        awaitNudge();
        return (VolumeStatus.Ready) pool().ensure(volume(sizeBytes), History.NEW);
    }

    private void awaitNudge() throws InterruptedException {
        assertThat(nudges.poll(10, TimeUnit.SECONDS)).isNotNull();
    }

    private VolumeFault fault(long sizeBytes, History history) {
        return catchThrowableOfType(VolumeFault.class, () -> pool().ensure(volume(sizeBytes), history));
    }

    private VolumeFault removal() {
        return catchThrowableOfType(VolumeFault.class, () -> pool().remove(id));
    }

    private DesiredVolume volume(long sizeBytes) {
        return new DesiredVolume(id, POOL, "fast", "data", sizeBytes, 512, DesiredVolume.Presence.PRESENT);
    }
}
