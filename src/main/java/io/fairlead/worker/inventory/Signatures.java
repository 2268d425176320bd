package io.fairlead.worker.inventory;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * Finds out whether a device holds somebody's data, by the magic numbers that file systems, volume managers and partition tables leave
 * on it. Names are those of {@code blkid}. It looks only; it trusts nothing that it reads.
 *
 * <p>Places and numbers are the on-disk formats' own: ext2 to ext4 superblock; XFS, btrfs, f2fs superblocks; LVM2 label; md superblocks
 * 0.90, 1.0, 1.1 and 1.2; swap header; UEFI 2.10 section 5.3.2 for GPT and 5.2.1 for the MBR; LUKS 1 and 2 headers; ZFS uberblocks;
 * bcache superblock; BlueStore label; FAT and NTFS boot sectors.
 */
final class Signatures {

    private static final int KIBIBYTE = 1 << 10;
    private static final int SECTOR = 512;
    private static final int MD_MAGIC = 0xA92B4EFC;
    private static final int EXT_MAGIC_OFFSET = KIBIBYTE + 56;
    private static final long ZFS_MAGIC = 0x00BAB10CL;
    private static final int ZFS_LABEL = 256 * KIBIBYTE;

    private record Magic(String name, long offset, byte[] bytes) {
        static Magic text(String name, long offset, String text) {
            return new Magic(name, offset, text.getBytes(StandardCharsets.ISO_8859_1));
        }
    }

    private static final List<Magic> AT_THE_START = atTheStart();

    private final SeekableByteChannel channel;
    private final long sizeBytes;
    private final TreeSet<String> found = new TreeSet<>();

    private Signatures(SeekableByteChannel channel, long sizeBytes) {
        this.channel = channel;
        this.sizeBytes = sizeBytes;
    }

    /** The names of all signatures, sorted and joined by {@code +}; empty when there is none. */
    static String find(SeekableByteChannel channel, long sizeBytes) throws IOException {
        Signatures search = new Signatures(channel, sizeBytes);
        search.fixedPlaces();
        search.ext();
        search.f2fs();
        search.md();
        search.partitionTables();
        search.zfs();
        return String.join("+", search.found);
    }

    static boolean isPartitionTable(String signature) {
        return signature.equals("gpt") || signature.equals("dos");
    }

    private static List<Magic> atTheStart() {
        List<Magic> magics = new ArrayList<>();
        magics.add(Magic.text("xfs", 0, "XFSB"));
        magics.add(Magic.text("btrfs", 64 * KIBIBYTE + 64, "_BHRfS_M"));
        magics.add(Magic.text("crypto_LUKS", 0, "LUKS\u00ba\u00be"));
        // LUKS2 keeps a second header at one of these places.
        for (long offset = 16 * KIBIBYTE; offset <= 4096L * KIBIBYTE; offset *= 2) {
            magics.add(Magic.text("crypto_LUKS", offset, "SKUL\u00ba\u00be"));
        }
        for (int sector = 0; sector < 4; sector++) {
            magics.add(Magic.text("LVM2_member", (long) sector * SECTOR, "LABELONE"));
        }
        for (int page : List.of(4, 8, 16, 64)) {
            magics.add(Magic.text("swap", page * KIBIBYTE - 10, "SWAPSPACE2"));
            magics.add(Magic.text("swap", page * KIBIBYTE - 10, "SWAP-SPACE"));
        }
        magics.add(Magic.text(
                "bcache",
                4 * KIBIBYTE + 24,
                "\u00c6\u0085\u0073\u00f6\u004e\u001a\u0045\u00ca\u0082\u0065\u00f5\u007f\u0048\u00ba\u006d\u0081"));
        magics.add(Magic.text("ceph_bluestore", 0, "bluestore block device"));
        magics.add(Magic.text("vfat", 54, "FAT1"));
        magics.add(Magic.text("vfat", 82, "FAT32   "));
        magics.add(Magic.text("ntfs", 3, "NTFS    "));
        magics.add(Magic.text("exfat", 3, "EXFAT   "));
        return List.copyOf(magics);
    }

