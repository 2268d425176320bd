package io.fairlead.worker.volume.file;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.fairlead.core.VolumeId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * What a volume is, beside its data.
 *
 * @param inode of the data file: moving or replacing the file by another is noticed, renaming the directory is not
 */
record VolumeRecord(int schema, VolumeId volumeId, String name, long sizeBytes, int lbaBytes, long inode) {

    static final int SCHEMA = 1;

    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    VolumeRecord withSize(long newSizeBytes) {
        return new VolumeRecord(schema, volumeId, name, newSizeBytes, lbaBytes, inode);
    }

    /** Reads a record; one that is not whole, or of another volume, is an {@link IOException}. */
    static VolumeRecord read(Path file, VolumeId expected) throws IOException {
        VolumeRecord record = MAPPER.readValue(Files.readAllBytes(file), VolumeRecord.class);
        if (record.schema != SCHEMA || !expected.equals(record.volumeId)) {
            throw new IOException(file.getFileName() + " is not the record of volume " + expected);
        }
        return record;
    }

    /** Replaces the record whole or not at all. */
    void write(Path file) throws IOException {
        Path partial = file.resolveSibling(file.getFileName() + DirectoryPool.PARTIAL);
        Durable.write(partial, MAPPER.writeValueAsBytes(this));
        Durable.replace(partial, file);
    }

    static long inodeOf(Path file) throws IOException {
        Map<String, Object> attributes = Files.readAttributes(file, "unix:ino");
        return (Long) attributes.get("ino");
    }
}
