package io.zarrengine.fuzz;

import io.zarrengine.zarr.json.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * Creates the first inputs from the conformance cases: their documents, the chunks of arrays that
 * have one codec of bytes and no shards, and zip files of small cases.
 */
public final class Corpus {
    private static final int BYTES_MAX = 8192;

    private final Path target;

    private Corpus(Path target) {
        this.target = target;
    }

    /** Arguments: folder of the conformance cases, folder of the corpus. */
    public static void main(String[] arguments) throws IOException {
        write(Path.of(arguments[0]), Path.of(arguments[1]));
    }

    /**
     * Writes the first inputs of each target to a folder of its name, which is created even if
     * empty.
     */
    static void write(Path cases, Path target) throws IOException {
        for (String name : FuzzTargetList.all().keySet()) {
            Files.createDirectories(target.resolve(name));
        }
        Corpus corpus = new Corpus(target);
        try (Stream<Path> files = Files.walk(cases)) {
            for (Path file : files.sorted().toList()) {
                if (file.toString().endsWith(".zip")) {
                    corpus.addCase(file);
                }
            }
        }
    }

    private void addCase(Path archive) throws IOException {
        try (FileSystem zip = FileSystems.newFileSystem(archive);
                Stream<Path> files = Files.walk(zip.getPath("/"))) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                add(file);
            }
        }
    }

    private void add(Path file) throws IOException {
        byte[] content = Files.readAllBytes(file);
        switch (file.getFileName().toString()) {
            case "zarr.json" -> {
                write("metadata-v3", content);
                write("consolidated-v3", content);
                addChunksOfVersion3(file.getParent(), content);
                addZip(file.getParent());
            }
            case ".zarray" -> {
                write("metadata-v2", content);
                addChunksOfVersion2(file.getParent(), content);
                addZip(file.getParent());
            }
            case ".zgroup", ".zattrs" -> write("metadata-v2", content);
            case ".zmetadata" -> write("consolidated-v2", content);
            default -> {}
        }
    }

    private void write(String name, byte[] input) throws IOException {
        if (input.length <= BYTES_MAX) {
            Path folder = Files.createDirectories(target.resolve(name));
            Files.write(
                    folder.resolve("case-" + Integer.toHexString(Arrays.hashCode(input))), input);
        }
    }

    private void addChunksOfVersion3(Path array, byte[] document) throws IOException {
        if (valid(document) instanceof Map<?, ?> map
                && map.get("codecs") instanceof List<?> codecs) {
            List<String> names =
                    codecs.stream()
                            .map(codec ->
                                    codec instanceof Map<?, ?> json ? json.get("name") : codec)
                            .map(name -> String.valueOf(name).replace("numcodecs.", ""))
                            .toList();
            if (names.equals(List.of("sharding_indexed")) || names.size() == 1) {
                addChunks(array, names.getFirst().startsWith("vlen") ? "vlen" : "shard-index");
            } else {
                addChunks(array, names.getLast());
            }
        }
    }

    private void addChunksOfVersion2(Path array, byte[] document) throws IOException {
        if (valid(document) instanceof Map<?, ?> map
                && map.get("compressor") instanceof Map<?, ?> compressor) {
            addChunks(array, String.valueOf(compressor.get("id")));
        }
    }

    private static Object valid(byte[] document) {
        try {
            return Json.parse("case", document);
        } catch (io.zarrengine.zarr.errors.FormatException e) {
            return null; // The case has a broken document.
        }
    }

    /** Adds chunks, each after the size of a target that holds most of them. */
    private void addChunks(Path array, String name) throws IOException {
        boolean known = FuzzTargetList.all().containsKey(name);
        try (Stream<Path> files = Files.walk(array)) {
            for (Path file : files.filter(Files::isRegularFile).sorted().limit(20).toList()) {
                boolean chunk = Character.isDigit(file.getFileName().toString().charAt(0));
                if (known && chunk) {
                    byte[] encoded = Files.readAllBytes(file);
                    byte[] input = new byte[2 + encoded.length];
                    Arrays.fill(input, 0, 2, (byte) 0x40);
                    System.arraycopy(encoded, 0, input, 2, encoded.length);
                    write(name, input);
                    if (FuzzTargetList.all().containsKey(name + "-java")) {
                        write(name + "-java", input);
                    }
                }
            }
        }
    }

    /** Adds a zip file. Documents in it are compressed, chunks are not. */
    private void addZip(Path node) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes);
                Stream<Path> files = Files.walk(node)) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                ZipEntry entry = new ZipEntry(node.relativize(file).toString());
                entry.setTimeLocal(LocalDateTime.of(1980, 1, 1, 0, 0)); // the same inputs each time
                byte[] content = Files.readAllBytes(file);
                if (Character.isDigit(file.getFileName().toString().charAt(0))) {
                    CRC32 crc = new CRC32();
                    crc.update(content);
                    entry.setMethod(ZipEntry.STORED);
                    entry.setSize(content.length);
                    entry.setCrc(crc.getValue());
                }
                zip.putNextEntry(entry);
                zip.write(content);
            }
        }
        write("zip", bytes.toByteArray());
    }
}
