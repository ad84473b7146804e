package io.zarrengine.zarr;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Makes zip files. */
final class ZipFiles {
    private ZipFiles() {}

    /**
     * Puts all files of a folder into a new zip file.
     *
     * @param method the compression method of metadata documents; chunks are stored
     */
    static Path zip(Path folder, Path zip, int method) throws IOException {
        return zip(folder, zip, method, ZipEntry.STORED);
    }

    /**
     * Puts all files of a folder into a new zip file.
     *
     * @param method the compression method of metadata documents
     * @param ofChunks the method of all other files
     */
    static Path zip(Path folder, Path zip, int method, int ofChunks) throws IOException {
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(zip));
                Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                String name = folder.relativize(file).toString();
                boolean isDocument = name.endsWith(".json") || name.matches("(.*/)?[.]z[a-z]+");
                put(out, name, Files.readAllBytes(file), isDocument ? method : ofChunks);
            }
        }
        return zip;
    }

    /** Puts one file into a zip file that is being written. */
    static void put(ZipOutputStream out, String name, byte[] bytes, int method) throws IOException {
        put(out, new ZipEntry(name), bytes, method);
    }

    /** Puts one file into a zip file; its headers have some bytes of no meaning. */
    static void putAfter(ZipOutputStream out, int extraBytes, String name, byte[] bytes)
            throws IOException {
        ZipEntry entry = new ZipEntry(name);
        byte[] extra = new byte[extraBytes];
        extra[2] = (byte) (extraBytes - 4);
        extra[3] = (byte) ((extraBytes - 4) >> 8);
        entry.setExtra(extra);
        put(out, entry, bytes, ZipEntry.STORED);
    }

    private static void put(ZipOutputStream out, ZipEntry entry, byte[] bytes, int method)
            throws IOException {
        entry.setMethod(method);
        if (method == ZipEntry.STORED) {
            CRC32 crc = new CRC32();
            crc.update(bytes);
            entry.setCrc(crc.getValue());
            entry.setSize(bytes.length);
        }
        out.putNextEntry(entry);
        out.write(bytes);
        out.closeEntry();
    }
}
