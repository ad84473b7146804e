package io.zarrengine.zarr.memory;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.bindings.LeakWatch;
import io.zarrengine.bindings.NativeAccess;
import io.zarrengine.bindings.NativeMemory;
import io.zarrengine.zarr.NativeUse;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Result memory is used again. Fails if two results share memory, or if memory leaks. */
final class ResultMemoryTest {
    private static final long KEPT = 64 << 10;

    private static long address(NativeMemory memory) {
        return memory.segment().address();
    }

    /** Otherwise the kernel would clear new pages for each result. */
    @Test
    void reusesReturnedMemory() {
        assumeTrue(NativeAccess.denial().isEmpty(), "needs native access");
        Set<Long> addresses = new HashSet<>();
        try (ResultMemory results = new ResultMemory(KEPT)) {
            for (int i = 0; i < 1000; i++) {
                try (NativeMemory memory = results.allocate(1000)) {
                    assertEquals(1000, memory.segment().byteSize());
                    addresses.add(address(memory));
                }
            }
        }
        assertTrue(addresses.size() <= 2 * KEPT / 8 / 1024, addresses::toString);
    }

    /** A large result does not wait for others, because a second one might not fit beside it. */
    @Test
    void freesALargeResultAtOnce() {
        assumeTrue(NativeAccess.denial().isEmpty(), "needs native access");
        try (ResultMemory results = new ResultMemory(KEPT)) {
            NativeMemory first = results.allocate(KEPT - 10);
            long at = address(first);
            MemorySegment old = first.segment().asSlice(100);
            first.close();
            assertThrows(IllegalStateException.class, () -> old.get(JAVA_BYTE, 0));
            try (NativeMemory second = results.allocate(KEPT)) {
                assertEquals(at, address(second));
            }
        }
    }

    /** Closed memory that is not free yet is freed before the machine is asked for memory. */
    @Test
    void freesClosedResultsBeforeAllocating() {
        assumeTrue(NativeAccess.denial().isEmpty(), "needs native access");
        try (ResultMemory results = new ResultMemory(KEPT)) {
            NativeMemory small = results.allocate(64);
            long at = address(small);
            small.close();
            try (NativeMemory all = results.allocate(KEPT)) {
                assertEquals(at, address(all));
            }
        }
    }

    /** Forgotten memory stays while a result of its group, or a slice of one, is reachable. */
    @Test
    void reusesForgottenMemoryWhenUnreachable() throws Exception {
        assumeTrue(NativeAccess.denial().isEmpty(), "needs native access");
        assumeTrue(!LeakWatch.traces(), "each has its own memory");
        try (ResultMemory results = new ResultMemory(KEPT)) {
            long[] at = {0};
            MemorySegment slice = forget(results, at);
            for (int i = 0; i < 10; i++) {
                System.gc();
                Thread.sleep(10);
                try (NativeMemory other = results.allocate(KEPT)) {
                    assertNotEquals(at[0], address(other));
                }
            }
            slice.set(JAVA_BYTE, 0, (byte) 1);
            slice = null;
            assertTimeoutPreemptively(Duration.ofSeconds(30), () -> awaitMemory(results, at[0]));
        }
    }

    /** Returns a slice of one of two results in a group; the other one was closed. */
    private static MemorySegment forget(ResultMemory results, long[] at) {
        NativeMemory closed = results.allocate(100);
        at[0] = address(closed);
        MemorySegment slice = results.allocate(100).segment().asSlice(50);
        closed.close();
        return slice;
    }

