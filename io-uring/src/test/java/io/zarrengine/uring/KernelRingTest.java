package io.zarrengine.uring;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.bindings.Errno;
import io.zarrengine.bindings.ErrnoException;
import io.zarrengine.bindings.IoUring;
import io.zarrengine.bindings.LibC;
import io.zarrengine.bindings.NativeMemory;
import io.zarrengine.uring.ReadBackend.Method;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests what only the real ring has: its flags, its batches, and the state that it leaves behind.
 */
@Timeout(60)
final class KernelRingTest implements NeedsIoUring {
    @TempDir Path folder;

    static Stream<RingSetup.Step> ladder() {
        assumeTrue(ReadBackend.unavailabilityCause(Method.IO_URING).isEmpty(), "no io_uring");
        return RingSetup.LADDER.stream();
    }

    /** An old kernel takes a lower step. Each step must read. */
    @ParameterizedTest
    @MethodSource("ladder")
    void everyStepOfTheLadderReads(RingSetup.Step step) throws Exception {
        Path path = Files.write(folder.resolve("file"), new byte[] {1, 2, 3, 4});
        try (Arena arena = Arena.ofShared()) {
            MemorySegment registered = arena.allocate(4);
            MemorySegment other = arena.allocate(4);
            MemorySegment first = arena.allocate(4096); // An entry names the second.
            KernelRing ring = new KernelRing(4, List.of(first, registered), List.of(step));
            try (RingReadQueue queue = new RingReadQueue(ring, 4)) {
                DescriptorFile file = DescriptorFile.open(path, Caching.BUFFERED);
                int number = queue.attach(file);
                file.release();
                queue.read(number, 0, registered, 0, 4, 0);
                queue.read(number, 1, other, 0, 3, 1);
                while (queue.inFlight() > 0) {
                    queue.await((token, result) -> assertEquals(4 - token, result), () -> true);
                }
                assertArrayEquals(new byte[] {1, 2, 3, 4}, registered.toArray(JAVA_BYTE));
                assertArrayEquals(new byte[] {2, 3, 4, 0}, other.toArray(JAVA_BYTE));
            }
        }
    }

    /** Registering takes two system calls, which pays for a file that is read often. */
    @Test
    void aFileIsRegisteredOnceItWasReadOften() throws Exception {
        Path path = Files.write(folder.resolve("file"), new byte[4]);
        DescriptorFile file = DescriptorFile.open(path, Caching.BUFFERED);
        try (Arena arena = Arena.ofConfined()) {
            RingSetup setup = RingSetup.create(8, RingSetup.LADDER, arena);
            FixedFileTable files = new FixedFileTable(setup.descriptor(), 2, arena);
            assumeTrue(files.areRegistered(), "the kernel refuses the table");
            for (int round = 0; round < 2; round++) {
                files.set(1, file);
                for (int i = 1; i < FixedFileTable.READS_MIN; i++) {
                    files.use(1);
                }
                assertFalse(files.isInTable(1));
                assertEquals(file.descriptor(), files.descriptor(1));
                assertEquals(0, files.submissionFlags(1));
                files.use(1);
                files.use(1);
                assertTrue(files.isInTable(1));
                assertEquals(1, files.descriptor(1));
                assertNotEquals(0, files.submissionFlags(1));
                files.set(1, null);
                assertFalse(files.isInTable(1));
            }
            files.set(1, file);
            closeDescriptor(setup.descriptor());
            for (int i = 0; i <= FixedFileTable.READS_MIN; i++) {
                files.use(1); // The kernel refuses it; this must not fail.
            }
            assertFalse(files.isInTable(1));
            assertEquals(file.descriptor(), files.descriptor(1));
        } finally {
            file.release();
        }
    }

