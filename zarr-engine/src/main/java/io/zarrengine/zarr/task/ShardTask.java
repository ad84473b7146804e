package io.zarrengine.zarr.task;

import io.zarrengine.uring.plan.FuseRule;
import io.zarrengine.zarr.decode.ByteRange;
import io.zarrengine.zarr.decode.ChunkNames;
import io.zarrengine.zarr.decode.DecodedChunks;
import io.zarrengine.zarr.decode.Placer;
import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.errors.CorruptChunkException;
import io.zarrengine.zarr.errors.MissingChunkException;
import io.zarrengine.zarr.memory.MemoryShortException;
import io.zarrengine.zarr.pipeline.ChunkPipeline;
import io.zarrengine.zarr.pipeline.ChunkPipeline.Serializer;
import io.zarrengine.zarr.plan.InnerPieces;
import io.zarrengine.zarr.plan.Region;
import io.zarrengine.zarr.plan.WantedRegions;
import io.zarrengine.zarr.shard.ShardIndex;
import io.zarrengine.zarr.sink.ChunkSink;
import io.zarrengine.zarr.sink.StretchChunks;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;

/**
 * Reads a shard. The task first waits for the shard's index. Then workers with room read the
 * stretches that hold wanted inner chunks.
 */
final class ShardTask extends StretchesTask implements Completion, ChunkNames, IndexWaiter {
    /** How the inner chunks are read. */
    private enum Way {
        /** Reads all bytes of each inner chunk. */
        WHOLE,
        /** Reads each inner chunk, stored as it is, from its first to its last wanted element. */
        RANGE,
        /** Starts a task for each inner chunk. */
        PARTS,
        /** The request's sink reads stretches itself; workers read the others like WHOLE. */
        SINK
    }

    /**
     * The largest number of stretches that are copied together from a mapped file. After each copy
     * the kernel is asked whether the file was cut: for single stretches of 30 KiB this took 10 %
     * of the time.
     */
    private static final int TOGETHER_MAX = 8;

    /** To describe so many inner chunks to a sink takes about 50 us. */
    private static final long CHUNKS_TOGETHER_MAX = 128;

    private final Serializer.Shard shard;
    // begin() sets the next four once, before other workers see the task.
    private InnerPieces pieces;
    private Way way;
    private long stretchesBytes; // from the first stretch's begin to the end of all
    private boolean isStored; // inner chunks are stored as they are, and placed by this task
    // The number of placed pieces of each stretch; null until a stretch has to be read again.
    private volatile int[] placed;

    ShardTask(ChunkTask chunk) {
        super(chunk);
        this.shard = (Serializer.Shard) chunk.pipeline().serializer();
    }

    /** Starts the task. If this throws, nothing has begun. */
    void start(TaskRunner runner) {
        long indexBytes = indexBytes();
        if (chunk.bytes() < indexBytes) {
            throw new CorruptChunkException(
                    chunk.label(),
                    "has " + chunk.bytes() + " bytes, its index alone takes " + indexBytes,
                    null);
        }
        chunk.file().retain();
        try {
            runner.findIndex(this);
        } catch (RuntimeException | Error e) { // Nothing has begun.
            chunk.file().release();
            throw e;
        }
    }

    @Override
    public long indexOffset() {
        long at = shard.index().atStart() ? 0 : chunk.bytes() - indexBytes();
        return chunk.offset() + at;
    }

    @Override
    public long indexBytes() {
        return shard.indexBytes();
    }

    @Override
    public String label() {
        return chunk.label();
    }

    @Override
    public ShardKey key() {
        return new ShardKey(
                chunk.file().version(),
                chunk.offset(),
                chunk.bytes(),
                shard.index(),
                shard.chunks());
    }

    @Override
    public void indexFound(TaskRunner runner, ShardIndex index) {
        try {
            begin(runner, index);
        } catch (RuntimeException | Error e) { // For example a corrupt chunk or a closed target.
            fail(e);
            WorkerThread.forgetInterrupt();
            end();
            return;
        }
        if (stretches().count() == 0) {
            end();
        } else {
            runner.offer(this);
        }
    }

    @Override
    public void end() {
        chunk.end();
    }

    @Override
    public void arrived(TaskRunner runner, int stretch, MemorySegment bytes) throws CodecException {
        Placer placer = runner.placer();
        long begin = stretches().offset(stretch);
        for (int i = firstLeft(stretch); i < stretches().end(stretch); i++) {
            MemorySegment encoded =
                    bytes.asSlice(stretches().pieceOffset(i) - begin, stretches().pieceBytes(i));
            try {
                place(placer, i, encoded);
            } catch (CodecException e) {
                throw e.ofChunk(labelOf(i));
            } catch (MemoryShortException e) {
                notePlaced(stretch, i - stretches().begin(stretch));
                throw e;
            }
        }
    }

    /** {@return the first entry of a stretch whose piece is not placed yet} */
    private int firstLeft(int stretch) {
        int[] pieces = placed;
        return stretches().begin(stretch) + (pieces == null ? 0 : pieces[stretch]);
    }