    private static void awaitMemory(ResultMemory results, long wanted) throws InterruptedException {
        for (long got = 0; got != wanted; ) {
            System.gc();
            Thread.sleep(10);
            try (NativeMemory memory = results.allocate(KEPT)) {
                got = address(memory);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 100, KEPT, 2 * KEPT})
    void isClosedOnce(long bytes) {
        try (ResultMemory results = new ResultMemory(KEPT)) {
            NativeMemory memory = results.allocate(bytes);
            memory.close();
            assertThrows(IllegalStateException.class, memory::close);
        }
    }

    /** The native call would write to the next result. */
    @ParameterizedTest
    @ValueSource(longs = {100, KEPT})
    void whatANativeCallUsesIsNotUsedAgainBeforeItEnds(long bytes) throws Exception {
        assumeTrue(NativeAccess.denial().isEmpty(), "needs native access");
        try (ResultMemory results = new ResultMemory(KEPT)) {
            NativeMemory used = results.allocate(bytes);
            long at = address(used);
            try (NativeUse _ = NativeUse.of(used.segment())) {
                used.close();
                for (int i = 0; i < 100; i++) {
                    try (NativeMemory other = results.allocate(KEPT)) {
                        assertNotEquals(at, address(other));
                    }
                }
            }
            try (NativeMemory after = results.allocate(KEPT)) {
                assertEquals(at, address(after));
            }
        }
    }

    /** No later result releases it, so all of the reservation would stay. */
    @Test
    void freesMemoryAfterALastNativeCall() throws Exception {
        assumeTrue(NativeAccess.denial().isEmpty(), "needs native access");
        ResultMemory results = new ResultMemory(KEPT);
        NativeMemory used = results.allocate(100);
        MemorySegment kept = used.segment();
        try (NativeUse _ = NativeUse.of(kept)) {
            used.close();
            results.close();
            assertTrue(kept.scope().isAlive());
        }
        assertTimeoutPreemptively(
                Duration.ofSeconds(30),
                () -> {
                    while (kept.scope().isAlive()) {
                        Thread.sleep(1);
                    }
                });
    }

    /** Memory beyond the kept bytes comes from the machine, as if none were kept. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#seeds")
    void nobodyGetsOrSeesWhatSomebodyHas(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Filled> lent = new ArrayList<>();
        List<Filled> closed = new ArrayList<>();
        try (ResultMemory results = new ResultMemory(KEPT)) {
            for (int i = 0; i < 2000; i++) {
                if (lent.size() < 12 && random.nextInt(5) < 3) {
                    long bytes = random.nextLong(KEPT >> random.nextInt(1, 8));
                    lent.add(Filled.of(results.allocate(bytes), (byte) i));
                } else if (!lent.isEmpty()) {
                    Filled one = lent.remove(random.nextInt(lent.size()));
                    one.assertUntouched();
                    one.memory.close();
                    closed.add(one);
                }
                closed.removeIf(Filled::isRefused);
                closed.forEach(Filled::assertUntouched);
            }
        }
        for (Filled one : lent) { // They outlive the engine.
            one.assertUntouched();
            one.memory.close();
            closed.add(one);
        }
        for (Filled one : closed) {
            assertTrue(one.isRefused(), "everything is freed in the end");
        }
    }

    private record Filled(NativeMemory memory, MemorySegment kept, byte value) {
        static Filled of(NativeMemory memory, byte value) {
            return new Filled(memory, memory.segment().fill(value), value);
        }

        boolean isRefused() {
            return !kept.scope().isAlive();
        }

        void assertUntouched() {
            for (byte element : kept.toArray(JAVA_BYTE)) {
                assertEquals(value, element);
            }
        }
    }

    /** Groups end while others are filled; at the end all of the memory is free. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#seeds")
    @Timeout(60) // A thread that waits for memory must be notified.
    void manyThreadsShareIt(long seed) throws Exception {
        assumeTrue(NativeAccess.denial().isEmpty(), "needs native access");
        try (ResultMemory results = new ResultMemory(KEPT);
                ExecutorService threads = Executors.newFixedThreadPool(8)) {
            NativeMemory before = results.allocate(KEPT);
            long at = address(before);
            before.close();
            List<Future<?>> all = new ArrayList<>();
            for (int thread = 0; thread < 8; thread++) {
                SplittableRandom random = new SplittableRandom(seed + thread);
                byte value = (byte) thread;
                all.add(threads.submit(() -> useOften(results, random, value)));
            }
            for (Future<?> one : all) {
                one.get();
            }
            try (NativeMemory after = results.allocate(KEPT)) {
                assertEquals(at, address(after));
            }
        }
    }

    /** The thread waits for returned memory, is interrupted, and takes other memory. */
    @Test
    void givesMemoryToAnInterruptedThread() {
        try (ResultMemory results = new ResultMemory(KEPT)) {
            Thread.currentThread().interrupt();
            for (int i = 0; i < 100; i++) {
                results.allocate(KEPT / 16).close();
            }
            assertTrue(Thread.interrupted());
        }
    }

    private static void useOften(ResultMemory results, SplittableRandom random, byte value) {
        for (int i = 0; i < 500; i++) {
            try (NativeMemory memory = results.allocate(random.nextLong(KEPT / 16))) {
                Filled filled = Filled.of(memory, value);
                filled.assertUntouched();
            }
        }
    }

    @Test
    void keepsNoMoreThanTheMachineHas() {
        try (ResultMemory results = new ResultMemory(1L << 60);
                NativeMemory memory = results.allocate(5)) {
            assertEquals(5, memory.segment().byteSize());
        }
    }

    @Test
    void keepsNothingAfterClose() {
        ResultMemory results = new ResultMemory(KEPT);
        NativeMemory before = results.allocate(5000);
        results.close();
        before.segment().fill((byte) 3);
        try (NativeMemory after = results.allocate(5000)) {
            assertNotEquals(address(before), address(after));
            before.close();
            after.segment().fill((byte) 4);
        }
        results.close();
    }
}
