package io.zarrengine.zarr.decode;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.bindings.NativeAccess;
import io.zarrengine.uring.FileVersion;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The cache returns the bytes that were kept, however many other chunks came. Fails if memory in
 * use is given to another chunk.
 */
final class DecodedChunksTest {
    private static final int CHUNK_BYTES = 1024;
    private static final int ROOM = 8;

    private static DecodedChunks.Key key(int number) {
        return new DecodedChunks.Key(new FileVersion("a file", 4, 3, 2), number, CHUNK_BYTES, null);
    }

    private static byte[] chunk(int number, int bytes) {
        byte[] chunk = new byte[bytes];
        Arrays.fill(chunk, (byte) (number * 31 + bytes));
        return chunk;
    }

    private static void put(DecodedChunks chunks, int number, int bytes) {
        chunks.put(key(number), MemorySegment.ofArray(chunk(number, bytes)));
    }

    /** The memory is not given to another chunk before the last release. */
    @Test
    void keepsAnEvictedChunkWhileItIsInUse() {
        try (DecodedChunks chunks = new DecodedChunks(ROOM * CHUNK_BYTES)) {
            put(chunks, 0, CHUNK_BYTES);
            try (DecodedChunks.Kept kept = chunks.get(key(0))) {
                for (int i = 1; i < 5 * ROOM; i++) {
                    put(chunks, i, CHUNK_BYTES);
                }
                assertNull(chunks.get(key(0)), "still kept");
                assertArrayEquals(chunk(0, CHUNK_BYTES), kept.elements().toArray(JAVA_BYTE));
            }
        }
    }

    @Test
    void returnsRoomAfterUse() {
        assumeTrue(NativeAccess.denial().isEmpty(), "on the heap there is more");
        try (DecodedChunks chunks = new DecodedChunks(ROOM * CHUNK_BYTES)) {
            Deque<DecodedChunks.Kept> used = new ArrayDeque<>();
            for (int i = 0; i < ROOM; i++) {
                put(chunks, i, CHUNK_BYTES);
                used.add(chunks.get(key(i)));
            }
            put(chunks, ROOM, CHUNK_BYTES);
            assertNull(chunks.get(key(ROOM)), "there was no room");
            used.forEach(DecodedChunks.Kept::close);
            for (int i = 0; i < ROOM; i++) {
                put(chunks, 100 + i, CHUNK_BYTES);
            }
            for (int i = 0; i < ROOM; i++) {
                try (DecodedChunks.Kept kept = chunks.get(key(100 + i))) {
                    assertNotNull(kept, "not all of the room came back");
                }
            }
        }
    }

    /**
     * Room is made before the new chunk is added: it has no use yet, and would be evicted first.
     */
    @Test
    void keepsTheNewestWhenAllOthersWereUsed() {
        try (DecodedChunks chunks = new DecodedChunks(ROOM * CHUNK_BYTES)) {
            for (int i = 0; i < ROOM; i++) {
                put(chunks, i, CHUNK_BYTES);
                chunks.get(key(i)).close();
            }
            put(chunks, ROOM, CHUNK_BYTES);
            try (DecodedChunks.Kept kept = chunks.get(key(ROOM))) {
                assertNotNull(kept);
            }
            assertEquals(ROOM * CHUNK_BYTES, chunks.bytes());
        }
    }

    @Test
    void keepsOneOfTwoEqualChunks() {
        try (DecodedChunks chunks = new DecodedChunks(ROOM * CHUNK_BYTES)) {
            for (int i = 0; i < 3 * ROOM; i++) { // Nothing of the other chunks remains.
                put(chunks, 0, CHUNK_BYTES);
            }
            try (DecodedChunks.Kept kept = chunks.get(key(0))) {
                assertArrayEquals(chunk(0, CHUNK_BYTES), kept.elements().toArray(JAVA_BYTE));
            }
            for (int i = 1; i < ROOM; i++) {
                put(chunks, i, CHUNK_BYTES);
            }
            assertNotNull(chunks.get(key(0)), "room was lost");
        }
    }

    @Test
    void keepsChunksOnTheHeapWithoutNativeMemory() {
        try (DecodedChunks chunks = new DecodedChunks(ROOM * CHUNK_BYTES, bytes -> null)) {
            put(chunks, 0, CHUNK_BYTES);
            try (DecodedChunks.Kept kept = chunks.get(key(0))) {
                assertFalse(kept.elements().isNative());
                assertArrayEquals(chunk(0, CHUNK_BYTES), kept.elements().toArray(JAVA_BYTE));
            }
        }
    }

    /** Threads keep and use chunks of many sizes in too little room. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#seeds")
    void threadsSeeWhatWasKept(long seed) {
        try (DecodedChunks chunks = new DecodedChunks(ROOM * CHUNK_BYTES)) {
            CompletableFuture<?>[] threads =
                    IntStream.range(0, 4)
                            .mapToObj(i -> new SplittableRandom(seed + i))
                            .map(random -> CompletableFuture.runAsync(() -> work(chunks, random)))
                            .toArray(CompletableFuture<?>[]::new);
            CompletableFuture.allOf(threads).join();
            assertTrue(chunks.bytes() <= ROOM * CHUNK_BYTES);
        }
    }

    private static void work(DecodedChunks chunks, SplittableRandom random) {
        for (int round = 0; round < 20_000; round++) {
            int number = random.nextInt(4 * ROOM);
            int bytes = 1 + number * number;
            try (DecodedChunks.Kept kept = chunks.get(key(number))) {
                if (kept == null) {
                    put(chunks, number, bytes);
                } else {
                    byte[] expected = chunk(number, bytes);
                    assertArrayEquals(expected, kept.elements().toArray(JAVA_BYTE));
                }
            }
        }
    }
}