    /** Notes how many pieces of a stretch are placed, for the worker that reads it again. */
    private synchronized void notePlaced(int stretch, int count) {
        if (placed == null) {
            placed = new int[stretches().count()];
        }
        placed[stretch] = count;
    }

    /** Places the piece of entry {@code i} of the stretches. */
    private void place(Placer placer, int i, MemorySegment encoded) throws CodecException {
        WantedRegions wanted = placer.inner(shard.inner(), pieces, stretches().piece(i));
        if (way == Way.RANGE) {
            placer.raw().placeChunk(chunk.placement(), shard.inner(), encoded, wanted);
            return;
        }
        placer.deliver(chunk.placement(), shard.inner(), encoded, wanted, this, i);
    }

    @Override
    public DecodedChunks.Key keyOf(int i) {
        return key(stretches().pieceOffset(i), stretches().pieceBytes(i));
    }

    @Override
    public String labelOf(int i) {
        return label(stretches().piece(i));
    }

    /** {@code bySink} is the longest stretch that the sink reads itself, in bytes; 0 if none. */
    private Way way(Placer placer, long bySink) {
        ChunkPipeline inner = shard.inner();
        if (inner.serializer() instanceof Serializer.Shard
                || RawChunkTask.takes(chunk.placement(), inner, placer)
                || SinkBlocksTask.blockBytes(chunk.placement().sink(), file(), inner) > 0) {
            return Way.PARTS;
        }
        if (bySink > 0) {
            return Way.SINK;
        }
        // Shorter gaps are read anyway, together with the bytes around them.
        boolean isLong = inner.decodedBytes() > FuseRule.BUFFERED.gapBytes();
        return isLong && placer.takesRaw(chunk.placement(), inner) ? Way.RANGE : Way.WHOLE;
    }

    /** Fills missing inner chunks, and arranges the other wanted ones in stretches. */
    private void begin(TaskRunner runner, ShardIndex index) {
        pieces = shard.cut(chunk.pipeline().encodedLengths(), chunk.parts());
        long bySink = bytesOfSink(shard.inner());
        way = way(runner.placer(), bySink);
        isStored = way != Way.PARTS && runner.placer().takesRaw(chunk.placement(), shard.inner());
        setStretches(cut(runner, index, fusedBytesMax(runner, bySink)));
        int count = stretches().count();
        stretchesBytes = count == 0 ? 0 : stretches().bytes(0, count);
    }

    private Stretches cut(TaskRunner runner, ShardIndex index, long fusedBytesMax) {
        boolean keepsChunks = runner.placer().keeps(chunk.placement(), shard.inner());
        try (Stretches.Builder builder =
                new Stretches.Builder(chunk, pieces.pieces(), fusedBytesMax)) {
            for (int piece = 0; piece < pieces.pieces(); piece++) {
                int number = pieces.chunk(piece);
                if (!index.isPresent(number)) {
                    fill(runner, piece);
                    continue;
                }
                String problem = ChunkTask.sizeProblem(index.size(number), shard.inner());
                if (problem != null) {
                    throw new CorruptChunkException(label(piece), problem, null);
                }
                if (keepsChunks && placeKept(runner, piece, index)) {
                    continue;
                }
                if (way == Way.RANGE) {
                    ByteRange read = rangeToRead(runner.placer(), piece);
                    builder.add(piece, index.offset(number) + read.from(), read.bytes());
                } else {
                    builder.add(piece, index.offset(number), index.size(number));
                }
            }
            return builder.build();
        }
    }

    /** Places the fill value for an inner chunk that was never written. */
    private void fill(TaskRunner runner, int piece) {
        if (!chunk.placement().fillsMissing()) {
            throw new MissingChunkException(label(piece));
        }
        WantedRegions missing = runner.placer().inner(shard.inner(), pieces, piece);
        runner.placer().fillInner(chunk.placement(), shard, missing);
    }

    private long fusedBytesMax(TaskRunner runner, long bySink) {
        return switch (way) {
            case PARTS -> 0;
            case SINK -> bySink;
            case WHOLE, RANGE -> runner.fusedBytesMax(file());
        };
    }

    private ByteRange rangeToRead(Placer placer, int piece) {
        WantedRegions wanted = placer.inner(shard.inner(), pieces, piece);
        return placer.raw().range(shard.inner(), wanted);
    }

    private boolean placeKept(TaskRunner runner, int piece, ShardIndex index) {
        int number = pieces.chunk(piece);
        DecodedChunks.Key key = key(index.offset(number), index.size(number));
        Placer placer = runner.placer();
        WantedRegions wanted = placer.inner(shard.inner(), pieces, piece);
        return placer.placeKept(chunk.placement(), shard.inner(), key, wanted);
    }

    /** {@return the key of an inner chunk, by its offset in the shard and its size, in bytes} */
    private DecodedChunks.Key key(long offset, long bytes) {
        return new DecodedChunks.Key(
                chunk.file().version(), chunk.offset() + offset, bytes, shard.inner());
    }

