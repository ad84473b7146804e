package io.zarrengine.uring;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.bindings.NativeAccess;
import io.zarrengine.uring.MappedReader.PartCopier;
import io.zarrengine.uring.plan.FileParts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests copies from the page cache: of files that stay, are missing, end early or are truncated.
 */
final class MappedReaderTest {
    private static final int PAGE = 4096;
    private static final int FILE_BYTES = (5 << 20) + 777; // more pages than one check covers

    @TempDir private Path folder;
    private byte[] content;
    private Path path;
    private final Arena arena = Arena.ofShared();
    private MappedReader reader;

    @BeforeEach
    void open() throws IOException {
        assumeTrue(NativeAccess.denial().isEmpty(), "native access is denied");
        reader = atOnce(1);
        content = new byte[FILE_BYTES];
        new SplittableRandom(3).nextBytes(content);
        path = Files.write(folder.resolve("file"), content);
    }

    @AfterEach
    void close() {
        arena.close();
    }

    private MappedReader atOnce(long fileBytesMin) {
        return new MappedReader(new MappingRule(fileBytesMin, true), arena);
    }

    private DescriptorFile openFile() throws IOException {
        return DescriptorFile.open(path, Caching.BUFFERED);
    }

    private static boolean copyNow(
            MappedReader reader,
            FileHandle file,
            long offset,
            long bytes,
            Consumer<MemorySegment> copier) {
        FileParts one = new FileParts.One(offset, bytes);
        return reader.copyNow(file, one, (part, there) -> copier.accept(there));
    }

    /** Returns the copied bytes, or null. */
    private byte[] copy(FileHandle file, long offset, int bytes) {
        byte[] copied = new byte[bytes];
        Consumer<MemorySegment> copier =
                part -> MemorySegment.copy(part, JAVA_BYTE, 0, copied, 0, bytes);
        return copyNow(reader, file, offset, bytes, copier) ? copied : null;
    }

