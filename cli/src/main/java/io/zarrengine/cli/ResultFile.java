package io.zarrengine.cli;

import io.zarrengine.zarr.HostTensor;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.UUID;

/** Puts results into files. A file appears whole or not at all. */
final class ResultFile {
    /** Writes the content of a file. */
    @FunctionalInterface
    interface Content {
        void writeTo(OutputStream out) throws IOException;
    }

    private ResultFile() {}

    /**
     * Writes a result in the format that the file's name asks for: {@code .npy} or {@code .raw}.
     */
    static void write(Path file, HostTensor tensor) throws IOException {
        String name = file.getFileName().toString();
        if (name.endsWith(".npy")) {
            replace(file, out -> NpyWriter.write(tensor, out));
        } else if (name.endsWith(".raw")) {
            replace(file, out -> NpyWriter.writeElements(tensor, out));
        } else {
            throw new IllegalArgumentException(
                    "the output " + file + " ends neither in .npy nor in .raw");
        }
    }

    /** Writes a file beside its place and moves it there. */
    static void replace(Path file, Content content) throws IOException {
        Path absolute = file.toAbsolutePath();
        if (!Files.isDirectory(absolute.getParent())) {
            throw new FileSystemException(
                    absolute.getParent().toString(), null, "there is no such folder");
        }
        Path beside = absolute.resolveSibling(file.getFileName() + "." + UUID.randomUUID());
        try {
            try (OutputStream out =
                    new BufferedOutputStream(Files.newOutputStream(beside), 1 << 16)) {
                content.writeTo(out);
            }
            Files.move(beside, absolute, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(beside);
        }
    }
}
