package io.zarrengine.zarr;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.zarrengine.zarr.extension.BytesDecoder;
import io.zarrengine.zarr.extension.CodecProvider;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Fails if a read completes only after another read of the same worker, which may take for ever.
 * The first chunk blocks the worker until both reads are queued.
 */
@Timeout(60)
final class CompletionTimeTest {
    private static final int CHUNKS = 3;

    @TempDir private Path folder;
    private final List<Semaphore> begun = semaphores(); // one for each chunk
    private final List<Semaphore> gates = semaphores();
    private ZarrEngine engine;
    private ZarrArray array;

    private final BytesDecoder decoder =
            new BytesDecoder() {
                @Override
                public long encodedBytesMax(long decodedBytes) {
                    return decodedBytes;
                }

                @Override
                public long decode(MemorySegment encoded, MemorySegment target) {
                    int chunk = encoded.get(JAVA_BYTE, 0);
                    begun.get(chunk).release();
                    gates.get(chunk).acquireUninterruptibly();
                    target.fill((byte) chunk);
                    return target.byteSize();
                }
            };

    private static List<Semaphore> semaphores() {
        return Stream.generate(() -> new Semaphore(0)).limit(CHUNKS).toList();
    }

    private void open(int chunkBytes) throws IOException {
        String document =
                """
                {"zarr_format": 3, "node_type": "array", "shape": [%d], "data_type": "uint8",
                 "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [%d]}},
                 "chunk_key_encoding": {"name": "default"}, "fill_value": 0,
                 "codecs": [{"name": "bytes"}, {"name": "gates"}]}
                """
                        .formatted(CHUNKS * chunkBytes, chunkBytes);
        Files.writeString(folder.resolve("zarr.json"), document);
        Files.createDirectory(folder.resolve("c"));
        for (int chunk = 0; chunk < CHUNKS; chunk++) {
            Files.write(folder.resolve("c/" + chunk), new byte[] {(byte) chunk});
        }
        CodecProvider provider =
                (name, configuration) ->
                        name.equals("gates") ? Optional.of(decoder) : Optional.empty();
        engine = ZarrEngine.builder().workers(1).codecs(provider).open();
        array = engine.openArray(folder);
    }

    @AfterEach
    void close() {
        gates.forEach(Semaphore::release);
        array.close();
        engine.close();
    }

    private CompletableFuture<Void> read(int chunk) {
        long bytes = array.shape()[0] / CHUNKS;
        byte[] target = new byte[(int) bytes];
        Selection all = Selection.of(chunk * bytes + ":" + (chunk + 1) * bytes);
        return array.readAsync(all, MemorySegment.ofArray(target));
    }

    /** Returns the chunk that is decoded first: the files may be read in either order. */
    private int begunFirst(int one, int other) throws InterruptedException {
        while (true) {
            if (begun.get(one).tryAcquire(1, MILLISECONDS)) {
                return one;
            }
            if (begun.get(other).tryAcquire(1, MILLISECONDS)) {
                return other;
            }
        }
    }

    @Test
    void completesAnyOfAtOnce() throws Exception {
        open(1000);
        CompletableFuture<Void> first = read(0);
        begun.get(0).acquire();
        List<CompletableFuture<Void>> both = List.of(read(1), read(2));
        CompletableFuture<Object> any = CompletableFuture.anyOf(both.get(0), both.get(1));
        gates.get(0).release();
        int next = begunFirst(1, 2);
        gates.get(next).release();
        any.get(20, SECONDS);
        int last = 3 - next;
        assertFalse(both.get(last - 1).isDone());
        gates.get(last).release();
        CompletableFuture.allOf(first, both.get(last - 1)).join();
    }

    /** The worker cannot see a caller that begins to wait while it decodes a large chunk. */
    @Test
    void completesAnEndedReadBeforeALargeChunk() throws Exception {
        open(512 << 10);
        CompletableFuture<Void> first = read(0);
        begun.get(0).acquire();
        List<CompletableFuture<Void>> both = List.of(read(1), read(2));
        gates.get(0).release();
        int next = begunFirst(1, 2);
        gates.get(next).release();
        int last = 3 - next;
        begun.get(last).acquire();
        CompletableFuture.anyOf(both.get(0), both.get(1)).get(20, SECONDS);
        assertFalse(both.get(last - 1).isDone());
        gates.get(last).release();
        CompletableFuture.allOf(first, both.get(last - 1)).join();
    }
}
