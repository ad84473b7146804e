package io.zarrengine.uring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The numbers of files: kept while they are used, and given to others when they run out. */
final class QueueFilesTest {
    @TempDir Path folder;

    @Test
    void moreFilesThanNumbersTakeTurns() throws Exception {
        SimulatedRing ring = new SimulatedRing(new byte[1], 4, 0, 0);
        List<FileHandle> files = new ArrayList<>();
        for (int i = 0; i < 3 * ring.filesMax(); i++) {
            files.add(ChannelFile.open(Files.write(folder.resolve("file" + i), new byte[1])));
        }
        try (RingReadQueue queue = new RingReadQueue(ring, 4)) {
            QueueFiles queueFiles = new QueueFiles(queue);
            int kept = queueFiles.use(files.getFirst());
            assertEquals(kept, queueFiles.use(files.getFirst()), "a second number");
            queueFiles.unuse(files.getFirst());
            for (FileHandle file : files) {
                queueFiles.use(file);
                queueFiles.unuse(file);
                assertEquals(kept, queueFiles.use(files.getFirst()), "given away while in use");
                queueFiles.unuse(files.getFirst());
            }
            queueFiles.unuse(files.getFirst());
            queueFiles.forgetUnused();
        }
        for (FileHandle file : files) { // Nobody holds them but we.
            assertTrue(file.tryRetain());
            file.release();
            file.release();
            assertFalse(file.tryRetain());
        }
    }
}
