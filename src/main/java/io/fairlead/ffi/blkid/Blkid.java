package io.fairlead.ffi.blkid;

import io.fairlead.ffi.Library;
import io.fairlead.ffi.libc.Descriptor;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import jnr.ffi.Pointer;
import jnr.ffi.byref.NativeLongByReference;
import jnr.ffi.byref.PointerByReference;

/** Asks libblkid what a device holds. Thread-safe: each question has a probe of its own. */
public final class Blkid {

    /** What {@link #load()} looks for. */
    public static final String SONAME = "libblkid.so.1";

    private static final int FOUND = 0;
    private static final int NOTHING = 1;
    private static final int AMBIVALENT = -2;
    private static final int TEXT_BYTES_MAX = 1024;
    /** No device has more; a damaged one must not keep us. */
    private static final int FINDINGS_MAX = 64;

    private final Library<LibBlkid> library;

    private Blkid(Library<LibBlkid> library) {
        this.library = library;
    }

    public static Blkid load() {
        return load(SONAME);
    }

    /** With another name, for a machine that has none. */
    public static Blkid load(String soname) {
        return new Blkid(Library.load(LibBlkid.class, soname));
    }

    /** What the device holds. */
    public sealed interface Answer {

        /** Nothing that libblkid knows. */
        record Blank() implements Answer {}

        /**
         * Something.
         *
         * @param isAmbivalent the findings contradict each other, as where a new file system did not overwrite all of an old one
         */
        record Found(List<Finding> findings, boolean isAmbivalent) implements Answer {
            public Found {
                findings = List.copyOf(findings);
            }
        }

        /** The device could not be read to the end, or libblkid gave up. */
        record Failed(String why) implements Answer {}

        /** There is no libblkid here. */
        record Missing(String name, String why) implements Answer {}
    }

    /**
     * One thing that was found.
     *
     * @param type as libblkid names it: {@code ext4}, {@code LVM2_member}, {@code linux_raid_member}, {@code gpt}, …
     * @param usage {@code filesystem}, {@code raid}, {@code crypto}, {@code other}, or {@code partitions} for a partition table
     */
    public record Finding(String type, String usage, Optional<String> label, Optional<String> uuid) {}

    /** Reads from the device, and changes nothing on it. */
    public Answer probe(Descriptor device) {
        return library.with(
                functions -> probe(functions, device), missing -> new Answer.Missing(missing.name(), missing.why()));
    }

    private static Answer probe(LibBlkid blkid, Descriptor device) {
        Pointer probe = null;
        try {
            probe = blkid.blkid_new_probe();
            if (probe == null) {
                return new Answer.Failed("libblkid has no memory for a probe");
            }
            if (blkid.blkid_probe_set_device(probe, device.number(), 0, 0) != 0) {
                return new Answer.Failed("libblkid cannot read the device");
            }
            blkid.blkid_probe_enable_superblocks(probe, 1);
            // A damaged file system is somebody's data too.
            blkid.blkid_probe_set_superblocks_flags(
                    probe,
                    LibBlkid.BLKID_SUBLKS_LABEL
                            | LibBlkid.BLKID_SUBLKS_UUID
                            | LibBlkid.BLKID_SUBLKS_TYPE
                            | LibBlkid.BLKID_SUBLKS_USAGE
                            | LibBlkid.BLKID_SUBLKS_BADCSUM);
            blkid.blkid_probe_enable_partitions(probe, 1);
            blkid.blkid_probe_set_partitions_flags(probe, LibBlkid.BLKID_PARTS_FORCE_GPT);
            return switch (blkid.blkid_do_safeprobe(probe)) {
                case FOUND -> found(findings(blkid, probe), false);
                case NOTHING -> new Answer.Blank();
                case AMBIVALENT -> found(allFindings(blkid, probe), true);
                default -> new Answer.Failed("libblkid could not read all of the device");
            };
        } catch (UnsatisfiedLinkError e) {
            return new Answer.Missing(SONAME, "it lacks a function: " + e.getMessage());
        } finally {
            if (probe != null) {
                blkid.blkid_free_probe(probe);
            }
        }
    }

    private static Answer found(List<Finding> findings, boolean isAmbivalent) {
        return findings.isEmpty()
                ? new Answer.Failed("libblkid found something that it has no name for")
                : new Answer.Found(findings, isAmbivalent);
    }

    /** A superblock and a partition table may both be there. */
    private static List<Finding> findings(LibBlkid blkid, Pointer probe) {
        List<Finding> findings = new ArrayList<>();
        value(blkid, probe, "TYPE")
                .ifPresent(type -> findings.add(new Finding(
                        type,
                        value(blkid, probe, "USAGE").orElse("other"),
                        value(blkid, probe, "LABEL"),
                        value(blkid, probe, "UUID"))));
        value(blkid, probe, "PTTYPE")
                .ifPresent(type ->
                        findings.add(new Finding(type, "partitions", Optional.empty(), value(blkid, probe, "PTUUID"))));
        return findings;
    }

    private static List<Finding> allFindings(LibBlkid blkid, Pointer probe) {
        List<Finding> findings = new ArrayList<>();
        blkid.blkid_reset_probe(probe);
        for (int i = 0; i < FINDINGS_MAX && blkid.blkid_do_probe(probe) == FOUND; i++) {
            findings(blkid, probe).stream()
                    .filter(finding -> !findings.contains(finding))
                    .forEach(findings::add);
        }
        return findings;
    }

    /** A value without what would disturb a line of text: labels are whatever somebody wrote there. */
    private static Optional<String> value(LibBlkid blkid, Pointer probe, String name) {
        PointerByReference data = new PointerByReference();
        NativeLongByReference length = new NativeLongByReference();
        if (blkid.blkid_probe_lookup_value(probe, name, data, length) != 0 || data.getValue() == null) {
            return Optional.empty();
        }
        String text = data.getValue()
                .getString(0, TEXT_BYTES_MAX, StandardCharsets.UTF_8)
                .replaceAll("\\p{Cntrl}", "")
                .strip();
        return text.isEmpty() ? Optional.empty() : Optional.of(text);
    }
}
