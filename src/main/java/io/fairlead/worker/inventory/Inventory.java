package io.fairlead.worker.inventory;

import io.fairlead.contract.DriveReport;
import io.fairlead.contract.DriveReport.InUseReason;
import io.fairlead.contract.DriveReport.Rotation;
import io.fairlead.ffi.blkid.Blkid;
import io.fairlead.worker.inventory.health.HealthWatch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * The drives of this head. Thread-safe: the reporting thread scans, the reconciler finds. Nothing is read before somebody asks, and
 * each question is answered from the machine as it is at that moment; only the contents told in reports may be a minute old, so that
 * heartbeats do not read from every drive.
 */
public final class Inventory implements Drives {

    private static final Duration CONTENT_FOR = Duration.ofMinutes(1);
    private static final Duration ANSWER_TIME_MAX = Duration.ofSeconds(5);
    private static final String FILE_PREFIX = "file.";
    private static final int FILE_LBA_BYTES = 512;

    private final Tree tree;
    private final List<Path> driveFiles;
    private final HealthWatch health;
    private final LongSupplier nanoClock;
    private final ContentReads contents;
    private final Map<String, Known> remembered = new HashMap<>();

    private record Known(String name, long sizeBytes, Content content, long untilNanos) {}

    /**
     * Makes an inventory.
     *
     * @param root {@code /}, or a tree that looks like it
     * @param driveFiles files that count as drives
     * @param health what reports tell of the drives' health
     */
    public Inventory(Path root, List<Path> driveFiles, HealthWatch health, LongSupplier nanoClock) {
        this.tree = new Tree(root);
        this.driveFiles = driveFiles.stream()
                .map(file -> file.toAbsolutePath().normalize())
                .toList();
        this.health = health;
        this.contents = new ContentReads(
                new Contents(Blkid.load())::read,
                Thread.ofPlatform().name("content").daemon()::start);
        this.nanoClock = nanoClock;
    }

    /**
     * All drives, with the reasons not to export them.
     *
     * @param exported identities of those that namespaces of Fairlead hold; their content is not looked at
     * @param pooled identities of those that pools of Fairlead stand on; nor is theirs
     */
    public synchronized List<DriveReport> scan(Set<String> exported, Set<String> pooled) {
        List<DriveReport> reports = new ArrayList<>();
        List<BlockDrive> drives = drives();
        Map<String, Content> known = rememberedContents(drives.stream()
                .filter(drive -> !exported.contains(drive.identity()) && !pooled.contains(drive.identity()))
                .toList());
        for (BlockDrive drive : drives) {
            List<InUseReason> reasons = new ArrayList<>(drive.hardReasons());
            if (exported.contains(drive.identity())) {
                reasons.add(BlockDrives.reason("exported", "A namespace of Fairlead holds the drive."));
            } else if (pooled.contains(drive.identity())) {
                reasons.removeIf(reason -> reason.code().equals("holder"));
                reasons.add(BlockDrives.reason("pool", "A pool of Fairlead stands on the drive."));
            } else {
                against(known.get(drive.identity())).ifPresent(reasons::add);
            }
            reports.add(report(drive, reasons));
        }
        return reports;
    }

    /** The drives that are there, for those who look after their health. Waits for nobody and touches no drive. */
    public List<HealthWatch.Subject> subjects() {
        return drives().stream().map(BlockDrive::subject).toList();
    }

    @Override
    public synchronized Path find(String identity) throws DriveFault {
        BlockDrive drive = present(identity);
        refuseIf(identity, drive.hardReasons());
        return drive.device();
    }

    @Override
    public synchronized Path findUnused(String identity, String agreedSignature) throws DriveFault {
        BlockDrive drive = present(identity);
        refuseIf(identity, drive.hardReasons());
        Content content = contents.read(List.of(drive), ANSWER_TIME_MAX).get(drive.identity());
        boolean agreed =
                content instanceof Content.Data data && data.signature().equals(agreedSignature);
        if (!agreed) {
            refuseIf(identity, against(content).stream().toList());
        }
        return drive.device();
    }