    private void fixedPlaces() throws IOException {
        for (Magic magic : AT_THE_START) {
            ByteBuffer bytes = read(magic.offset(), magic.bytes().length);
            if (bytes != null && bytes.equals(ByteBuffer.wrap(magic.bytes()))) {
                found.add(magic.name());
            }
        }
    }

    private void ext() throws IOException {
        ByteBuffer magic = read(EXT_MAGIC_OFFSET, 2);
        ByteBuffer features = read(KIBIBYTE + 92, 12);
        if (magic == null || features == null || (magic.getShort(0) & 0xFFFF) != 0xEF53) {
            return;
        }
        boolean journal = (features.getInt(0) & 0x4) != 0;
        // What ext3 has at most: filetype, recover, journal device, meta_bg; and sparse_super, large_file, btree_dir.
        boolean beyondExt3 = (features.getInt(4) & ~0x1E) != 0 || (features.getInt(8) & ~0x7) != 0;
        found.add(beyondExt3 ? "ext4" : journal ? "ext3" : "ext2");
    }

    private void f2fs() throws IOException {
        ByteBuffer magic = read(KIBIBYTE, 4);
        if (magic != null && magic.getInt(0) == 0xF2F52010) {
            found.add("f2fs");
        }
    }

    private void md() throws IOException {
        long sectors = sizeBytes / SECTOR;
        long version090 = (sizeBytes & ~(64L * KIBIBYTE - 1)) - 64 * KIBIBYTE;
        long version10 = (sectors - 16 & ~7L) * SECTOR;
        for (long offset : List.of(0L, 4L * KIBIBYTE, version090, version10)) {
            ByteBuffer magic = read(offset, 4);
            // Version 0.90 is in the byte order of the machine that wrote it.
            if (magic != null && (magic.getInt(0) == MD_MAGIC || Integer.reverseBytes(magic.getInt(0)) == MD_MAGIC)) {
                found.add("linux_raid_member");
            }
        }
    }

    private void partitionTables() throws IOException {
        for (int block : List.of(SECTOR, 8 * SECTOR)) {
            gpt(block);
            gpt(sizeBytes - block);
        }
        ByteBuffer sector = read(0, SECTOR);
        boolean isBootSectorOfFileSystem = found.contains("vfat") || found.contains("ntfs") || found.contains("exfat");
        if (sector == null
                || (sector.getShort(510) & 0xFFFF) != 0xAA55
                || isBootSectorOfFileSystem
                || found.contains("gpt")) {
            return;
        }
        for (int entry = 446; entry < 510; entry += 16) {
            int status = sector.get(entry) & 0xFF;
            if (sector.get(entry + 4) != 0 && (status == 0 || status == 0x80)) {
                found.add("dos");
            }
        }
    }

    private void gpt(long offset) throws IOException {
        ByteBuffer header = read(offset, 8);
        if (header != null && header.equals(ByteBuffer.wrap("EFI PART".getBytes(StandardCharsets.US_ASCII)))) {
            found.add("gpt");
        }
    }

    private void zfs() throws IOException {
        long end = sizeBytes / ZFS_LABEL * ZFS_LABEL;
        for (long label : List.of(0L, (long) ZFS_LABEL, end - 2 * ZFS_LABEL, end - ZFS_LABEL)) {
            ByteBuffer uberblocks = read(label + ZFS_LABEL / 2, ZFS_LABEL / 2);
            if (uberblocks == null) {
                continue;
            }
            for (int offset = 0; offset < ZFS_LABEL / 2; offset += KIBIBYTE) {
                long magic = uberblocks.getLong(offset);
                if (magic == ZFS_MAGIC || Long.reverseBytes(magic) == ZFS_MAGIC) {
                    found.add("zfs_member");
                    return;
                }
            }
        }
    }

    /** The bytes at a place, little endian, or null when the device does not reach that far. */
    private ByteBuffer read(long offset, int length) throws IOException {
        if (offset < 0 || offset + length > sizeBytes) {
            return null;
        }
        ByteBuffer bytes = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        channel.position(offset);
        while (bytes.hasRemaining()) {
            if (channel.read(bytes) < 0) {
                return null;
            }
        }
        return bytes.flip().order(ByteOrder.LITTLE_ENDIAN);
    }
}
