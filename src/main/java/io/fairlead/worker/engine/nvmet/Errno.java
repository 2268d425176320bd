package io.fairlead.worker.engine.nvmet;

import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.Arrays;

/**
 * Why the kernel refused an operation. The file API of Java tells errors as the C library's sentences (in English: the launcher sets the
 * locale of messages), which is why they are kept here beside the names.
 */
enum Errno {
    ENOENT("No such file or directory"),
    EEXIST("File exists"),
    EBUSY("Device or resource busy"),
    EINVAL("Invalid argument"),
    ENOTEMPTY("Directory not empty"),
    EPERM("Operation not permitted"),
    EACCES("Permission denied"),
    ENOTDIR("Not a directory"),
    ENODEV("No such device"),
    ENXIO("No such device or address"),
    ENOTBLK("Block device required"),
    ENOMEM("Cannot allocate memory"),
    ENAMETOOLONG("File name too long"),
    EADDRINUSE("Address already in use"),
    EADDRNOTAVAIL("Cannot assign requested address"),
    EAFNOSUPPORT("Address family not supported by protocol"),
    EOPNOTSUPP("Operation not supported"),
    EROFS("Read-only file system"),
    ENOSPC("No space left on device"),
    ENOKEY("Required key not available"),
    EFAULT("Bad address"),
    EIO("Input/output error"),
    /** An error without a name here; the exception's message has the kernel's sentence. */
    OTHER("Unknown error");

    private final String sentence;

    Errno(String sentence) {
        this.sentence = sentence;
    }

    /** As the C library says it. */
    String sentence() {
        return sentence;
    }

    static Errno of(java.io.IOException failure) {
        return switch (failure) {
            case NoSuchFileException _ -> ENOENT;
            case FileAlreadyExistsException _ -> EEXIST;
            case DirectoryNotEmptyException _ -> ENOTEMPTY;
            case NotDirectoryException _ -> ENOTDIR;
            case AccessDeniedException _ -> EACCES;
            case FileSystemException named -> ofSentence(named.getReason());
            default -> ofSentence(failure.getMessage());
        };
    }

    private static Errno ofSentence(String sentence) {
        return Arrays.stream(values())
                .filter(errno -> errno.sentence.equals(sentence))
                .findFirst()
                .orElse(OTHER);
    }
}