    private void assertCopies(FileHandle file, int offset, int bytes) {
        assertArrayEquals(
                Arrays.copyOfRange(content, offset, offset + bytes), copy(file, offset, bytes));
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2})
    void copiesAnyPart(long seed) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        DescriptorFile file = openFile();
        assertCopies(file, 0, FILE_BYTES);
        for (int i = 0; i < 200; i++) {
            int offset = random.nextInt(FILE_BYTES);
            assertCopies(file, offset, 1 + random.nextInt(FILE_BYTES - offset));
        }
        assertCopies(file, FILE_BYTES - 1, 1);
        file.release();
    }

    /** Parts of a page, each at a fixed distance from the one before. */
    private record Spread(int count, long distance) implements FileParts {
        @Override
        public long offset(int part) {
            return (part ^ 1) * distance;
        }

        @Override
        public long bytes(int part) {
            return PAGE;
        }
    }

    @Test
    void copiesSeveralPartsOrNone() throws IOException {
        DescriptorFile file = openFile();
        byte[] copied = new byte[4 * PAGE];
        PartCopier copier =
                (part, bytes) -> MemorySegment.copy(bytes, JAVA_BYTE, 0, copied, part * PAGE, PAGE);
        assertTrue(reader.copyNow(file, new Spread(4, 1_000_001), copier));
        for (int part = 0; part < 4; part++) {
            int at = (part ^ 1) * 1_000_001;
            assertArrayEquals(
                    Arrays.copyOfRange(content, at, at + PAGE),
                    Arrays.copyOfRange(copied, part * PAGE, (part + 1) * PAGE),
                    "part " + part);
        }
        PartCopier none = (part, bytes) -> fail("must not be called");
        assertFalse(reader.copyNow(file, new Spread(6, 1_100_000), none), "behind the end");
        assertFalse(reader.copyNow(file, new Spread(2, Long.MAX_VALUE), none), "far behind it");
        file.release();
    }

    /** One check for truncation covers all parts, so it must use the part that ends last. */
    @Test
    void severalPartsOfAFileThatIsCutAreNoCopies() throws IOException {
        DescriptorFile file = openFile();
        FileParts parts = new Spread(2, 2 * PAGE); // The part that ends last comes first.
        PartCopier cutting =
                (part, bytes) -> {
                    if (part == 1) {
                        cut(2 * PAGE + 100); // Within a page that stays: nothing faults.
                    }
                };
        assertFalse(reader.copyNow(file, parts, cutting));
        file.release();
    }

    /** A range past the end of the file comes from a broken shard. An ordinary read reports it. */
    @Test
    void copiesNothingBehindTheEnd() throws IOException {
        DescriptorFile file = openFile();
        assertEquals(null, copy(file, FILE_BYTES - 10, 11));
        assertEquals(null, copy(file, FILE_BYTES + (1L << 40), 1));
        file.release();
    }

    @ParameterizedTest
    @EnumSource(
            value = Caching.class,
            names = {"DIRECT", "BUFFERED_ONCE"})
    void mapsNoFileThatShallNotBeCached(Caching caching) throws IOException {
        FileHandle file =
                caching == Caching.DIRECT ? ReadFiles.direct(path) : ReadFiles.bufferedOnce(path);
        assertEquals(null, copy(file, 0, 1));
        file.release();
    }

    @Test
    void mapsNoSmallFileAndNoneOfChannels() throws IOException {
        DescriptorFile file = openFile();
        assertFalse(copyNow(atOnce(FILE_BYTES + 1L), file, 0, 1, part -> {}));
        assertEquals(0, mappings());
        FileHandle channel = ChannelFile.open(path);
        assertEquals(null, copy(channel, 0, 1));
        channel.release();
        file.release();
    }

    @Test
    void aFileIsMappedWhenItHasBeenReadTwice() throws IOException {
        DescriptorFile file = openFile();
        MappedReader useful = new MappedReader(MappingRule.USEFUL, arena);
        assertFalse(copyNow(useful, file, 0, FILE_BYTES, part -> {}));
        assertFalse(copyNow(useful, file, 0, FILE_BYTES - 1, part -> {}));
        assertFalse(copyNow(useful, file, 0, 1, part -> {}));
        assertEquals(0, mappings());
        assertTrue(copyNow(useful, file, 0, 1, part -> {}));
        file.release();
    }

    @Test
    void whatIsNotInMemoryIsNotTouched() throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
            channel.force(true); // Dirty pages cannot be evicted.
        }
        DescriptorFile file = openFile();
        ReadFiles.evict(file);
        assertFalse(copyNow(reader, file, 0, 1, part -> fail("must not be called")));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment target = arena.allocate(3 * PAGE);
            try (PreadvReader pread = new PreadvReader()) {
                pread.read(file, 8 * PAGE, target, 0, 3 * PAGE);
            }
        }
        assertCopies(file, 8 * PAGE, 3 * PAGE); // But not the window around it.
        assertEquals(null, copy(file, 8 * PAGE, 3 * PAGE + 1));
        assertEquals(null, copy(file, 8 * PAGE - 1, 2));
        PartCopier none = (part, bytes) -> fail("must not be called");
        assertFalse(reader.copyNow(file, new Spread(2, 8 * PAGE), none), "the other is not there");
        file.release();
    }

    /** Ways to copy elements. Each meets the end of a file in another way. */
    static Stream<Named<BiConsumer<MemorySegment, MemorySegment>>> copiers() {
        return Stream.of(
                Named.of("at once", (from, to) -> to.copyFrom(from)),
                Named.of("rows", MappedReaderTest::copyRows),
                Named.of("longs", MappedReaderTest::copyLongs),
                Named.of("bytes", MappedReaderTest::copyBytes));
    }

    private static void copyRows(MemorySegment from, MemorySegment to) {
        for (long row = 0; row + 100 <= from.byteSize(); row += 100) {
            MemorySegment.copy(from, row, to, row, 100);
        }
    }

    private static void copyLongs(MemorySegment from, MemorySegment to) {
        for (long i = 0; i + 8 <= from.byteSize(); i += 8) {
            long value = from.get(JAVA_LONG_UNALIGNED, i);
            to.set(JAVA_LONG_UNALIGNED, i, Long.reverseBytes(value));
        }
    }

    private static void copyBytes(MemorySegment from, MemorySegment to) {
        for (long i = 0; i < from.byteSize(); i++) {
            to.set(JAVA_BYTE, i, from.get(JAVA_BYTE, i));
        }
    }

    /** The JVM gets SIGBUS and throws late, in compiled code later than in interpreted code. */
    @ParameterizedTest
    @MethodSource("copiers")
    void aFileThatIsCutIsNoCopy(BiConsumer<MemorySegment, MemorySegment> copier)
            throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment target = arena.allocate(FILE_BYTES);
            DescriptorFile whole = openFile();
            for (int i = 0; i < 3000; i++) { // Until it is compiled.
                int offset = i % 64 * PAGE;
                assertTrue(
                        copyNow(reader, whole, offset, PAGE, part -> copier.accept(part, target)));
            }
            whole.release();
            for (int i = 0; i < 20; i++) {
                Files.write(path, content);
                DescriptorFile file = openFile();
                Consumer<MemorySegment> copy = part -> copier.accept(part, target);
                // Its pages are recorded as in memory after this.
                assertTrue(copyNow(reader, file, 0, PAGE, copy));
                cut(i % 2 == 0 ? 0 : 2 * PAGE + 100);
                assertFalse(copyNow(reader, file, 0, FILE_BYTES, copy));
                assertFalse(copyNow(reader, file, 2 * PAGE, 101, copy), "zeros of the last page");
                file.release();
            }
        }
    }

    /**
     * The size is right again after the copy, so only the error shows the fault; compiled code
     * throws it late.
     */
    @ParameterizedTest
    @MethodSource("copiers")
    void aFaultIsNoCopyWhateverTheSize(BiConsumer<MemorySegment, MemorySegment> copier)
            throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment target = arena.allocate(FILE_BYTES);
            for (int i = 0; i < 3000; i++) { // Until it is compiled.
                copier.accept(target.asSlice(0, PAGE), target.asSlice(PAGE, PAGE));
            }
            for (int i = 0; i < 20; i++) {
                Files.write(path, content);
                DescriptorFile file = openFile();
                boolean isCopied =
                        copyNow(
                                reader,
                                file,
                                PAGE,
                                PAGE,
                                part -> {
                                    cut(0);
                                    try {
                                        copier.accept(part, target);
                                    } finally {
                                        grow();
                                    }
                                });
                assertFalse(isCopied);
                file.release();
            }
        }
    }

    private void grow() {
        try {
            Files.write(path, content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void cut(long bytes) {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
            channel.truncate(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** For example, a closed target. The error of the file must not stay behind for other code. */
    @Test
    void anErrorOfTheCopierIsTheCallers() throws IOException {
        DescriptorFile file = openFile();
        IllegalStateException failure = new IllegalStateException("closed");
        Consumer<MemorySegment> failing =
                part -> {
                    throw failure;
                };
        assertEquals(
                failure,
                assertThrows(
                        IllegalStateException.class, () -> copyNow(reader, file, 0, 1, failing)));
        assertCopies(file, 0, PAGE);
        byte[] sink = new byte[PAGE];
        boolean isCopied =
                copyNow(
                        reader,
                        file,
                        0,
                        PAGE,
                        part -> {
                            cut(0);
                            MemorySegment.copy(part, JAVA_BYTE, 0, sink, 0, PAGE);
                            throw failure;
                        });
        assertFalse(isCopied, "the file's error is the first one");
        file.release();
    }

    /** The record of its pages would fill the heap. */
    @Test
    void mapsNoFileOfTerabytes() throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
            assumeTrue(grow(channel, 8L << 40), "this file system takes no such file");
        }
        DescriptorFile file = openFile();
        assertEquals(null, copy(file, 0, PAGE));
        assertEquals(0, mappings());
        file.release();
        Files.write(path, content);
        DescriptorFile small = openFile(); // The large file must have given back its share.
        assertCopies(small, 0, PAGE);
        small.release();
    }

    private static boolean grow(FileChannel channel, long bytes) {
        try {
            return channel.write(ByteBuffer.allocate(1), bytes - 1) == 1;
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void theLastReleaseUnmaps() throws Exception {
        DescriptorFile file = openFile();
        assertEquals(0, mappings());
        int threads = 8;
        try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
            Callable<Boolean> copy =
                    () -> copyNow(atOnce(1), file, 0, FILE_BYTES, part -> part.get(JAVA_BYTE, 9));
            for (Future<Boolean> copied :
                    pool.invokeAll(IntStream.range(0, threads).mapToObj(i -> copy).toList())) {
                assertTrue(copied.get());
            }
        }
        assertEquals(1, mappings());
        file.release();
        assertEquals(0, mappings());
    }

    private long mappings() throws IOException {
        try (var lines = Files.lines(Path.of("/proc/self/maps"))) {
            return lines.filter(line -> line.endsWith(path.toString())).count();
        }
    }
}
