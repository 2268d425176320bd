package io.fairlead.worker.inventory;

import io.fairlead.contract.DriveReport.InUseReason;
import io.fairlead.contract.DriveReport.Rotation;
import io.fairlead.worker.inventory.health.HealthWatch;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A drive as it was found at one moment.
 *
 * @param device the file that an engine opens
 * @param hardReasons why it must not be exported, whatever anybody agrees to; the signature comes on top
 */
record BlockDrive(
        String identity,
        String kind,
        String name,
        Path device,
        String model,
        String serial,
        long sizeBytes,
        int lbaBytes,
        Rotation rotation,
        Optional<String> firmware,
        List<InUseReason> hardReasons) {
    BlockDrive {
        hardReasons = List.copyOf(hardReasons);
    }

    BlockDrive with(InUseReason reason) {
        List<InUseReason> reasons = new ArrayList<>(hardReasons);
        reasons.add(reason);
        return new BlockDrive(
                identity, kind, name, device, model, serial, sizeBytes, lbaBytes, rotation, firmware, reasons);
    }

    HealthWatch.Subject subject() {
        return new HealthWatch.Subject(identity, kind, name, serial);
    }
}
