package io.zarrengine.cli;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Fails if a command of the training run fails, which nobody would see: its output is dropped, and
 * the cache would only lack classes.
 */
final class StartTrainingTest {
    @TempDir private Path folder;

    @Test
    void commandsWriteTheirResults() throws Exception {
        StartTraining.main(new String[] {folder.toString()});
        assertTrue(Files.size(folder.resolve("read.npy")) > 2 * 256 * 256 * Short.BYTES);
        assertTrue(Files.size(folder.resolve("picture.png")) > 0);
    }
}
