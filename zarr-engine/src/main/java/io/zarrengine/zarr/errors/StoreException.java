package io.zarrengine.zarr.errors;

import io.zarrengine.bindings.Errno;
import io.zarrengine.bindings.ErrnoException;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/** A file could not be read or written. */
public final class StoreException extends ZarrException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param subject the file, and where relevant the offset and the length in bytes
     * @param problem the problem, with the name of the errno if there is one
     * @param cause the cause, or null
     */
    public StoreException(String subject, String problem, Throwable cause) {
        super(subject + ": " + problem, cause);
    }

    /**
     * {@return the exception for an I/O error on a file}
     *
     * @param subject the file
     * @param cause the cause
     */
    public static StoreException of(String subject, IOException cause) {
        return new StoreException(subject, problem(cause), cause);
    }

    /**
     * {@return the problem, without the name of the file}
     *
     * @param e the I/O error
     */
    public static String problem(IOException e) {
        return switch (e) {
            case NoSuchFileException _ -> "there is no such file";
            case AccessDeniedException _ -> "permission denied";
            case FileAlreadyExistsException _ -> "is there already";
            case NotDirectoryException _ -> "is not a folder";
            case DirectoryNotEmptyException _ -> "is a folder that is not empty";
            case FileSystemException other when other.getReason() != null -> other.getReason();
            case ErrnoException call -> Errno.words(call.errno());
            case CharacterCodingException _ -> "is not text in UTF-8";
            case FileSystemException _ -> "cannot be read or written";
            default -> e.getMessage() == null ? "cannot be read or written" : e.getMessage();
        };
    }
}
