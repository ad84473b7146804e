package io.zarrengine.zarr.device;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.zarrengine.bindings.NativeMemory;
import io.zarrengine.zarr.codec.Workspace;
import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.pipeline.ArrayPipeline;
import io.zarrengine.zarr.pipeline.ChunkElements;
import io.zarrengine.zarr.pipeline.ChunkPipeline;
import io.zarrengine.zarr.pipeline.ChunkPipeline.Serializer;
import io.zarrengine.zarr.plan.ChunkPlan;
import io.zarrengine.zarr.plan.Region;
import io.zarrengine.zarr.sink.ChunkSink;
import io.zarrengine.zarr.sink.LentMemory;
import io.zarrengine.zarr.task.ReadRequest;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/**
 * Devices with host memory: the plain twin of those that need hardware. They decode each chunk and
 * place one element after the other.
 */
public final class HostMemoryDevices implements DeviceProvider, Devices {
    private static final long LENT_BYTES = 256 << 10;
    private static final long PAGE_BYTES = 4096;

    private final DeviceCounters counters = new DeviceCounters();
    private final Arena arena = Arena.ofShared(); // until the workers are gone
    private final MemorySegment lentMemory = arena.allocate(LENT_BYTES, PAGE_BYTES);
    private final AtomicBoolean isLent = new AtomicBoolean();
    private HostWorkers workers;
    private boolean isClosed;

    /** {@return whether lent memory was not returned} */
    public boolean isLent() {
        return isLent.get();
    }

    public boolean isOpened() {
        return workers != null;
    }

    public boolean isClosed() {
        return isClosed;
    }

    @Override
    public Optional<String> unavailabilityCause() {
        return Optional.empty();
    }

    @Override
    public Optional<String> directReadUnavailabilityCause() {
        return Optional.of("no files are read around this memory");
    }

    @Override
    public Devices open(DeviceSetup setup) {
        workers = setup.workers();
        return this;
    }

    @Override
    public DeviceReading read(int device, DeviceJob job) {
        NativeMemory memory = NativeMemory.allocate(job.bytes());
        return new Reading(job, memory.segment(), memory);
    }

    @Override
    public DeviceReading read(int device, DeviceJob job, TargetAddress target) {
        throw new UnsupportedOperationException("memory of the caller's");
    }

    @Override
    public Optional<String> hostReason(ChunkPlan plan, long bytes, ArrayPipeline pipelines) {
        return decodes(pipelines.largest().innermost())
                ? Optional.empty()
                : Optional.of("chunks that need their neighbours");
    }

    private static boolean decodes(ChunkPipeline inner) {
        return inner.serializer() instanceof Serializer.Elements
                || inner.serializer() instanceof Serializer.Filtered;
    }

    @Override
    public Optional<DeviceCounters> counters(int device) {
        return Optional.of(counters);
    }

    @Override
    public void close() {
        isClosed = true;
        arena.close();
    }

    private final class Reading implements DeviceReading, DeviceMemory {
        private final MemorySegment target;
        private final NativeMemory memory;
        private final ReadRequest request;
        private final CompletableFuture<DeviceMemory> result = new CompletableFuture<>();

        Reading(DeviceJob job, MemorySegment target, NativeMemory memory) {
            this.target = target;
            this.memory = memory;
            boolean decodes =
                    HostMemoryDevices.this
                            .hostReason(job.plan(), job.bytes(), job.source().pipelines())
                            .isEmpty();
            request =
                    decodes
                            ? ReadRequest.ofSink(job.source(), job.plan(), new Placing(target))
                            : new ReadRequest(job.source(), job.plan(), target);
            request.whenEnded(this::ended);
            workers.submit(request);
        }

        private void ended(Throwable cause) {
            if (cause == null) {
                result.complete(this);
            } else {
                memory.close();
                result.completeExceptionally(cause);
            }
        }

        @Override
        public void whenEnded(BiConsumer<DeviceMemory, Throwable> listener) {
            var _ = result.whenComplete(listener);
        }

