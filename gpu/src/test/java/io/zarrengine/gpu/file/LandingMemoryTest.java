package io.zarrengine.gpu.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.zarrengine.bindings.NativeMemory;
import io.zarrengine.cuda.CudaDevice;
import io.zarrengine.gpu.chunk.ChunkBytes;
import io.zarrengine.gpu.slot.FileCopies;
import io.zarrengine.zarr.DeviceEngines;
import io.zarrengine.zarr.sink.LentMemory;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests which memory is lent to reads, for how long, and what a device copies from it. */
@Tag("gpu")
final class LandingMemoryTest {
    private static final long BYTES = 2 << 20;

    private CudaDevice device;
    private LandingMemory landing;
    private int read; // number of finished reads reported

    @BeforeAll
    static void needDevice() {
        DeviceEngines.needDevice();
    }

    @BeforeEach
    void open() throws IOException {
        device = CudaDevice.open(0);
        landing = device.thread().call(() -> new LandingMemory(device, BYTES));
    }

    @AfterEach
    void close() throws IOException {
        device.thread()
                .call(() -> {
                    landing.close();
                    return null;
                });
        device.close();
    }

    private LentMemory take(long bytes) {
        return landing.tryTake(bytes, () -> read++);
    }

    @Test
    void bytesThatLieThereAreCopiedFromThere() {
        LentMemory first = take(100_000);
        LentMemory second = take(200_000);
        MemorySegment chunk = second.segment().asSlice(150_001, 3000);
        ChunkBytes bytes = landing.bytesOf(chunk, 2, 4);
        assertSame(second, bytes.source());
        assertEquals(new ChunkBytes(null, 3000, 2, 4, bytes.source(), 150_001), bytes);
        first.close();
        second.close();
    }

    @Test
    void bytesThatLieElsewhereAreNot() {
        try (NativeMemory elsewhere = NativeMemory.allocate(BYTES)) {
            LentMemory all = take(BYTES);
            MemorySegment inside = all.segment();
            for (MemorySegment bytes :
                    List.of(
                            elsewhere.segment(),
                            MemorySegment.ofAddress(inside.address() - 1),
                            MemorySegment.ofAddress(inside.address() + BYTES))) {
                assertEquals(ChunkBytes.ofHost(bytes, 0, 1), landing.bytesOf(bytes, 0, 1));
            }
            all.close();
        }
    }

    @Test
    void itIsFreeWhenTheReadAndTheCopiesAreDone() {
        LentMemory lent = take(BYTES);
        FileCopies copies = new FileCopies();
        copies.add(landing.bytesOf(lent.segment().asSlice(0, 10), 0, 1), 0);
        copies.add(landing.bytesOf(lent.segment().asSlice(10, 10), 0, 1), 10);
        assertEquals(20, copies.lentBytes());
        assertEquals(1, copies.runs().size());
        assertEquals(0, read);
        lent.close();
        assertEquals(1, read);
        assertNull(take(1), "it may be copied from");
        copies.release();
        assertEquals(1, read, "told of a copy");
        LentMemory next = take(BYTES);
        assertNotNull(next);
        next.close();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#many")
    void nobodyWritesToAnothersMemory(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<LentMemory> lent = new ArrayList<>();
        List<Byte> marks = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            LentMemory taken = random.nextInt(3) > 0 ? take(1 + random.nextLong(400_000)) : null;
            if (taken != null) {
                lent.add(taken);
                marks.add((byte) i);
                taken.segment().fill((byte) i);
            } else if (!lent.isEmpty()) {
                int one = random.nextInt(lent.size());
                assertHolds(lent.get(one).segment(), marks.remove(one));
                lent.remove(one).close();
            }
        }
        for (int i = 0; i < lent.size(); i++) {
            assertHolds(lent.get(i).segment(), marks.get(i));
            lent.get(i).close();
        }
        LentMemory all = take(BYTES);
        assertNotNull(all, "not all of it came back");
        all.close();
    }

    private static void assertHolds(MemorySegment memory, byte mark) {
        try (NativeMemory expected = NativeMemory.allocate(memory.byteSize())) {
            assertEquals(-1, expected.segment().fill(mark).mismatch(memory));
        }
    }
}
