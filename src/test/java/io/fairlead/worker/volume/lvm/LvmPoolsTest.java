package io.fairlead.worker.volume.lvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fairlead.contract.DesiredPool;
import io.fairlead.contract.DesiredPool.Layout;
import io.fairlead.contract.DesiredPool.Provisioning;
import io.fairlead.contract.Reason;
import io.fairlead.core.DriveId;
import io.fairlead.core.PoolId;
import io.fairlead.worker.volume.ForeignPool;
import io.fairlead.worker.volume.PoolHistory;
import io.fairlead.worker.volume.PoolStatus;
import io.fairlead.worker.volume.VolumeFault;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LvmPoolsTest {

    private static final PoolId ID = new PoolId(new UUID(7, 7));
    private static final String MARK = "fairlead.pool=" + ID;

    private final FakeLvm lvm = new FakeLvm();
    private final FakeDrives drives = new FakeDrives(lvm);
    private long now;
    private LvmPools pools = open();

    private LvmPools open() {
        return new LvmPools(lvm, lvm, () -> {}, () -> now, Runnable::run);
    }

    @Test
    void shouldWriteNothingBeforeTheHeadHasRememberedTheDrives() throws Exception {
        twoDrives();

        PoolStatus status = pools.ensure(mirror(), PoolHistory.NEW, drives);

        assertThat(status).isEqualTo(new PoolStatus.Taking(Set.of("a", "b")));
        assertThat(lvm.changes()).isEmpty();
        assertThat(pools.pool(ID)).isEmpty();
        assertThat(pools.reports().getFirst().problem().orElseThrow().code()).isEqualTo("pool.making");
    }

    @Test
    void shouldMakeTheGroupWithItsMarkInOneCommand() throws Exception {
        twoDrives();

        PoolStatus.Ready ready = made(mirror());

        assertThat(ready.identities()).containsExactlyInAnyOrder("a", "b");
        assertThat(ready.trouble()).isEmpty();
        assertThat(lvm.changes()).containsExactly("pvcreate", "pvcreate", "vgcreate");
        assertThat(lvm.group("fairlead-" + ID).tags).containsExactly(MARK);
        assertThat(pools.pool(ID)).isPresent();
        assertThat(pools.reports().getFirst().capacityBytes()).isEqualTo(99 * FakeLvm.EXTENT_BYTES);
    }

    @Test
    void shouldChangeNothingWhenAskedOnceMore() throws Exception {
        twoDrives();
        PoolStatus first = made(mirror());
        int changes = lvm.changes().size();

        assertThat(pools.ensure(mirror(), PoolHistory.MADE_BEFORE, drives)).isEqualTo(first);
        assertThat(lvm.changes()).hasSize(changes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"pvcreate", "vgcreate"})
    void shouldGoOnAfterAPowerCutAtAnyCommandOfTheMaking(String command) throws Exception {
        for (boolean isBefore : new boolean[] {true, false}) {
            FakeLvm machine = new FakeLvm();
            FakeDrives unused = new FakeDrives(machine);
            machine.add("/dev/a", 100);
            machine.add("/dev/b", 100);
            if (isBefore) {
                machine.powerGoesBefore = command;
            } else {
                machine.powerGoesAfter = command;
            }
            LvmPools before = new LvmPools(machine, machine, () -> {}, () -> now, Runnable::run);
            assertThat(catchThrowableOfType(
                            VolumeFault.class, () -> before.ensure(mirror(), PoolHistory.DRIVES_TAKEN, unused)))
                    .isNotNull();
            machine.restart();

            LvmPools after = new LvmPools(machine, machine, () -> {}, () -> now, Runnable::run);
            assertThat(after.ensure(mirror(), PoolHistory.DRIVES_TAKEN, unused)).isInstanceOf(PoolStatus.Ready.class);

            assertThat(machine.groups).hasSize(1);
            assertThat(machine.groups.getFirst().tags).containsExactly(MARK);
        }
    }

    @Test
    void shouldNotTakeADriveThatGotContentAfterItWasTaken() throws Exception {
        twoDrives();
        pools.ensure(mirror(), PoolHistory.NEW, drives);
        lvm.foreignGroup("theirs", lvm.drives.get("/dev/b"));

        VolumeFault fault = fault(mirror(), PoolHistory.DRIVES_TAKEN);

        assertThat(fault.reason().code()).isEqualTo("drive.in_use");
        assertThat(lvm.changes()).isEmpty();
        assertThat(lvm.group("theirs")).isNotNull();
    }

    @Test
    void shouldNotTakeADriveOfSomebodyElsesGroup() {
        twoDrives();
        lvm.foreignGroup("fairlead-" + ID, lvm.drives.get("/dev/a"), MARK + "0");

        VolumeFault fault = fault(mirror(), PoolHistory.NEW);

        assertThat(fault.kind()).isEqualTo(VolumeFault.Kind.BROKEN);
        assertThat(lvm.changes()).isEmpty();
    }

    @Test
    void shouldNotTakeADriveThatWasPreparedForLvmBySomebodyElse() {
        twoDrives();
        lvm.drives.get("/dev/a").uuid = "999999-0000-0000-0000-0000-0000-000000";

        assertThat(fault(mirror(), PoolHistory.DRIVES_TAKEN).kind()).isEqualTo(VolumeFault.Kind.BROKEN);
        assertThat(lvm.changes()).isEmpty();
    }

    @Test
    void shouldRefuseTwoGroupsWithOneMark() {
        twoDrives();
        lvm.foreignGroup("one", lvm.drives.get("/dev/a"), MARK);
        lvm.foreignGroup("two", lvm.drives.get("/dev/b"), MARK);

        VolumeFault fault = fault(mirror(), PoolHistory.MADE_BEFORE);

        assertThat(fault.kind()).isEqualTo(VolumeFault.Kind.BROKEN);
        assertThat(fault.reason().code()).isEqualTo("pool.ambiguous_group");
        assertThat(fault.reason().text()).contains("one (", "two (");
        assertThat(lvm.changes()).isEmpty();
    }

    @Test
    void shouldShowNoDriveButItsOwnToLvm() throws Exception {
        twoDrives();
        lvm.foreignGroup("a-host-wrote-this", lvm.add("/dev/exported", 100), MARK);

        assertThat(made(mirror()).trouble()).isEmpty();

        assertThat(lvm.commands)
                .allSatisfy(command -> assertThat(command.subList(1, 3)).containsExactly("--devices", "/dev/a,/dev/b"));
    }

    @Test
    void shouldWaitForALostPoolAndNameTheMissingDrives() throws Exception {
        twoDrives();
        made(mirror());
        lvm.drives.values().forEach(drive -> drive.isPlugged = false);
        lvm.add("/dev/c", 100);
        int changes = lvm.changes().size();

        VolumeFault fault = fault(mirror(), PoolHistory.MADE_BEFORE);

        assertThat(fault.kind()).isEqualTo(VolumeFault.Kind.NOT_YET);
        assertThat(fault.reason().code()).isEqualTo("pool.absent");
        assertThat(fault.reason().text()).contains("The drive a is not there.", "The drive b is not there.");
        assertThat(lvm.changes()).hasSize(changes);
        assertThat(pools.reports().getFirst().problem()).contains(fault.reason());
    }

    @Test
    void shouldMakeNoEmptyPoolWhereOneWasWipedFromItsDrives() {
        twoDrives();

        VolumeFault fault = fault(mirror(), PoolHistory.MADE_BEFORE);

        assertThat(fault.reason().code()).isEqualTo("pool.absent");
        assertThat(fault.reason().text()).contains("All drives are there");
        assertThat(lvm.changes()).isEmpty();
    }

    @Test
    void shouldServeOnWithoutADriveAndSaySo() throws Exception {
        twoDrives();
        made(mirror());
        lvm.drives.get("/dev/b").isPlugged = false;

        PoolStatus.Ready ready = (PoolStatus.Ready) pools.ensure(mirror(), PoolHistory.MADE_BEFORE, drives);

        assertThat(ready.identities()).containsExactlyInAnyOrder("a", "b");
        assertThat(ready.trouble().getFirst().code()).isEqualTo("pool.drive_missing");
        assertThat(pools.reports().getFirst().problem()).isEmpty();
        assertThat(pools.reports().getFirst().freeBytes()).isZero();
        assertThat(pools.reports().getFirst().details().orElseThrow().alarms())
                .extracting(Reason::code)
                .contains("pool.drive_missing");
    }

    @Test
    void shouldLetADriveInAgainThatWasAway() throws Exception {
        twoDrives();
        made(mirror());
        lvm.drives.get("/dev/b").isFlaggedMissing = true;

        PoolStatus.Ready ready = (PoolStatus.Ready) pools.ensure(mirror(), PoolHistory.MADE_BEFORE, drives);

        assertThat(ready.trouble()).isEmpty();
        assertThat(lvm.drives.get("/dev/b").isFlaggedMissing).isFalse();
    }

    @Test
    void shouldTakeInAnAddedDriveOnceTheHeadHasRememberedIt() throws Exception {
        twoDrives();
        made(pool(Layout.LINEAR, Provisioning.THICK, "a", "b"));
        lvm.add("/dev/c", 100);
        DesiredPool larger = pool(Layout.LINEAR, Provisioning.THICK, "a", "b", "c");
        int changes = lvm.changes().size();

        PoolStatus.Ready first = (PoolStatus.Ready) pools.ensure(larger, PoolHistory.MADE_BEFORE, drives);
        assertThat(first.identities()).containsExactlyInAnyOrder("a", "b", "c");
        assertThat(first.trouble().getFirst().code()).isEqualTo("pool.extending");
        assertThat(lvm.changes()).hasSize(changes);

        PoolStatus.Ready second = (PoolStatus.Ready) pools.ensure(larger, PoolHistory.MADE_BEFORE, drives);
        assertThat(second.trouble()).isEmpty();
        assertThat(pools.reports().getFirst().capacityBytes()).isEqualTo(300 * FakeLvm.EXTENT_BYTES);
    }

    @Test
    void shouldFinishTakingInADriveAfterAPowerCut() throws Exception {
        twoDrives();
        made(pool(Layout.LINEAR, Provisioning.THICK, "a", "b"));
        lvm.add("/dev/c", 100);
        DesiredPool larger = pool(Layout.LINEAR, Provisioning.THICK, "a", "b", "c");
        pools.ensure(larger, PoolHistory.MADE_BEFORE, drives);
        lvm.powerGoesBefore = "vgextend";
        pools.ensure(larger, PoolHistory.MADE_BEFORE, drives);
        lvm.restart();
        pools = open();

        pools.ensure(larger, PoolHistory.MADE_BEFORE, drives);
        PoolStatus.Ready ready = (PoolStatus.Ready) pools.ensure(larger, PoolHistory.MADE_BEFORE, drives);

        assertThat(ready.trouble()).isEmpty();
        assertThat(lvm.drives.get("/dev/c").group).isSameAs(lvm.group("fairlead-" + ID));
    }

    @Test
    void shouldServeOnWhenAnAddedDriveHoldsData() throws Exception {
        twoDrives();
        made(mirror());
        lvm.foreignGroup("theirs", lvm.add("/dev/c", 100));

        PoolStatus.Ready ready = (PoolStatus.Ready)
                pools.ensure(pool(Layout.MIRROR, Provisioning.THICK, "a", "b", "c"), PoolHistory.MADE_BEFORE, drives);

        assertThat(ready.trouble().getFirst().code()).isEqualTo("drive.in_use");
        assertThat(lvm.group("theirs")).isNotNull();
    }

    @Test
    void shouldNeedEnoughDrivesForTheLayout() {
        twoDrives();

        assertThat(fault(pool(Layout.RAID10, Provisioning.THICK, "a", "b"), PoolHistory.NEW)
                        .reason()
                        .code())
                .isEqualTo("pool.too_few_drives");
    }

    @Test
    void shouldWaitForADriveThatIsNotThereYet() {
        lvm.add("/dev/a", 100);

        VolumeFault fault = fault(mirror(), PoolHistory.NEW);

        assertThat(fault.kind()).isEqualTo(VolumeFault.Kind.NOT_YET);
        assertThat(fault.reason().text()).contains("The drive b is not there.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"lvcreate", "lvconvert"})
    void shouldGoOnAfterAPowerCutAtAnyCommandOfTheThinPoolsMaking(String command) throws Exception {
        twoDrives();
        DesiredPool thin = pool(Layout.MIRROR, Provisioning.THIN, "a", "b");
        lvm.powerGoesAfter = command;
        assertThat(made(thin).trouble()).isNotEmpty();
        lvm.restart();
        pools = open();

        PoolStatus.Ready ready = (PoolStatus.Ready) pools.ensure(thin, PoolHistory.MADE_BEFORE, drives);

        assertThat(ready.trouble()).isEmpty();
        assertThat(lvm.volume("thin").kind).isEqualTo("thin-pool");
        assertThat(pools.reports().getFirst().capacityBytes()).isEqualTo(96 * FakeLvm.EXTENT_BYTES);
        assertThat(pools.reports().getFirst().freeBytes()).isEqualTo(72 * FakeLvm.EXTENT_BYTES);
        assertThat(pools.reports().getFirst().details().orElseThrow().metadataPercent())
                .contains(10);
    }

    @Test
    void shouldGrowALinearThinPoolByAnAddedDrive() throws Exception {
        twoDrives();
        made(pool(Layout.LINEAR, Provisioning.THIN, "a", "b"));
        lvm.add("/dev/c", 100);
        DesiredPool larger = pool(Layout.LINEAR, Provisioning.THIN, "a", "b", "c");
        pools.ensure(larger, PoolHistory.MADE_BEFORE, drives);

        pools.ensure(larger, PoolHistory.MADE_BEFORE, drives);

        assertThat(pools.reports().getFirst().capacityBytes()).isEqualTo(298 * FakeLvm.EXTENT_BYTES);
    }

    @Test
    void shouldGiveTheDrivesBackBlank() throws Exception {
        twoDrives();
        made(mirror());

        pools.remove(mirror(), PoolHistory.MADE_BEFORE, drives);

        assertThat(lvm.groups).isEmpty();
        assertThat(lvm.drives.values())
                .allSatisfy(drive -> assertThat(drive.uuid).isEmpty());
        assertThat(pools.pool(ID)).isEmpty();
        assertThat(pools.reports()).isEmpty();
        pools.remove(mirror(), PoolHistory.MADE_BEFORE, drives);
    }

    @Test
    void shouldRemoveAThinPoolThatHoldsNothing() throws Exception {
        twoDrives();
        DesiredPool thin = pool(Layout.MIRROR, Provisioning.THIN, "a", "b");
        made(thin);

        pools.remove(thin, PoolHistory.MADE_BEFORE, drives);

        assertThat(lvm.groups).isEmpty();
    }

    @Test
    void shouldNotRemoveAPoolThatHoldsAnythingAtAll() throws Exception {
        twoDrives();
        made(mirror());
        lvm.foreignVolume(lvm.group("fairlead-" + ID), "somebodys");

        VolumeFault fault = removal(PoolHistory.MADE_BEFORE);

        assertThat(fault.reason().code()).isEqualTo("pool.holds_volumes");
        assertThat(fault.reason().text()).contains("somebodys");
        assertThat(lvm.group("fairlead-" + ID).volumes).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"vgremove", "pvremove"})
    void shouldFinishARemovalAfterAPowerCut(String command) throws Exception {
        twoDrives();
        made(mirror());
        lvm.powerGoesAfter = command;
        assertThat(removal(PoolHistory.MADE_BEFORE)).isNotNull();
        lvm.restart();
        pools = open();

        pools.remove(mirror(), PoolHistory.MADE_BEFORE, drives);

        assertThat(lvm.groups).isEmpty();
        assertThat(lvm.drives.values())
                .allSatisfy(drive -> assertThat(drive.uuid).isEmpty());
    }

    @Test
    void shouldNotRemoveAPoolBehindTheBackOfAMissingDrive() throws Exception {
        twoDrives();
        made(mirror());
        lvm.drives.get("/dev/b").isPlugged = false;

        assertThat(removal(PoolHistory.MADE_BEFORE).reason().code()).isEqualTo("pool.drive_missing");
        assertThat(lvm.groups).hasSize(1);
    }

    @Test
    void shouldLeaveAForeignGroupOnTheDrivesAloneWhenThePoolGoes() throws Exception {
        twoDrives();
        lvm.foreignGroup("theirs", lvm.drives.get("/dev/a"));

        pools.remove(mirror(), PoolHistory.NEW, drives);

        assertThat(lvm.group("theirs")).isNotNull();
        assertThat(lvm.changes()).isEmpty();
    }

    @Test
    void shouldShowForeignGroupsAndLookForThemNotTooOften() throws Exception {
        twoDrives();
        made(mirror());
        lvm.foreignGroup("theirs", lvm.add("/dev/c", 10));
        pools.foreign();

        assertThat(pools.foreign())
                .extracting(ForeignPool::kind, ForeignPool::name)
                .containsExactly(org.assertj.core.groups.Tuple.tuple("volume_group", "theirs"));
        assertThat(pools.foreign().getFirst().detail()).contains("/dev/c", "Fairlead did not make it");
        long looks = looks();
        pools.foreign();
        assertThat(looks()).isEqualTo(looks);
        now += 61_000_000_000L;
        pools.foreign();
        assertThat(looks()).isEqualTo(looks + 1);
        assertThat(lvm.group("theirs")).isNotNull();
    }

    private long looks() {
        return lvm.commands.stream()
                .filter(command -> !command.contains("--devices"))
                .count();
    }

    @Test
    void shouldSayWhyItHasNoPools() throws Exception {
        Reason reason = new Reason("pool.lvm_absent", "There is no LVM.");
        lvm.absence = Optional.of(reason);
        twoDrives();

        assertThat(pools.absence()).contains(reason);
        assertThat(fault(mirror(), PoolHistory.NEW).reason()).isEqualTo(reason);
        assertThat(removal(PoolHistory.MADE_BEFORE).reason()).isEqualTo(reason);
        pools.remove(mirror(), PoolHistory.NEW, drives);
        assertThat(pools.foreign()).isEmpty();
        assertThat(lvm.commands).isEmpty();
    }

    private void twoDrives() {
        lvm.add("/dev/a", 100);
        lvm.add("/dev/b", 100);
    }

    private PoolStatus.Ready made(DesiredPool pool) throws VolumeFault {
        pools.ensure(pool, PoolHistory.NEW, drives);
        return (PoolStatus.Ready) pools.ensure(pool, PoolHistory.DRIVES_TAKEN, drives);
    }

    private VolumeFault fault(DesiredPool pool, PoolHistory history) {
        return catchThrowableOfType(VolumeFault.class, () -> pools.ensure(pool, history, drives));
    }

    private VolumeFault removal(PoolHistory history) {
        return catchThrowableOfType(VolumeFault.class, () -> pools.remove(mirror(), history, drives));
    }

    private static DesiredPool mirror() {
        return pool(Layout.MIRROR, Provisioning.THICK, "a", "b");
    }

    static DesiredPool pool(Layout layout, Provisioning provisioning, String... identities) {
        return new DesiredPool(
                ID,
                "fast",
                layout,
                provisioning,
                Stream.of(identities)
                        .map(identity ->
                                new DesiredPool.Member(new DriveId(new UUID(1, identity.hashCode())), identity, ""))
                        .toList(),
                DesiredPool.Presence.PRESENT);
    }
}
