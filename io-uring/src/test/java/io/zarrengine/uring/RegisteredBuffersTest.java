package io.zarrengine.uring;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.bindings.LibC;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which memory is registered in the ring's table. */
@Timeout(60)
final class RegisteredBuffersTest implements NeedsIoUring {
    @TempDir Path folder;

    /** Pinned memory of a device is allocated later than the ring. */
    @ParameterizedTest(name = "beside {0} buffers from the start")
    @ValueSource(ints = {0, 1, 2})
    void memoryIsRegisteredWhileTheRingWorks(int before) throws Exception {
        try (Arena arena = Arena.ofShared()) {
            RingSetup setup = RingSetup.create(8, RingSetup.LADDER, arena);
            RegisteredBuffers buffers = new RegisteredBuffers(setup.descriptor());
            Stream.generate(() -> arena.allocate(4096, 4096)).limit(before).forEach(buffers::add);
            assertEquals(before > 0, buffers.areRegistered());
            MemorySegment later = arena.allocate(3 * 4096, 4096);
            assertEquals(-1, buffers.indexOf(later.address(), 4096));
            buffers.add(later);
            buffers.add(later);
            assertEquals(before, buffers.indexOf(later.address(), 3 * 4096));
            assertEquals(before, buffers.indexOf(later.address() + 3 * 4096 - 1, 1));
            assertEquals(-1, buffers.indexOf(later.address() + 4096, 3 * 4096));
            buffers.add(arena.allocate(4096, 4096));
            assertTrue(buffers.areRegistered());
            LibC.close(setup.descriptor());
            MemorySegment refused = arena.allocate(4096, 4096);
            buffers.add(refused);
            assertEquals(-1, buffers.indexOf(refused.address(), 4096));
        }
    }

    /** The kernel would refuse a read to memory outside its buffer (EFAULT). */
    @Test
    void readsToMemoryThatIsRegisteredAfterTheOther() throws Exception {
        byte[] content = {1, 2, 3, 4};
        Path path = Files.write(folder.resolve("file"), content);
        int buffers = 40; // More than the table has places.
        try (Arena arena = Arena.ofShared()) {
            MemorySegment first = arena.allocate(4096, 4096);
            KernelRing ring = new KernelRing(4, List.of(first), RingSetup.LADDER);
            try (RingReadQueue queue = new RingReadQueue(ring, 4)) {
                DescriptorFile file = DescriptorFile.open(path, Caching.BUFFERED);
                int number = queue.attach(file);
                file.release();
                for (int i = 0; i < buffers; i++) {
                    MemorySegment memory = arena.allocate(8192, 4096);
                    queue.register(memory);
                    queue.read(number, 0, memory, 4096 + i, 4, 0);
                    while (queue.inFlight() > 0) {
                        queue.await((_, result) -> assertEquals(4, result), () -> true);
                    }
                    assertArrayEquals(content, memory.asSlice(4096 + i, 4).toArray(JAVA_BYTE));
                }
            }
        }
    }
}