    /**
     * Reads each file before and after it is registered; the next file of its number is another
     * one.
     */
    @Test
    void readsOftenFromOneFileAfterTheOther() throws Exception {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = arena.allocate(1);
            KernelRing ring = new KernelRing(4, List.of(), RingSetup.LADDER);
            try (RingReadQueue queue = new RingReadQueue(ring, 4)) {
                for (byte content = 1; content <= 3; content++) {
                    Path path = Files.write(folder.resolve("file" + content), new byte[] {content});
                    DescriptorFile file = DescriptorFile.open(path, Caching.BUFFERED);
                    int number = queue.attach(file);
                    file.release();
                    readOften(queue, number, memory, content);
                    queue.detach(number);
                }
            }
        }
    }

    private static void readOften(
            ReadQueue queue, int fileNumber, MemorySegment memory, byte content) throws Exception {
        for (int i = 0; i < FixedFileTable.READS_MIN + 3; i++) {
            memory.set(JAVA_BYTE, 0, (byte) 0);
            queue.read(fileNumber, 0, memory, 0, 1, 0);
            while (queue.inFlight() > 0) {
                queue.await((_, result) -> assertEquals(1, result), () -> true);
            }
            assertEquals(content, memory.get(JAVA_BYTE, 0), "read " + i);
        }
    }

    @Test
    void anUnknownFlagStepsDown() throws Exception {
        RingSetup.Step unknown = new RingSetup.Step("unknown", 1 << 30);
        try (Arena arena = Arena.ofConfined()) {
            RingSetup setup =
                    RingSetup.create(8, List.of(unknown, RingSetup.LADDER.getLast()), arena);
            assertEquals(RingSetup.LADDER.getLast(), setup.step());
            closeDescriptor(setup.descriptor());
            ErrnoException e =
                    assertThrows(
                            ErrnoException.class,
                            () -> RingSetup.create(8, List.of(unknown), arena));
            assertEquals(Errno.EINVAL, e.errno());
        }
    }

    /** A thousand reads must take a handful of system calls. */
    @Test
    void manyReadsTakeFewSystemCalls() throws Exception {
        Path path = Files.write(folder.resolve("file"), new byte[1 << 20]);
        try (ReadQueueContract.Fixture fixture =
                new ReadQueueContract.Fixture(ReadBackend.of(Method.IO_URING), 1 << 20)) {
            try (ReadQueue queue = fixture.backend.newQueue(1024, List.of(fixture.memory))) {
                FileHandle file = fixture.backend.open(path);
                int number = queue.attach(file);
                file.release();
                for (int i = 0; i < 1024; i++) {
                    queue.read(number, i * 1024L, fixture.memory, i * 1024L, 1024, i);
                }
                while (queue.inFlight() > 0) {
                    queue.await((token, result) -> assertEquals(1024, result), () -> true);
                }
                assertTrue(queue.counters().submissions() <= 8, queue.counters().toString());
            }
        }
    }

    @ParameterizedTest
    @MethodSource("ladder")
    void completionsThatAreThereAreReapedWithoutASystemCall(RingSetup.Step step) throws Exception {
        Path path = Files.write(folder.resolve("file"), new byte[4]);
        try (Arena arena = Arena.ofShared()) {
            KernelRing ring = new KernelRing(4, List.of(), List.of(step));
            DescriptorFile file = DescriptorFile.open(path, Caching.BUFFERED);
            ring.setFile(0, file);
            for (int i = 0; i < 4; i++) {
                ring.prepareRead(i, 0, 0, arena.allocate(4), 0, 4, 0);
            }
            int[] slots = new int[1];
            ring.enter(true); // All four end at once, from the page cache.
            assertEquals(1, ring.reap(slots, new int[1]));
            long before = ring.enters();
            for (int i = 0; i < 3; i++) {
                ring.enter(true);
                assertEquals(1, ring.reap(slots, new int[1]));
            }
            assertEquals(before, ring.enters());
            ring.setFile(0, null);
            ring.close();
            file.release();
        }
    }

    /** The JVM may lack memory to call the kernel. The owner sleeps and must still be woken. */
    @Test
    void aWakeUpThatFailsIsMadeByWhoComesNext() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        try (Arena arena = Arena.ofConfined();
                WakeUp wakeUp =
                        new WakeUp(
                                arena,
                                (state, descriptor, one) -> {
                                    if (calls.incrementAndGet() == 1) {
                                        throw new OutOfMemoryError("to call the kernel");
                                    }
                                    return LibC.write(state, descriptor, one);
                                })) {
            assertTrue(wakeUp.fallAsleep());
            assertThrows(OutOfMemoryError.class, wakeUp::wake);
            wakeUp.wake();
            assertEquals(2, calls.get());
            wakeUp.wake();
            assertEquals(2, calls.get(), "one write is enough for one sleep");
        }
    }

    /**
     * A waker may be about to write when the owner closes the descriptor, whose number may then be
     * in use by another file.
     */
    @Test
    void aWakeUpAfterTheCloseWritesNothing() throws Exception {
        try (Arena arena = Arena.ofConfined()) {
            WakeUp wakeUp = new WakeUp(arena);
            assertTrue(wakeUp.fallAsleep());
            wakeUp.close();
            assertDoesNotThrow(wakeUp::wake);
        }
    }

    /** A ring that still holds a deleted file keeps its blocks on the device. */
    @Test
    void aDetachedFileIsNotHeldByTheRing() throws Exception {
        Path path = Files.write(folder.resolve("held-by-a-ring"), new byte[1]);
        KernelRing ring = new KernelRing(4, List.of(), RingSetup.LADDER);
        try (Arena arena = Arena.ofShared();
                RingReadQueue queue = new RingReadQueue(ring, 4)) {
            DescriptorFile file = DescriptorFile.open(path, Caching.BUFFERED);
            int number = queue.attach(file);
            file.release();
            readOften(queue, number, arena.allocate(1), (byte) 0);
            assumeTrue(aRingHolds(path), "this kernel does not show what rings hold");
            queue.detach(number);
            assertFalse(aRingHolds(path));
        }
    }

    private static boolean aRingHolds(Path path) throws IOException {
        String name = path.getFileName().toString();
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fdinfo"))) {
            return descriptors.anyMatch(descriptor -> content(descriptor).contains(name));
        }
    }

    private static String content(Path descriptor) {
        try {
            return Files.readString(descriptor);
        } catch (IOException e) {
            return ""; // The descriptor of the list itself.
        }
    }

    /** Otherwise the kernel would write to freed memory. */
    @Test
    void theReadOfTheWakeUpEndsBeforeItsMemoryIsFreed() throws Exception {
        List<Integer> waits = new ArrayList<>();
        KernelRing.EnterCall recorded =
                (descriptor, submissions, completionsMin, flags) -> {
                    waits.add(completionsMin);
                    return KernelRing.enterKernel(descriptor, submissions, completionsMin, flags);
                };
        KernelRing ring = new KernelRing(4, List.of(), RingSetup.LADDER, recorded);
        ring.enter(false);
        ring.close();
        assertEquals(1, waits.getLast(), "closed without waiting for it");
    }

    /** Otherwise a device is idle until the last of many reads is prepared. */
    @Test
    void directReadsAreSubmittedInSmallBatches() throws Exception {
        int reads = 40;
        Path path = Files.write(folder.resolve("file"), new byte[4096]);
        FileHandle file = ReadFiles.direct(path);
        List<String> batches = new ArrayList<>();
        KernelRing.EnterCall recorded =
                (descriptor, submissions, completionsMin, flags) -> {
                    batches.add(submissions + (completionsMin > 0 ? " and wait" : ""));
                    return KernelRing.enterKernel(descriptor, submissions, completionsMin, flags);
                };
        try (NativeMemory memory = NativeMemory.allocate(4096L * reads)) {
            KernelRing ring = new KernelRing(reads, List.of(), RingSetup.LADDER, recorded);
            try (RingReadQueue queue = new RingReadQueue(ring, reads)) {
                int number = queue.attach(file);
                for (int i = 0; i < reads; i++) {
                    queue.read(number, 0, memory.segment(), 4096L * i, 4096, i);
                }
                queue.await((token, result) -> assertEquals(4096, result), () -> true);
                assertEquals(List.of("16", "16", "9 and wait"), batches, "one is the wake-up");
                queue.drain(Duration.ofSeconds(30));
                queue.detach(number);

                batches.clear();
                DescriptorFile buffered = DescriptorFile.open(path, Caching.BUFFERED);
                int other = queue.attach(buffered);
                buffered.release();
                for (int i = 0; i < reads; i++) {
                    queue.read(other, 0, memory.segment(), 4096L * i, 4096, i);
                }
                queue.await((token, result) -> assertEquals(4096, result), () -> true);
                assertEquals(List.of("40 and wait"), batches, "from the page cache at once");
                queue.drain(Duration.ofSeconds(30));
            }
        }
        file.release();
    }

    /** The kernel keeps completions that do not fit in the completion ring. None may be lost. */
    @ParameterizedTest
    @MethodSource("ladder")
    void completionsThatOverflowTheirRingAreNotLost(RingSetup.Step step) throws Exception {
        Path path = Files.write(folder.resolve("file"), new byte[] {1, 2, 3, 4});
        int rounds = 20;
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = arena.allocate(4);
            KernelRing ring = new KernelRing(4, List.of(memory), List.of(step));
            DescriptorFile file = DescriptorFile.open(path, Caching.BUFFERED);
            ring.setFile(0, file);
            for (int round = 0; round < rounds; round++) {
                for (int i = 0; i < ring.entries(); i++) {
                    ring.prepareRead(i, 0, 0, memory, 0, 4, 0);
                }
                ring.enter(false);
            }
            int[] counts = new int[ring.entries()];
            int[] slots = new int[3];
            int[] results = new int[3];
            int left = rounds * ring.entries();
            while (left > 0) {
                ring.enter(false);
                int reaped = ring.reap(slots, results);
                for (int i = 0; i < reaped; i++) {
                    assertEquals(4, results[i]);
                    counts[slots[i]]++;
                }
                left -= reaped;
            }
            for (int count : counts) {
                assertEquals(rounds, count);
            }
            ring.setFile(0, null);
            ring.close();
            file.release();
        }
    }

    /** Simulates a kernel that interrupts, is out of memory or busy, or takes only some entries. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.uring.ReadQueueContract#seeds")
    void aReluctantKernelLosesNothing(long seed) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        byte[] content = new byte[100_000];
        random.nextBytes(content);
        Path path = Files.write(folder.resolve("file"), content);
        KernelRing.EnterCall reluctant =
                (descriptor, submissions, completionsMin, flags) ->
                        switch (random.nextInt(6)) {
                            case 0 -> -Errno.EINTR;
                            case 1 -> -Errno.EAGAIN;
                            case 2 -> -Errno.EBUSY;
                            case 3 -> -Errno.ENOMEM;
                            case 4 -> IoUring.enter(descriptor, submissions / 2, 0, flags);
                            default ->
                                    IoUring.enter(descriptor, submissions, completionsMin, flags);
                        };
        try (Arena arena = Arena.ofShared()) {
            int reads = 16;
            MemorySegment memory = arena.allocate(reads * 1000L);
            KernelRing ring = new KernelRing(reads, List.of(memory), RingSetup.LADDER, reluctant);
            try (RingReadQueue queue = new RingReadQueue(ring, reads)) {
                DescriptorFile file = DescriptorFile.open(path, Caching.BUFFERED);
                int number = queue.attach(file);
                file.release();
                for (int round = 0; round < 50; round++) {
                    int[] offsets = random.ints(reads, 0, content.length - 1000).toArray();
                    for (int i = 0; i < reads; i++) {
                        queue.read(number, offsets[i], memory, i * 1000L, 1000, i);
                    }
                    while (queue.inFlight() > 0) {
                        queue.await((token, result) -> assertEquals(1000, result), () -> true);
                    }
                    for (int i = 0; i < reads; i++) {
                        assertArrayEquals(
                                Arrays.copyOfRange(content, offsets[i], offsets[i] + 1000),
                                memory.asSlice(i * 1000L, 1000).toArray(JAVA_BYTE));
                    }
                }
            }
        }
    }

    /** A kernel that always refuses must become an error for the reader. */
    @Test
    void aKernelThatRefusesForASecondIsGivenUp() throws Exception {
        KernelRing ring =
                new KernelRing(
                        4,
                        List.of(),
                        RingSetup.LADDER,
                        (descriptor, submissions, completionsMin, flags) -> -Errno.EAGAIN);
        ErrnoException e =
                assertThrows(
                        ErrnoException.class,
                        () -> {
                            while (true) {
                                ring.enter(false);
                            }
                        });
        assertEquals(Errno.EAGAIN, e.errno());
        ring.close();
    }

    /**
     * Java refuses another thread before the kernel would (EEXIST), also for rings that the kernel
     * lets any thread enter.
     */
    @Test
    void anotherThreadIsRefused() throws Exception {
        KernelRing ring = new KernelRing(4, List.of(), RingSetup.LADDER);
        CompletableFuture<Void> entered =
                CompletableFuture.runAsync(() -> {
                    try {
                        ring.enter(false);
                    } catch (ErrnoException e) {
                        throw new CompletionException(e);
                    }
                });
        CompletionException failure = assertThrows(CompletionException.class, entered::join);
        assertInstanceOf(WrongThreadException.class, failure.getCause());
        ring.close();
    }

    @Test
    void openingAndClosingLeavesNoDescriptor() throws Exception {
        long before = openDescriptors();
        for (int i = 0; i < 200; i++) {
            try (ReadQueueContract.Fixture fixture =
                    new ReadQueueContract.Fixture(ReadBackend.of(Method.IO_URING), 4096)) {
                fixture.attach(Files.write(folder.resolve("file"), new byte[10]));
                fixture.queue.wake();
            }
        }
        long after = openDescriptors();
        assertTrue(after <= before + 3, before + " descriptors before, " + after + " after");
    }

    private static long openDescriptors() throws Exception {
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            return descriptors.count();
        }
    }

    private static void closeDescriptor(int descriptor) {
        try (Arena arena = Arena.ofConfined()) {
            io.zarrengine.bindings.LibC.close(
                    io.zarrengine.bindings.LibC.newCallState(arena), descriptor);
        }
    }
}