    @Override
    public synchronized Path findPooled(String identity) throws DriveFault {
        BlockDrive drive = present(identity);
        refuseIf(
                identity,
                drive.hardReasons().stream()
                        .filter(reason -> reason.code().equals("unreadable"))
                        .toList());
        return drive.device();
    }

    private BlockDrive present(String identity) throws DriveFault {
        return drives().stream()
                .filter(drive -> drive.identity().equals(identity))
                .findFirst()
                .orElseThrow(() -> DriveFault.notYet("drive.absent", "The drive " + identity + " is not there.", null));
    }

    private static void refuseIf(String identity, List<InUseReason> reasons) throws DriveFault {
        if (!reasons.isEmpty()) {
            String why =
                    String.join(" ", reasons.stream().map(InUseReason::text).toList());
            throw DriveFault.broken("drive.in_use", "The drive " + identity + " must not be used. " + why, null);
        }
    }

    private List<BlockDrive> drives() {
        Usage usage = Usage.read(tree);
        List<BlockDrive> drives = new ArrayList<>(new BlockDrives(tree, usage).read());
        for (Path file : driveFiles) {
            drives.add(fileDrive(file, usage));
        }
        return drives;
    }

    private static BlockDrive fileDrive(Path file, Usage usage) {
        List<InUseReason> reasons = new ArrayList<>();
        long sizeBytes = 0;
        try {
            sizeBytes = Files.size(file) / FILE_LBA_BYTES * FILE_LBA_BYTES;
        } catch (IOException e) {
            reasons.add(BlockDrives.reason("unreadable", file + " cannot be read."));
        }
        if (usage.loopFiles().contains(file.toString())) {
            reasons.add(BlockDrives.reason("holder", "A loop device stands on the file."));
        }
        return new BlockDrive(
                FILE_PREFIX + file,
                "file",
                file.toString(),
                file,
                "File",
                "",
                sizeBytes,
                FILE_LBA_BYTES,
                Rotation.UNKNOWN,
                Optional.empty(),
                reasons);
    }

    private Map<String, Content> rememberedContents(List<BlockDrive> drives) {
        List<BlockDrive> forgotten =
                drives.stream().filter(drive -> !isRemembered(drive)).toList();
        Map<String, Content> read = contents.read(forgotten, ANSWER_TIME_MAX);
        long until = nanoClock.getAsLong() + CONTENT_FOR.toNanos();
        for (BlockDrive drive : forgotten) {
            remembered.put(
                    drive.identity(), new Known(drive.name(), drive.sizeBytes(), read.get(drive.identity()), until));
        }
        Map<String, Content> known = new HashMap<>();
        drives.forEach(drive ->
                known.put(drive.identity(), remembered.get(drive.identity()).content()));
        return known;
    }

    private boolean isRemembered(BlockDrive drive) {
        Known known = remembered.get(drive.identity());
        return known != null
                && known.name().equals(drive.name())
                && known.sizeBytes() == drive.sizeBytes()
                && nanoClock.getAsLong() - known.untilNanos() < 0;
    }

    /** What the content of a drive says against exporting it. */
    private static Optional<InUseReason> against(Content content) {
        return switch (content) {
            case Content.Blank _ -> Optional.empty();
            case Content.Data data ->
                Optional.of(new InUseReason(
                        data.isPartitionTable() ? "partitions" : "signature",
                        "It holds data (" + data.description() + ") that would be lost.",
                        Optional.of(data.signature())));
            case Content.Unreadable unreadable ->
                Optional.of(BlockDrives.reason(
                        "unreadable",
                        "The worker cannot read it (" + unreadable.why() + "), so that it cannot be checked."));
        };
    }

    private DriveReport report(BlockDrive drive, List<InUseReason> reasons) {
        return new DriveReport(
                drive.identity(),
                drive.kind(),
                drive.name(),
                drive.model(),
                drive.serial(),
                drive.sizeBytes(),
                drive.lbaBytes(),
                drive.rotation(),
                reasons,
                drive.firmware(),
                Optional.of(health.of(drive.subject())));
    }
}
