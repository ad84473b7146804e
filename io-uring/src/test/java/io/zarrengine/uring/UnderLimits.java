package io.zarrengine.uring;

import io.zarrengine.bindings.Errno;
import io.zarrengine.uring.files.FileCache;
import io.zarrengine.uring.ranges.RangeReader;
import io.zarrengine.uring.ranges.RangeReaderOptions;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The programs that {@link LimitsTest} runs in processes with few descriptors or little locked
 * memory.
 */
final class UnderLimits {
    private UnderLimits() {}

    public static void main(String[] arguments) throws Throwable {
        Path folder = Path.of(arguments[1]);
        switch (arguments[0]) {
            case "memory" -> readWithLittleLockedMemory(folder);
            case "files" -> openManyFiles(folder);
            case "rings" -> readWithoutDescriptorsForRings(folder);
            case "refused" ->
                    readThoughRefused(
                            folder, Integer.parseInt(arguments[2]), Integer.parseInt(arguments[3]));
            default -> throw new IllegalArgumentException(arguments[0]);
        }
    }

    private static void readWithLittleLockedMemory(Path folder) throws IOException {
        Path path = Files.write(folder.resolve("file"), new byte[100_000]);
        ReadBackend.uringFinding(); // waits for the probe, which loads the library
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = arena.allocate(8 << 20, 4096);
            KernelRing ring = new KernelRing(64, List.of(memory), RingSetup.LADDER);
            try (RingReadQueue queue = new RingReadQueue(ring, 64)) {
                DescriptorFile file = DescriptorFile.open(path, Caching.BUFFERED);
                int number = queue.attach(file);
                file.release();
                long[] bytes = {0};
                for (int i = 0; i < 64; i++) {
                    queue.read(number, i, memory, i * 4096L, 4096, i);
                }
                while (queue.inFlight() > 0) {
                    queue.await((token, result) -> bytes[0] += result, () -> true);
                }
                IO.println(bytes[0] + " bytes; " + ring.description());
            }
        }
    }

    /** Opens files alone, and then while the program has taken all remaining descriptors. */
    private static void openManyFiles(Path folder) throws IOException {
        Errno.name(Errno.EMFILE); // Loads needed classes, which are files too.
        ReadBackend.uringFinding(); // The probe has descriptors of its own, until it ends.
        List<Path> paths = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            paths.add(Files.write(folder.resolve("file" + i), new byte[i]));
        }
        try (ReadBackend backend = ReadBackend.best();
                FileCache cache =
                        new FileCache(backend, Caching.BUFFERED, 1000, Duration.ofDays(1))) {
            String alone = openAll(cache, paths);
            List<RandomAccessFile> taken = takeDescriptors(paths.getFirst());
            String beside = openAll(cache, paths);
            for (RandomAccessFile file : taken) {
                file.close();
            }
            IO.println(alone + ", then " + beside);
        }
    }

    private static String openAll(FileCache cache, List<Path> paths) throws IOException {
        long evictions = cache.counters().evictions();
        long bytes = 0;
        for (Path path : paths) {
            FileHandle file = cache.open(path);
            bytes += file.byteSize();
            file.release();
        }
        return "%d bytes, %s given up, %d shrinks"
                .formatted(
                        bytes,
                        cache.counters().evictions() - evictions,
                        cache.counters().shrinks());
    }

    private static List<RandomAccessFile> takeDescriptors(Path path) throws IOException {
        List<RandomAccessFile> taken = new ArrayList<>();
        while (true) {
            try {
                taken.add(new RandomAccessFile(path.toFile(), "r"));
            } catch (IOException e) { // Too many open files
                return taken;
            }
        }
    }

    private static void readWithoutDescriptorsForRings(Path folder) throws IOException {
        Path path = Files.write(folder.resolve("file"), new byte[100_000]);
        ReadBackend backend = ReadBackend.best();
        readOnce(path, ReadBackend.best()); // Loads needed classes, which are files too.
        readOnce(path, ReadBackend.of(ReadBackend.Method.PREADV));
        Errno.name(Errno.EMFILE);
        List<RandomAccessFile> taken = takeDescriptors(path);
        taken.removeLast().close(); // One descriptor for the file that one thread will read.
        RangeReaderOptions options = RangeReaderOptions.defaults().withThreads(1);
        try (RangeReader reader = RangeReader.open(backend, options)) {
            reader.read(path, 10_000, MemorySegment.ofArray(new byte[90_000]));
            IO.println("read without a ring");
        }
        for (RandomAccessFile file : taken) {
            file.close();
        }
    }

    private static void readThoughRefused(Path folder, int systemCall, int errno) throws Throwable {
        SystemCallFilter.install(systemCall, errno);
        Path path = Files.write(folder.resolve("file"), new byte[100_000]);
        readOnce(path, ReadBackend.best());
        IO.println(ReadBackend.best().method() + "; " + ReadBackend.uringFinding());
    }

    private static void readOnce(Path path, ReadBackend backend) throws IOException {
        try (RangeReader reader = RangeReader.open(backend, RangeReaderOptions.defaults())) {
            reader.read(path, 0, MemorySegment.ofArray(new byte[90_000]));
        }
    }
}
