package io.zarrengine.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that a file appears completely or not at all, and that no other file stays in its folder.
 */
final class ResultFileTest {
    @TempDir private Path folder;

    @Test
    void whatFailsHalfWayLeavesTheFileAsItWas() throws IOException {
        Path file = Files.writeString(folder.resolve("f"), "before");
        IOException full = new IOException("No space left on device");
        IOException thrown =
                assertThrows(
                        IOException.class,
                        () ->
                                ResultFile.replace(
                                        file,
                                        out -> {
                                            out.write(new byte[100_000]);
                                            throw full;
                                        }));
        assertEquals(file + ": No space left on device", thrown.getMessage());
        assertEquals("before", Files.readString(file));
        assertEquals(List.of(file), files());
    }

    @Test
    void theFileIsThereOnlyWhenItIsWhole() throws IOException {
        Path file = folder.resolve("f");
        ResultFile.replace(
                file,
                out -> {
                    out.write(new byte[100_000]);
                    assertTrue(Files.notExists(file));
                });
        assertEquals(100_000, Files.size(file));
        assertEquals(List.of(file), files());
    }

    /** At first the link is broken. The second link is relative. */
    @Test
    void aLinkStaysOneAndItsEndIsWritten() throws IOException {
        Path end = folder.resolve("end");
        Path link = Files.createSymbolicLink(folder.resolve("link"), end);
        Path linkToLink = Files.createSymbolicLink(folder.resolve("other"), Path.of("link"));
        for (Path written : List.of(link, linkToLink)) {
            String content = written.toString();
            ResultFile.replace(written, out -> out.write(content.getBytes(UTF_8)));
            assertEquals(content, Files.readString(end));
            assertTrue(Files.isSymbolicLink(link) && Files.isSymbolicLink(linkToLink));
        }
    }

    /** A reader of the pipe waits for the writer. */
    @Test
    @Timeout(60)
    void aPipeIsWrittenAndStaysThere() throws Exception {
        Path pipe = folder.resolve("pipe");
        assumeTrue(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor() == 0);
        var read = CompletableFuture.supplyAsync(() -> textOf(pipe));
        ResultFile.replace(pipe, out -> out.write('x'));
        assertEquals("x", read.get(30, TimeUnit.SECONDS));
        assertTrue(Files.exists(pipe) && !Files.isRegularFile(pipe));
        assertEquals(List.of(pipe), files());
    }

    private static String textOf(Path pipe) {
        try (InputStream in = Files.newInputStream(pipe)) {
            return new String(in.readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aRelativeFileHasAFolderToo() throws IOException {
        ResultFile.check(Path.of("f.npy"), ResultFile.NPY);
        assertThrows(
                FileSystemException.class,
                () -> ResultFile.check(Path.of("no/such/folder/f.npy"), ResultFile.NPY));
    }

    /**
     * Deletes temporary files of a killed process, but not those that another process may be
     * writing.
     */
    @Test
    void whatWasLeftBesideLongAgoIsDeleted() throws IOException {
        Path old = Files.writeString(beside("f"), "old");
        Path young = Files.writeString(beside("f"), "young");
        Path other = Files.writeString(folder.resolve("f.part"), "of somebody else");
        for (Path file : List.of(old, other)) {
            Files.setLastModifiedTime(
                    file, FileTime.from(Instant.now().minus(Duration.ofHours(2))));
        }
        Path file = folder.resolve("f");
        ResultFile.replace(file, out -> out.write(1));
        assertEquals(Set.of(file, young, other), Set.copyOf(files()));
    }

    private Path beside(String name) {
        return folder.resolve(name + "." + UUID.randomUUID() + ".part");
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        }
    }

    /** Tests the shutdown hook during a write. */
    @Test
    void aProcessThatIsEndedLeavesNothingBeside() {
        Path file = folder.resolve("x.npy");
        FileSystemException e =
                assertThrows(
                        FileSystemException.class,
                        () ->
                                ResultFile.replace(
                                        file,
                                        out -> {
                                            out.write(1);
                                            ResultFile.deleteUnfinished();
                                            try (Stream<Path> left = Files.list(folder)) {
                                                assertEquals(0, left.count());
                                            }
                                        }));
        assertEquals(file + ": there is no such file", e.getMessage());
    }
}