    private List<Region> innerParts(int piece) {
        return shard.inner().toEncodedOrder(pieces.parts(piece));
    }

    @Override
    public boolean startNext(TaskRunner runner) {
        // The runner may be null if no request wants the shard any more.
        if (!isWanted() || !mayStartTogether(runner)) {
            return super.startNext(runner);
        }
        boolean isBySink = chunk.placement().sink() != null;
        PartCounter.Share share =
                isBySink
                        ? takeShare(1, stretchesForSink())
                        : takeShare(runner.workers(), TOGETHER_MAX);
        if (share != null) {
            startTogether(runner, (int) share.first(), (int) share.end());
        }
        return share != null;
    }

    /** {@return so many stretches that to describe them takes no longer than to wake a worker} */
    private int stretchesForSink() {
        int count = stretches().count();
        long chunks = stretches().end(count - 1);
        return Math.clamp(CHUNKS_TOGETHER_MAX * count / chunks, 1, TOGETHER_MAX);
    }

    private boolean mayStartTogether(TaskRunner runner) {
        ChunkSink sink = chunk.placement().sink();
        if (sink == null) {
            return isStored && runner.isMapped(file());
        }
        return way == Way.WHOLE && sink.readsTogether(file(), fileOffset(0), stretchesBytes);
    }

    private void startTogether(TaskRunner runner, int first, int end) {
        if (end == first + 1) {
            start(runner, first);
            return;
        }
        OneByOne left = null;
        try {
            if (!readAtOnce(runner, first, end)) {
                left = new OneByOne(first, end);
            }
        } catch (RuntimeException | Error e) { // A closed target, or no memory.
            fail(e);
            WorkerThread.forgetInterrupt();
        }
        if (left == null) {
            endSome(end - first);
        } else {
            runner.offer(left);
        }
    }

    /** Stretches that start one by one, because the page cache lacks some of them. */
    private final class OneByOne implements WorkSource {
        private final int first;
        private final PartCounter left;

        OneByOne(int first, int end) {
            this.first = first;
            this.left = new PartCounter(end - first);
        }

        @Override
        public boolean startNext(TaskRunner runner) {
            long next = left.take();
            if (next >= 0) {
                start(runner, first + (int) next);
            }
            return next >= 0;
        }

        @Override
        public boolean isToLentMemory() {
            return ShardTask.this.isToLentMemory();
        }

        @Override
        public void fail(Throwable cause) {
            ShardTask.this.fail(cause);
        }
    }

    @Override
    void startStretch(TaskRunner runner, int stretch) {
        if (way == Way.PARTS) {
            ChunkDispatch.start(runner, newInner(stretch));
        } else if (readAtOnce(runner, stretch, stretch + 1)) {
            ended(stretch);
        } else {
            long bytes = stretches().bytes(stretch);
            long workspaceBytes = shard.inner().workspaceBytes(bytes);
            runner.startRead(this, stretch, fileOffset(stretch), bytes, workspaceBytes);
        }
    }

    /** Lets the sink read stretches, or copies them. {@return whether it has done all of them} */
    private boolean readAtOnce(TaskRunner runner, int first, int end) {
        long offset = stretches().offset(first);
        long bytes = stretches().bytes(first, end);
        return tryReadBySink(runner, shard.inner(), offset, bytes, new Stored(first, end))
                || (isStored && tryPlaceMapped(runner, first, end));
    }

    /** Describes the inner chunks of some stretches to a sink. */
    private final class Stored implements StretchChunks {
        private final int begin;
        private final int count;
        private final long origin;

        Stored(int first, int end) {
            begin = stretches().begin(first);
            count = stretches().end(end - 1) - begin;
            origin = stretches().offset(first);
        }

        @Override
        public int count() {
            return count;
        }

        @Override
        public long offset(int i) {
            return stretches().pieceOffset(begin + i) - origin;
        }

        @Override
        public long bytes(int i) {
            return stretches().pieceBytes(begin + i);
        }

        @Override
        public List<Region> parts(int i) {
            return innerParts(stretches().piece(begin + i));
        }

        @Override
        public String label(int i) {
            return labelOf(begin + i);
        }
    }

    private ChunkTask newInner(int stretch) {
        int piece = stretches().piece(stretch); // PARTS fuses nothing, so a stretch has one piece.
        return new ChunkTask(
                chunk.request(),
                this,
                chunk.file(),
                fileOffset(stretch),
                stretches().bytes(stretch),
                label(piece),
                shard.inner(),
                innerParts(piece));
    }

    private String label(int piece) {
        long[] coordinates = new long[chunk.pipeline().rank()];
        long rest = pieces.chunk(piece);
        for (int d = coordinates.length - 1; d >= 0; d--) {
            coordinates[d] = rest % shard.chunksPerShard().get(d);
            rest /= shard.chunksPerShard().get(d);
        }
        return chunk.label() + ", inner chunk " + Arrays.toString(coordinates);
    }

    @Override
    public String describe(int stretch) {
        return labelOf(firstLeft(stretch));
    }

    @Override
    public void partEnded() {
        endSome(1);
    }
}
