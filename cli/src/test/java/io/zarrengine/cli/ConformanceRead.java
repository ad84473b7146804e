package io.zarrengine.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.zarr.ZarrEngine;
import io.zarrengine.zarr.errors.ZarrException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A read of a case in {@code conformance/}.
 *
 * @param name the case
 * @param array its folder
 * @param slice the selection
 * @param expected the result's file; null if the read must be refused
 * @param output the file for the result
 * @param refusal why the engine cannot open the array, or null; the command must refuse it too
 * @param bitPatterns whether the expected file has another type of the same width
 */
record ConformanceRead(
        String name,
        Path array,
        String slice,
        Path expected,
        Path output,
        String refusal,
        boolean bitPatterns) {

    /**
     * Adds all reads of the cases of one kind, unpacked into a folder; skips the test where the
     * cases are missing.
     */
    static void addAll(List<ConformanceRead> reads, String kind, Path unpacked, Path results)
            throws IOException {
        Path root = Path.of(System.getProperty("io.zarrengine.project", ".."));
        Path cases = root.resolve("conformance").resolve(kind);
        assumeTrue(Files.isDirectory(cases), () -> cases + " is not there");
        try (ZarrEngine engine = ZarrEngine.open();
                Stream<Path> archives = Files.list(cases)) {
            for (Path archive : archives.sorted().toList()) {
                String name = archive.getFileName().toString().replace(".zip", "");
                Path folder = unpacked.resolve(name);
                unpack(archive, folder);
                add(reads, folder, engine, results);
            }
        }
    }

    private static void unpack(Path archive, Path folder) throws IOException {
        try (FileSystem zip = FileSystems.newFileSystem(archive);
                Stream<Path> files = Files.walk(zip.getPath("/"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path target = folder.resolve(file.toString().substring(1));
                Files.createDirectories(target.getParent());
                Files.copy(file, target);
            }
        }
    }

    private static void add(
            List<ConformanceRead> reads, Path folder, ZarrEngine engine, Path results)
            throws IOException {
        Map<?, ?> json = JsonText.object(Files.readString(folder.resolve("case.json")));
        String name = (String) json.get("name");
        Path array = folder.resolve("store");
        if (json.get("path") instanceof String path) {
            array = array.resolve(path);
        }
        boolean bitPatterns =
                json.get("note") instanceof String note && note.contains("bit patterns");
        String refusal = refusal(engine, array);
        if (json.containsKey("error")) {
            Path output = results.resolve(reads.size() + ".npy");
            reads.add(new ConformanceRead(name, array, "", null, output, refusal, false));
        }
        for (Object read : (List<?>) json.get("reads")) {
            Map<?, ?> members = (Map<?, ?>) read;
            String file = (String) members.get("expected");
            String ending = file.substring(file.lastIndexOf('.'));
            Path output = results.resolve(reads.size() + ending);
            String slice = slice((List<?>) members.get("slice"));
            Path expected = folder.resolve(file);
            reads.add(
                    new ConformanceRead(
                            name, array, slice, expected, output, refusal, bitPatterns));
        }
    }

    private static String refusal(ZarrEngine engine, Path array) {
        try {
            engine.openArray(array).close();
            return null;
        } catch (ZarrException e) {
            return e.getMessage();
        }
    }

    private static String slice(List<?> parts) {
        List<String> slices = new ArrayList<>();
        for (Object part : parts) {
            slices.add(
                    ((List<?>) part)
                            .stream().map(String::valueOf).collect(Collectors.joining(":")));
        }
        return String.join(",", slices);
    }

    /** Returns the request line. */
    String line() {
        return ReadRequestsTest.line(array, slice, output);
    }

    /** Asserts that an answer and its file are right; returns whether the read was served. */
    boolean check(Map<?, ?> answer) throws IOException {
        if (expected != null && refusal == null) {
            assertNull(answer.get("error"), this::toString);
            assertEquals(true, answer.get("ok"), this::toString);
            checkFile();
            return true;
        }
        String error = (String) answer.get("error");
        assertEquals(false, answer.get("ok"), this::toString);
        assertTrue(error.length() >= 15, error);
        boolean opened =
                output.toString().endsWith(ResultFile.NPY); // Other endings may be refused.
        assertTrue(!opened || refusal == null || error.equals(refusal), error);
        assertFalse(Files.exists(output), this::toString);
        return false;
    }

    private void checkFile() throws IOException {
        byte[] expectedBytes = Files.readAllBytes(expected);
        byte[] actualBytes = Files.readAllBytes(output);
        if (expected.toString().endsWith(".json")) {
            assertEquals(text(expectedBytes), text(actualBytes), this::toString);
        } else if (bitPatterns) {
            assertEquals(
                    NpyFile.of(expectedBytes).data(),
                    NpyFile.of(actualBytes).data(),
                    this::toString);
        } else { // NumPy pads the headers of structs further.
            NpyFile wanted = NpyFile.of(expectedBytes);
            NpyFile written = NpyFile.of(actualBytes);
            assertEquals(wanted.header().strip(), written.header().strip(), this::toString);
            assertEquals(wanted.data(), written.data(), this::toString);
        }
    }

    private static Object text(byte[] json) {
        return JsonText.parse(new String(json, StandardCharsets.UTF_8));
    }
}
