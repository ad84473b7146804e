package io.zarrengine.cuda;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/** Faults of the simulated cuFile. bin/gpu.sh runs each in its own process. */
@NeedsDevice
@Tag("cufile-fault")
final class GdsFaultTest {
    private static final String FAULT = "SIMULATED_CUFILE_FAULT";

    @TempDir Path folder;

    private final byte[] content = new byte[10_000];
    private Path path;

    @BeforeEach
    void write() throws IOException {
        new SplittableRandom(4).nextBytes(content);
        path = Files.write(folder.resolve("file"), content);
    }

    @Test
    @EnabledIfEnvironmentVariable(named = FAULT, matches = "cuFileDriverOpen.*")
    void aDriverThatDoesNotOpenIsAReason() {
        GpuDirectStorage.Status.Unusable status =
                assertInstanceOf(GpuDirectStorage.Status.Unusable.class, GpuDirectStorage.status());
        assertTrue(status.reason().contains("nvidia-fs is not loaded"), status.reason());
    }

    @Test
    @EnabledIfEnvironmentVariable(named = FAULT, matches = "cuFileHandleRegister.*")
    void aFileSystemThatRefusesIsAnError() throws IOException {
        GdsFileTest.assumeUsable();
        GdsException refusal =
                assertThrows(GdsException.class, () -> GdsFileTest.open(path).close());
        assertEquals(GdsStatus.IO_NOT_SUPPORTED, refusal.status());
        assertTrue(refusal.getMessage().contains(path.toString()), refusal.getMessage());
        GdsFileTest.open(path).close(); // the next file is registered again
    }

    @Test
    @EnabledIfEnvironmentVariable(named = FAULT, matches = "cuFileBufRegister.*")
    void memoryThatIsNotRegisteredCanBeReadTo() throws IOException {
        GdsFileTest.run(
                path,
                (lab, file, memory) -> {
                    assertEquals(
                            GdsStatus.CUDA_MEMORY_TYPE_INVALID,
                            memory.refusal().orElseThrow().status());
                    file.read(0, memory, 0, content.length);
                    assertArrayEquals(
                            content, lab.download(memory.slice().slice(0, content.length)));
                });
    }

    @Test
    @EnabledIfEnvironmentVariable(named = FAULT, matches = "cuFileRead:2.*")
    void aReadThatFailsSaysWhyAndTheNextOneWorks() throws IOException {
        boolean isSystem = System.getenv(FAULT).endsWith(":-1");
        GdsFileTest.run(
                path,
                (lab, file, memory) -> {
                    file.read(0, memory, 0, 100);
                    GdsException failure =
                            assertThrows(GdsException.class, () -> file.read(0, memory, 0, 100));
                    assertEquals(
                            isSystem ? GdsStatus.SYSTEM : GdsStatus.NVFS_DRIVER_ERROR,
                            failure.status());
                    file.read(0, memory, 0, content.length);
                    assertArrayEquals(
                            content, lab.download(memory.slice().slice(0, content.length)));
                });
    }
}
