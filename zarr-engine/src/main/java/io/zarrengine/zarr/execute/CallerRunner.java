package io.zarrengine.zarr.execute;

import io.zarrengine.bindings.NativeMemory;
import io.zarrengine.uring.FileHandle;
import io.zarrengine.uring.MappedReader.PartCopier;
import io.zarrengine.uring.ReadBackend;
import io.zarrengine.uring.plan.FileParts;
import io.zarrengine.zarr.codec.Workspace;
import io.zarrengine.zarr.decode.Placer;
import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.memory.MemoryAccount;
import io.zarrengine.zarr.memory.MemoryShortException;
import io.zarrengine.zarr.shard.ShardIndex;
import io.zarrengine.zarr.task.IndexWaiter;
import io.zarrengine.zarr.task.ReadTask;
import io.zarrengine.zarr.task.TaskRunner;
import io.zarrengine.zarr.task.WorkSource;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Runs a small request on the thread that waits for it. To wake a worker and to be woken by it
 * takes longer than to read and decode an inner chunk. Workers read the bytes that are not in the
 * page cache.
 *
 * <p>Owner: the {@link CallerRunnerPool}, which lends it to one thread at a time. Threads: the one
 * that borrowed it.
 */
final class CallerRunner implements TaskRunner, AutoCloseable {
    /** The largest result that a calling thread reads itself; workers share a larger one. */
    static final long RESULT_BYTES_MAX = 256 << 10;

    /** Parts of a source that the caller starts; workers take the rest meanwhile. */
    private static final int STARTS_MAX = 8;

    private static final long READ_BYTES_MAX = 256 << 10;
    private static final long WORKSPACE_BYTES_MAX = 1 << 20;

    /** The bytes of the budget that one runner takes. */
    static final long BUDGET_BYTES = READ_BYTES_MAX + WORKSPACE_BYTES_MAX;

    private final Executor executor;
    private final ReadBackend backend;
    private final Arena arena = Arena.ofShared();
    private final NativeMemory memory;
    private final Workspace workspace;
    private final Placer placer;
    private final MappedCopies mapped;

    CallerRunner(Executor executor, ReadBackend backend) {
        this.executor = executor;
        this.backend = backend;
        this.workspace =
                new Workspace(
                        executor.options().verifiesChecksums(),
                        new MemoryAccount(WORKSPACE_BYTES_MAX, executor.budget()));
        this.placer = new Placer(workspace, executor.metrics(), executor.keptChunks());
        try {
            this.mapped = executor.newMappedCopies(arena);
            this.memory = NativeMemory.allocate(READ_BYTES_MAX);
        } catch (Throwable t) { // Allowed: rolls back a constructor
            arena.close();
            throw t;
        }
    }

    @Override
    public Placer placer() {
        return placer;
    }

    @Override
    public void findIndex(IndexWaiter shard) {
        executor.indexes().find(this, shard);
    }

    @Override
    public ShardIndex addIndex(IndexWaiter shard, MemorySegment encoded) throws CodecException {
        return executor.indexes().add(shard, encoded);
    }

    @Override
    public long fusedBytesMax(FileHandle file) {
        return file.isObject()
                ? executor.fusedObjectBytesMax(file)
                : Math.min(executor.options().fusedBytesMax(), READ_BYTES_MAX);
    }

    @Override
    public void countRead(long bytes) {
        // Only workers run requests with sinks.
    }

    @Override
    public void offer(WorkSource source) {
        try {
            for (int i = 0; i < STARTS_MAX; i++) {
                if (!source.startNext(this)) {
                    return;
                }
            }
        } catch (RuntimeException | Error e) { // No memory, say.
            source.discard(e);
            return;
        }
        executor.offer(source);
    }

    @Override
    public boolean readNow(FileHandle file, long fileOffset, List<MemorySegment> pieces) {
        return executor.readNow(file, fileOffset, pieces);
    }

    @Override
    public int workers() {
        return executor.options().workers();
    }

    @Override
    public boolean isMapped(FileHandle file) {
        return mapped.isMapped(file);
    }

    @Override
    public boolean copyNow(FileHandle file, FileParts parts, PartCopier copier) {
        return mapped.copyNow(file, parts, copier);
    }

    private boolean readNow(FileHandle file, long fileOffset, MemorySegment memory) {
        long bytes = memory.byteSize();
        var part = new FileParts.One(fileOffset, bytes);
        if (copyNow(file, part, (one, there) -> memory.copyFrom(there))) {
            return true;
        }
        boolean isRead = backend.readNow(file, fileOffset, memory) == bytes;
        if (isRead) {
            executor.metrics().readNow(bytes);
        }
        return isRead;
    }

    @Override
    public void startRead(
            ReadTask task, int stretch, long fileOffset, long bytes, long workspaceBytes) {
        boolean small = bytes <= READ_BYTES_MAX && workspaceBytes <= WORKSPACE_BYTES_MAX;
        MemorySegment read;
        boolean isRead;
        try {
            read = small ? memory.segment().asSlice(0, bytes) : null;
            isRead = small && readNow(task.file(), fileOffset, read);
        } catch (RuntimeException | Error e) {
            task.fail(e);
            task.ended(stretch);
            return;
        }
        if (!isRead) {
            HandedOverRead.offer(executor, task, stretch, fileOffset, bytes, workspaceBytes);
            return;
        }
        if (task.recorded() != null) {
            task.recorded().read(bytes, 0);
        }
        long neededBytes = -1; // what decoding needs, if there was too little memory
        try {
            if (task.isWanted()) {
                workspace.begin(0, 0);
                deliver(task, stretch, read);
            }
        } catch (MemoryShortException e) { // A worker may wait for memory.
            neededBytes = e.isFinal() ? workspaceBytes : e.neededBytes();
        } catch (RuntimeException | Error e) {
            task.fail(e);
        } finally {
            workspace.end();
            if (neededBytes < 0) {
                task.ended(stretch);
            } else {
                HandedOverRead.offer(executor, task, stretch, fileOffset, bytes, neededBytes);
            }
        }
    }

    @Override
    public void close() {
        workspace.close();
        memory.close();
        arena.close();
    }
}
