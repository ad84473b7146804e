package io.zarrengine.zarr.objectstore;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The tests that every store must pass. A test of a store implements it. */
@SuppressWarnings("exports") // JUnit, which is no dependency of the module
public interface ObjectStoreContract {
    /** The size of the objects, in bytes. */
    int BYTES = 5000;

    /** {@return the store} */
    ObjectStore store();

    /** Puts an object into the store, or replaces it. */
    void put(String key, byte[] bytes) throws Exception;

    /** A read that keeps what it brings. */
    final class Read implements ObjectRead {
        private final String key;
        private final long offset;
        private final long length;
        private final Optional<String> version;
        private final CompletableFuture<Read> ended = new CompletableFuture<>();
        private int ends; // guarded by this
        private MemorySegment memory = MemorySegment.NULL;
        private long objectBytes;
        private Optional<String> found = Optional.empty();
        private boolean isMissing;
        private volatile boolean isWanted = true;

        /** A read of any version. */
        public Read(String key, long offset, long length) {
            this(key, offset, length, Optional.empty());
        }

        Read(String key, long offset, long length, Optional<String> version) {
            this.key = key;
            this.offset = offset;
            this.length = length;
            this.version = version;
        }

        /** Waits for the end; throws what it failed with. */
        public Read get() throws Exception {
            try {
                return ended.get(20, TimeUnit.SECONDS);
            } catch (ExecutionException e) {
                throw e.getCause() instanceof Exception cause ? cause : e;
            }
        }

        public boolean isMissing() {
            return isMissing;
        }

        public byte[] bytes() {
            return memory.toArray(JAVA_BYTE);
        }

        public void cancel() {
            isWanted = false;
        }

        public synchronized int ends() {
            return ends;
        }

        @Override
        public String key() {
            return key;
        }

        @Override
        public long offset() {
            return offset;
        }

        @Override
        public long length() {
            return length;
        }

        @Override
        public Optional<String> version() {
            return version;
        }

        @Override
        public boolean isWanted() {
            return isWanted;
        }

        @Override
        public MemorySegment target(long bytes) {
            if (bytes > length) {
                throw new IllegalArgumentException(bytes + " bytes");
            }
            memory = MemorySegment.ofArray(new byte[(int) bytes]);
            return memory;
        }

        @Override
        public void completed(long bytes, long newObjectBytes, Optional<String> newVersion) {
            assertEquals(memory.byteSize(), bytes);
            objectBytes = newObjectBytes;
            found = newVersion;
            end();
            ended.complete(this);
        }

        @Override
        public void missing() {
            isMissing = true;
            end();
            ended.complete(this);
        }

        @Override
        public void failed(Throwable cause) {
            end();
            ended.completeExceptionally(cause);
        }

        private synchronized void end() {
            ends++;
        }
    }

    private Read read(String key, long offset, long length) throws Exception {
        Read read = new Read(key, offset, length);
        store().read(List.of(read));
        return read.get();
    }

    private byte[] putRandom(String key) throws Exception {
        byte[] bytes = new byte[BYTES];
        new Random(key.hashCode()).nextBytes(bytes);
        put(key, bytes);
        return bytes;
    }

    /** Faults: an end that is off by one, a suffix read from the start. */
    @ParameterizedTest(name = "{0} + {1}")
    @CsvSource({
        "0,1",
        "0,5000",
        "0,5001",
        "1,4999",
        "4999,1",
        "4990,100",
        "123,456",
        "-1,1",
        "-16,16",
        "-5000,5000",
        "-9000,9000"
    })
    default void readsRanges(long offset, long length) throws Exception {
        byte[] object = putRandom("a/c/0");
        Read read = read("a/c/0", offset, length);
        int from = (int) (offset < 0 ? Math.max(BYTES - length, 0) : offset);
        int to = (int) Math.min(from + length, BYTES);
        assertArrayEquals(Arrays.copyOfRange(object, from, to), read.bytes());
        assertEquals(BYTES, read.objectBytes);
    }

    /** Fault: a range behind the end fails, or loses the size of the object. */
    @Test
    default void readsNothingBehindTheEnd() throws Exception {
        putRandom("a");
        Read read = read("a", BYTES + 10, 5);
        assertEquals(0, read.bytes().length);
        assertEquals(BYTES, read.objectBytes);
    }

    @Test
    default void readsWholeObjects() throws Exception {
        byte[] object = putRandom("a/zarr.json");
        assertArrayEquals(object, read("a/zarr.json", 0, ObjectRead.WHOLE).bytes());
        put("empty", new byte[0]);
        assertEquals(0, read("empty", 0, ObjectRead.WHOLE).bytes().length);
        assertEquals(0, read("empty", -8, 8).bytes().length);
    }

    /** Fault: characters that a URL cannot have lead to another object. */
    @Test
    default void readsAnyName() throws Exception {
        for (String key : List.of("a b/c%20d", "ü/漢", "a+b/c?d#e", "t=1/x&y;z")) {
            assertArrayEquals(putRandom(key), read(key, 0, ObjectRead.WHOLE).bytes(), key);
        }
    }

    @Test
    default void saysWhatIsMissing() throws Exception {
        putRandom("a/c/0");
        assertTrue(read("a/c/1", 0, 10).isMissing);
        assertTrue(read("a/c", -4, 4).isMissing);
        assertTrue(read("b", 0, ObjectRead.WHOLE).isMissing);
    }

    /** Fault: bytes of a new version are taken for those of the old one. */
    @Test
    default void refusesAnotherVersion() throws Exception {
        putRandom("a");
        Optional<String> version = read("a", 0, 10).found;
        assertTrue(version.isPresent());
        Read same = new Read("a", 0, 10, version);
        store().read(List.of(same));
        assertEquals(10, same.get().bytes().length);
        put("a", new byte[BYTES]);
        Read other = new Read("a", 0, 10, version);
        store().read(List.of(other));
        assertInstanceOf(ObjectChangedException.class, assertThrows(Exception.class, other::get));
    }

    /** Fault: one of many reads is lost, ends twice, or gets the bytes of another. */
    @Test
    default void endsEachOfManyReadsOnce() throws Exception {
        byte[] object = putRandom("many");
        List<Read> reads = new ArrayList<>();
        Random random = new Random(1);
        for (int i = 0; i < 2000; i++) {
            int offset = random.nextInt(BYTES);
            reads.add(new Read("many", offset, 1 + random.nextInt(BYTES - offset)));
        }
        store().read(reads);
        for (Read read : reads) {
            int from = (int) read.offset;
            int to = (int) (read.offset + read.length);
            assertArrayEquals(Arrays.copyOfRange(object, from, to), read.get().bytes());
        }
        reads.forEach(read -> assertEquals(1, read.ends()));
    }
}
