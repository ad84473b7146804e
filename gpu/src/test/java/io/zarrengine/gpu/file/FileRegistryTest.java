package io.zarrengine.gpu.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.cuda.CudaDevice;
import io.zarrengine.gpu.file.FileRegistry.Patience;
import io.zarrengine.uring.FileChanges;
import io.zarrengine.uring.FileHandle;
import io.zarrengine.uring.MappingRule;
import io.zarrengine.uring.ReadBackend;
import io.zarrengine.zarr.DeviceEngines;
import io.zarrengine.zarr.memory.MemoryBudget;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests which files are registered for a device, for how long, and which are trusted. */
@Tag("gpu")
final class FileRegistryTest {
    private static final int BYTES = 10_000;
    private static final MappingRule AT_ONCE = new MappingRule(1, true);
    private static final Patience EVER = new Patience(Long.MAX_VALUE, Long.MAX_VALUE);

    @TempDir Path folder;

    private final MemoryBudget pinned = new MemoryBudget(2 * BYTES, () -> {});
    private final FileChanges changes = new FileChanges();
    private final List<FileHandle> handles = new ArrayList<>();
    private ReadBackend backend;
    private CudaDevice device;
    private FileRegistry files;

    @BeforeAll
    static void needDevice() {
        DeviceEngines.needDevice();
    }

    @BeforeEach
    void open() throws IOException {
        backend = ReadBackend.best();
        device = CudaDevice.open(0);
        use(AT_ONCE, EVER);
    }

    @AfterEach
    void close() throws IOException {
        handles.forEach(FileHandle::release);
        onDevice(() -> files.close());
        assertEquals(0, pinned.bytesReserved());
        device.close();
        backend.close();
        changes.close();
    }

    private void use(MappingRule rule, Patience patience) {
        files = new FileRegistry(device, rule, patience, pinned);
    }

    private void onDevice(Runnable action) throws IOException {
        device.thread()
                .call(() -> {
                    action.run();
                    return null;
                });
    }

    /** Does the pump's steps until there is nothing to do. */
    private void work(boolean isIdle) throws IOException {
        device.thread()
                .call(() -> {
                    while (files.step(isIdle)) {}
                    return null;
                });
    }

    private FileHandle file(String name) throws IOException {
        Path path = folder.resolve(name);
        if (Files.notExists(path)) {
            Files.write(path, new byte[BYTES]);
        }
        FileHandle handle = backend.open(path);
        handles.add(handle);
        return handle;
    }

    private PinnedFile use(FileHandle handle) {
        return files.tryUse(handle, 0, BYTES, changes);
    }

    private void register(FileHandle handle) throws IOException {
        assertNull(use(handle));
        work(false);
    }

    private boolean isUsable(FileHandle handle) {
        PinnedFile file = use(handle);
        if (file != null) {
            file.release();
        }
        return file != null;
    }

    private boolean isMapped(String name) throws IOException {
        String path = folder.resolve(name).toString();
        return Files.readAllLines(Path.of("/proc/self/maps")).stream()
                .anyMatch(line -> line.contains(path));
    }

    /** For two seconds a file may change without a new timestamp. */
    @Test
    void aFileIsRegisteredWhenItHasSettledAndWasAskedForTwice()
            throws IOException, InterruptedException {
        use(new MappingRule(1, false), EVER);
        FileHandle handle = file("a");
        for (int i = 0; i < 5; i++) {
            register(handle);
        }
        assertFalse(isMapped("a"));
        Thread.sleep(3100); // The second of the write counts from its beginning.
        FileHandle other = file("b");
        register(handle);
        assertTrue(isUsable(handle));
        for (int i = 0; i < 5; i++) {
            register(other);
        }
        assertFalse(isMapped("b"));
    }

    @Test
    void whatWasAskedForIsUsedAfterwards() throws IOException {
        FileHandle handle = file("a");
        register(handle);
        assertTrue(isUsable(handle));
        assertEquals(BYTES, pinned.bytesReserved());
        assertNull(files.tryUse(file("b"), 0, BYTES, changes));
    }