        @Override
        public boolean hasEnded() {
            return result.isDone();
        }

        @Override
        public void fail(Throwable cause) {
            request.fail(cause);
        }

        @Override
        public CompletableFuture<DeviceMemory> compute(DeviceComputation computation) {
            return CompletableFuture.failedFuture(new UnsupportedOperationException());
        }

        @Override
        public long pointer() {
            return target.address();
        }

        @Override
        public long byteSize() {
            return target.byteSize();
        }

        @Override
        public boolean isOwn() {
            return true;
        }

        @Override
        public Optional<String> hostReason() {
            return Optional.empty();
        }

        @Override
        public void copyTo(MemorySegment copy) {
            copy.copyFrom(target);
        }

        @Override
        public void recordStream(long stream) {
            throw new UnsupportedOperationException("streams of the caller's");
        }

        @Override
        public CompletableFuture<Void> whenUnused() {
            throw new UnsupportedOperationException("streams of the caller's");
        }

        @Override
        public void close() {
            memory.close();
        }

        @Override
        public void forget() {
            close();
        }
    }

    /** Takes the chunks of one read. */
    private final class Placing implements ChunkSink {
        private final MemorySegment target;

        Placing(MemorySegment target) {
            this.target = target;
        }

        @Override
        public void take(
                ChunkPipeline pipeline,
                MemorySegment encoded,
                List<Region> parts,
                Workspace workspace,
                Supplier<String> label)
                throws CodecException {
            counters.launched(1, 1);
            MemorySegment elements = ChunkElements.decode(pipeline, encoded, workspace);
            for (Region part : parts) {
                place(pipeline, elements, part, 0, 0, part.targetOffset());
            }
        }

        /**
         * {@code first}: the number of the element in the chunk, for the dimensions before {@code
         * d}.
         */
        private void place(
                ChunkPipeline pipeline,
                MemorySegment elements,
                Region part,
                int d,
                long first,
                long to) {
            if (d == part.rank()) {
                boolean isOne = elements.byteSize() == pipeline.elementBytes(); // a fill value
                placeOne(pipeline, elements, isOne ? 0 : first, to);
                return;
            }
            long length = pipeline.encodedShape().get(d);
            for (long i = 0; i < part.count(d); i++) {
                long at = first * length + part.start(d) + i * part.step(d);
                place(pipeline, elements, part, d + 1, at, to + i * part.targetStride(d));
            }
        }

        private void placeOne(
                ChunkPipeline pipeline, MemorySegment elements, long number, long to) {
            int bytes = pipeline.elementBytes();
            int swapped = elements.byteSize() == bytes ? 1 : swapBytes(pipeline);
            for (int i = 0; i < bytes; i++) {
                int from = i / swapped * swapped + (swapped - 1 - i % swapped);
                target.set(JAVA_BYTE, to + i, elements.get(JAVA_BYTE, number * bytes + from));
            }
        }

        private static int swapBytes(ChunkPipeline pipeline) {
            return pipeline.serializer() instanceof Serializer.Elements stored
                    ? Math.max(1, stored.swapBytes())
                    : 1;
        }

        @Override
        public void fill(ChunkPipeline pipeline, List<Region> parts, MemorySegment element) {
            for (Region part : parts) {
                place(pipeline, element, part, 0, 0, part.targetOffset());
            }
        }

        @Override
        public boolean lendsFor(int alignment) {
            return true;
        }

        /** Lends all memory to one read. */
        @Override
        public LentMemory tryLend(long bytes) {
            if (bytes > LENT_BYTES || !isLent.compareAndSet(false, true)) {
                return null;
            }
            return new LentMemory() {
                @Override
                public MemorySegment segment() {
                    return lentMemory.asSlice(0, bytes);
                }

                @Override
                public MemorySegment whole() {
                    return lentMemory;
                }

                @Override
                public void close() {
                    isLent.set(false);
                }
            };
        }
    }
}
