package io.zarrengine.uring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the numbers of files: kept while they are in use, and reused when they run out. */
final class QueueFilesTest {
    @TempDir Path folder;

    @ParameterizedTest(name = "{0} files at most")
    @ValueSource(ints = {2, 1000})
    void moreFilesThanNumbersTakeTurns(int filesMax) throws Exception {
        SimulatedRing ring = new SimulatedRing(new byte[1], 4, 0, 0);
        List<FileHandle> files = new ArrayList<>();
        for (int i = 0; i < 3 * ring.filesMax(); i++) {
            files.add(ChannelFile.open(Files.write(folder.resolve("file" + i), new byte[1])));
        }
        try (RingReadQueue queue = new RingReadQueue(ring, 4)) {
            QueueFiles queueFiles = new QueueFiles(queue, filesMax);
            int kept = queueFiles.use(files.getFirst());
            assertEquals(kept, queueFiles.use(files.getFirst()), "a second number");
            queueFiles.unuse(files.getFirst());
            for (FileHandle file : files) {
                queueFiles.use(file);
                queueFiles.unuse(file);
                assertEquals(kept, queueFiles.use(files.getFirst()), "given away while in use");
                queueFiles.unuse(files.getFirst());
            }
            files.forEach(FileHandle::release); // Only the queue holds them now.
            long open = files.stream().filter(OpenFileHandles::isOpen).count();
            assertTrue(open >= 1 && open <= filesMax, open + " files are open");
            queueFiles.unuse(files.getFirst());
            queueFiles.forgetUnused();
            assertTrue(files.stream().noneMatch(OpenFileHandles::isOpen));
        }
    }
}
