package io.zarrengine.zarr;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;

/** A native call that uses memory from opening to closing: a read of a pipe. */
public final class NativeUse implements AutoCloseable {
    private final Pipe pipe = Pipe.open();
    private final CompletableFuture<Integer> read = new CompletableFuture<>();

    private NativeUse() throws IOException {}

    /** {@return a call that has begun and that uses {@code memory}; it writes one byte there} */
    public static NativeUse of(MemorySegment memory) throws IOException, InterruptedException {
        NativeUse use = new NativeUse();
        Thread caller = Thread.ofPlatform().start(() -> use.read(memory));
        while (!isInCall(caller)) {
            Thread.sleep(1);
        }
        return use;
    }

    private void read(MemorySegment memory) {
        try {
            read.complete(pipe.source().read(memory.asByteBuffer()));
        } catch (IOException | RuntimeException e) {
            read.completeExceptionally(e);
        }
    }

    private static boolean isInCall(Thread thread) {
        return Arrays.stream(thread.getStackTrace())
                .anyMatch(frame -> frame.getMethodName().equals("read0"));
    }

    /**
     * Closes an arena as soon as no native call uses its memory; until then {@code close} fails.
     */
    public static void closeArenaAfter(Arena arena) {
        while (true) {
            try {
                arena.close();
                return;
            } catch (IllegalStateException e) {
                Thread.onSpinWait();
            }
        }
    }

    @Override
    public void close() throws IOException {
        try (Pipe.SourceChannel _ = pipe.source();
                Pipe.SinkChannel sink = pipe.sink()) {
            sink.write(ByteBuffer.allocate(1));
            read.join();
        }
    }
}