    @Test
    void thereIsNoMoreThanTheBudget() throws IOException {
        register(file("a"));
        register(file("b"));
        FileHandle third = file("c");
        for (int i = 0; i < 3; i++) {
            register(third);
        }
        assertEquals(2 * BYTES, pinned.bytesReserved());
    }

    /** Only the least recently used file is forgotten. */
    @Test
    void whoeverIsWantedTakesTheRoomOfTheLeastRecentlyUsed() throws IOException {
        use(AT_ONCE, new Patience(Long.MAX_VALUE, 0));
        FileHandle first = file("a");
        FileHandle second = file("b");
        register(first);
        register(second);
        FileHandle third = file("c");
        register(third);
        work(true);
        register(third);
        assertTrue(isUsable(third));
        assertTrue(isUsable(second));
        assertFalse(isMapped("a"));
    }

    @Test
    void whatNobodyUsesIsGivenBack() throws IOException, InterruptedException {
        use(AT_ONCE, new Patience(1, Long.MAX_VALUE));
        register(file("a"));
        assertTrue(isMapped("a"));
        Thread.sleep(1100); // unused files are searched once per second
        work(true);
        assertFalse(isMapped("a"));
        assertEquals(0, pinned.bytesReserved());
        assertFalse(files.isInUse());
    }

    /** To end a registration the driver waits for the device, which may never answer. */
    @Test
    void nothingEndsWhileTheDeviceIsBusyOrSomebodyUsesIt() throws IOException {
        FileHandle handle = file("a");
        register(handle);
        PinnedFile used = use(handle);
        assertNotNull(used);
        files.distrust(used);
        work(true);
        assertTrue(isMapped("a"));
        assertFalse(files.hasToEnd());
        used.release();
        assertTrue(files.hasToEnd());
        work(false);
        assertTrue(isMapped("a"));
        work(true);
        assertFalse(isMapped("a"));
    }

    /** Otherwise each run of chunks would ask the kernel for nothing. */
    @Test
    void aFileThatCannotBeMappedIsNotTriedAgain() throws IOException {
        Files.write(folder.resolve("a"), new byte[BYTES]);
        try (ReadBackend other = ReadBackend.of(ReadBackend.Method.FILE_CHANNEL)) {
            FileHandle handle = other.open(folder.resolve("a"));
            PinnedFile file = new PinnedFile(handle.version());
            assertEquals(PinnedFile.Mapping.NEVER, file.map(handle, changes, AT_ONCE));
            assertNull(use(handle));
            work(false);
            assertFalse(isUsable(handle));
            assertEquals(0, pinned.bytesReserved());
            handle.release();
        }
    }

    @Test
    void aFileThatIsDistrustedIsNotRegisteredAgain() throws IOException {
        FileHandle handle = file("a");
        register(handle);
        PinnedFile used = use(handle);
        files.distrust(used);
        used.release();
        for (int i = 0; i < 3; i++) {
            register(handle);
        }
        assertFalse(isUsable(handle));
    }

    @Test
    void aFileThatChangesIsNotStillTheSame() throws IOException {
        FileHandle handle = file("a");
        register(handle);
        PinnedFile used = use(handle);
        assertTrue(used.isStill(handle, changes));
        FileTime before = Files.getLastModifiedTime(handle.path());
        Files.write(handle.path(), new byte[BYTES], StandardOpenOption.TRUNCATE_EXISTING);
        Files.setLastModifiedTime(handle.path(), before); // as a copy that keeps times does
        assertFalse(used.isStill(handle, changes));
        used.release();
    }

    @Test
    void aFileThatWasOfNoUseForLongIsGivenUp() throws IOException {
        FileHandle handle = file("a");
        register(handle);
        PinnedFile used = use(handle);
        for (int i = 0; i < 15; i++) {
            assertTrue(used.isOfUse(false));
        }
        assertTrue(used.isOfUse(true));
        for (int i = 0; i < 15; i++) {
            assertTrue(used.isOfUse(false));
        }
        assertFalse(used.isOfUse(false));
        used.release();
    }

    @Test
    void withoutABudgetNoFileIsMapped() throws IOException {
        files = new FileRegistry(device, AT_ONCE, EVER, new MemoryBudget(0, () -> {}));
        register(file("a"));
        assertFalse(isMapped("a"));
    }
}
