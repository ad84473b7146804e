package io.zarrengine.zarr.loader;

import io.zarrengine.zarr.DeviceTensor;
import io.zarrengine.zarr.HostTensor;
import io.zarrengine.zarr.Selection;
import io.zarrengine.zarr.Target;
import io.zarrengine.zarr.ZarrArray;
import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.datatype.VariableLengthType;
import io.zarrengine.zarr.transform.Transform;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Builds a {@link Loader} from options. Threads: one at a time. */
public final class LoaderBuilder {
    private static final int PREFETCH_MAX = 1 << 16;

    private final List<Variable> variables = new ArrayList<>();
    private int batch = 1;
    private int prefetch = 2;
    private long epochs = 1;
    private long epochLength = Long.MAX_VALUE;
    private int rank;
    private int world = 1;
    private EpochEnd end = EpochEnd.PARTIAL;
    private Long seed; // null: in order
    private int chunksTogether; // 0: samples are shuffled without regard to chunks
    private LoaderState start = LoaderState.START;
    private SegmentAllocator memory; // null: the loader's own
    private final List<NamedOutput> outputs = new ArrayList<>();

    private record NamedOutput(
            String name, SequencedMap<String, Transform> channels, boolean isStack) {}

    LoaderBuilder() {}

    /**
     * Adds an array. A batch has a tensor of each array, of the samples of the same numbers.
     *
     * @param name of its tensors; another than those of the other arrays
     * @param array the array
     * @param sampler its samples; as many as those of the other arrays
     * @return this
     * @throws IllegalArgumentException if the name is taken, the numbers of samples differ, or the
     *     elements have no fixed size
     */
    public LoaderBuilder add(String name, ZarrArray array, Sampler sampler) {
        Variable added = new Variable(name, array, sampler);
        if (array.dataType() instanceof VariableLengthType type) {
            throw new IllegalArgumentException(
                    array.path() + ": elements of the type " + type.typeName() + " have no size");
        }
        for (Variable other : variables) {
            if (other.name().equals(name)) {
                throw new IllegalArgumentException("there are two arrays of the name " + name);
            }
            if (other.sampler().count() != sampler.count()) {
                throw new IllegalArgumentException(
                        "%s has %d samples, %s has %d"
                                .formatted(
                                        other.name(),
                                        other.sampler().count(),
                                        name,
                                        sampler.count()));
            }
        }
        variables.add(added);
        return this;
    }

    /**
     * Sets the number of samples in a batch. Default: 1. Handing over a batch of less than some 100
     * KiB takes longer than reading it.
     *
     * @param samples at least 1
     * @return this
     */
    public LoaderBuilder batch(int samples) {
        batch = (int) atLeast(1, samples, "samples in a batch");
        return this;
    }

    /**
     * Sets the number of batches that are read ahead of the caller's current one. Default: 2.
     *
     * @param batches from 0 to 65,536
     * @return this
     */
    public LoaderBuilder prefetch(int batches) {
        if (batches > PREFETCH_MAX) {
            throw new IllegalArgumentException(
                    batches + " batches to read ahead: at most " + PREFETCH_MAX + " are possible");
        }
        prefetch = (int) atLeast(0, batches, "batches to read ahead");
        return this;
    }

    /**
     * Shuffles: each epoch has another order at random. A sampler without end needs {@link
     * #epochLength}.
     *
     * @param newSeed the same seed gives the same orders
     * @return this
     */
    public LoaderBuilder shuffle(long newSeed) {
        seed = newSeed;
        chunksTogether = 0;
        return this;
    }

    /**
     * Shuffles so that few chunks are read again: each epoch takes the chunks of the first array in
     * another order at random, and shuffles the samples of some chunks together. The chunk of a
     * sample is the first one that it touches. An engine whose {@code chunkCacheBytes} hold these
     * chunks decodes each of them once. {@link #report} says what an order costs. Needs a sampler
     * with an end, and looks at each sample when the loader opens.
     *
     * @param newSeed the same seed gives the same orders
     * @param chunks number of chunks whose samples are mixed, at least 1
     * @return this
     */
    public LoaderBuilder shuffleByChunks(long newSeed, int chunks) {
        seed = newSeed;
        chunksTogether = (int) atLeast(1, chunks, "chunks together");
        return this;
    }

    /**
     * Sets the number of epochs. Default: 1.
     *
     * @param number 1 or more; {@link Long#MAX_VALUE} for no end
     * @return this
     */
    public LoaderBuilder epochs(long number) {
        epochs = atLeast(1, number, "epochs");
        return this;
    }

    /**
     * Divides samplers without end into epochs. Default: one epoch without end. The next epoch has
     * the next samples.
     *
     * @param samples number of samples in an epoch, of all ranks together
     * @return this
     */
    public LoaderBuilder epochLength(long samples) {
        epochLength = atLeast(1, samples, "samples in an epoch");
        return this;
    }

    /**
     * Sets what happens to the last samples of an epoch. Default: {@link EpochEnd#PARTIAL}.
     *
     * @param newEnd the rule
     * @return this
     */
    public LoaderBuilder end(EpochEnd newEnd) {
        end = Objects.requireNonNull(newEnd, "the end of an epoch is null");
        return this;
    }

    /**
     * Makes this the loader of one of several ranks. All ranks have the same options otherwise. In
     * each step rank {@code r} gets the {@code r}-th block of samples, so that the ranks together
     * deliver each sample of an epoch once. If the ranks wait for each other in each step, the end
     * must be {@link EpochEnd#DROP} or {@link EpochEnd#PAD}: only these give all ranks the same
     * number of steps.
     *
     * @param newRank from 0, below {@code ranks}
     * @param ranks number of ranks
     * @param newEnd the treatment of the last samples
     * @return this
     */
    public LoaderBuilder rank(int newRank, int ranks, EpochEnd newEnd) {
        if (newRank < 0 || newRank >= ranks) {
            throw new IllegalArgumentException("rank " + newRank + " of " + ranks);
        }
        rank = newRank;
        world = ranks;
        return end(newEnd);
    }

    /**
     * Sets where the loader begins. Default: {@link LoaderState#START}.
     *
     * @param state the state of an earlier loader with the same samplers, seed and epoch length;
     *     batch size and ranks may be others
     * @return this
     */
    public LoaderBuilder from(LoaderState state) {
        start = Objects.requireNonNull(state, "the state is null");
        return this;
    }

    /**
     * Sets the memory of the tensors. Default: memory of the loader's own; on a GPU new memory for
     * each. Of each array there are as many blocks as batches that are read ahead, and one more,
     * used again and again; while the batches grow, small blocks are replaced. The memory stays the
     * caller's, and must be valid until the loader is closed.
     *
     * @param allocator native memory that every thread may write, e.g. {@link
     *     java.lang.foreign.Arena#ofShared}; for a loader to a GPU, memory of that GPU, of which
     *     Java only uses the address and the length. What it throws fails the step
     * @return this
     */
    public LoaderBuilder memory(SegmentAllocator allocator) {
        memory = Objects.requireNonNull(allocator, "the allocator is null");
        return this;
    }

    /**
     * Adds a tensor that is computed from the samples of an array. With such tensors, a batch has
     * these only.
     *
     * @param name of the tensor; another than those of the other computed tensors
     * @param array name of the array
     * @param transform of each sample
     * @return this
     */
    public LoaderBuilder output(String name, String array, Transform transform) {
        SequencedMap<String, Transform> one = new LinkedHashMap<>();
        one.put(array, transform);
        return output(new NamedOutput(name, one, false));
    }

    /**
     * Adds a tensor whose channels are computed from the samples of several arrays. It has the
     * shape {@code (samples, channels, shape of a channel)}. With such tensors, a batch has these
     * only.
     *
     * @param name of the tensor; another than those of the other computed tensors
     * @param channels names of the arrays in the order of the channels, and the transform of each;
     *     all give the same shape and type
     * @return this
     */
    public LoaderBuilder stack(String name, SequencedMap<String, Transform> channels) {
        return output(new NamedOutput(name, new LinkedHashMap<>(channels), true));
    }

    private LoaderBuilder output(NamedOutput output) {
        if (outputs.stream().anyMatch(other -> other.name().equals(output.name()))) {
            throw new IllegalArgumentException("there are two tensors " + output.name());
        }
        if (output.channels().isEmpty()) {
            throw new IllegalArgumentException("the tensor " + output.name() + " has no channel");
        }
        outputs.add(output);
        return this;
    }

    private static long atLeast(long min, long number, String what) {
        if (number < min) {
            throw new IllegalArgumentException(
                    "%d %s: at least %d is needed".formatted(number, what, min));
        }
        return number;
    }

    /**
     * {@return a loader to host memory, which has begun to read; the caller closes it}
     *
     * @throws IllegalArgumentException if the options do not fit each other, the state is of other
     *     samples, or a transform does not fit the first sample
     */
    public Loader<HostTensor> open() {
        LoaderSteps steps = steps();
        List<Output> computed = computed(steps);
        SegmentAllocator readTo = computed.isEmpty() ? memory : null;
        List<LoaderMemory> memories = new ArrayList<>();
        List<Function<List<Selection>, CompletableFuture<HostTensor>>> reads = new ArrayList<>();
        for (Variable variable : variables) {
            LoaderMemory own = new LoaderMemory(readTo);
            memories.add(own);
            reads.add(samples -> variable.array().readAsync(samples, own::newTensor));
        }
        BatchSource<HostTensor> source =
                new ArrayReads<>(
                        reads,
                        HostTensor::closeIfOpen,
                        () -> memories.forEach(LoaderMemory::close));
        if (!computed.isEmpty()) {
            source = new TransformedBatches(source, computed, () -> new LoaderMemory(memory));
        }
        return new Loader<>(steps, source, prefetch, start);
    }

    /** {@return the computed tensors, which fit the first sample} */
    private List<Output> computed(LoaderSteps steps) {
        List<Output> computed = outputs.stream().map(this::resolved).toList();
        if (!computed.isEmpty()) {
            checkFirst(steps, computed);
        }
        return computed;
    }

    private Output resolved(NamedOutput output) {
        List<Output.Channel> channels = new ArrayList<>();
        output.channels()
                .forEach((array, transform) -> {
                    int index = variables.stream().map(Variable::name).toList().indexOf(array);
                    if (index < 0) {
                        throw new IllegalArgumentException(
                                "the tensor %s is of %s, which is no array of the loader"
                                        .formatted(output.name(), array));
                    }
                    if (!(variables.get(index).array().dataType() instanceof NumericType type)) {
                        throw new IllegalArgumentException(
                                variables.get(index).array()
                                        + ": no transform of what is no number");
                    }
                    channels.add(new Output.Channel(index, transform, type));
                });
        return new Output(output.name(), channels, output.isStack());
    }

    /** Refuses transforms that do not fit the first sample. */
    private void checkFirst(LoaderSteps steps, List<Output> computed) {
        Optional<StepPlan.Step> first = steps.plan().stepAt(start);
        if (first.isEmpty()) {
            return;
        }
        long number = steps.numbers(first.get())[0];
        List<long[]> shapes = new ArrayList<>();
        for (Variable variable : variables) {
            Selection sample = variable.sample(number);
            variable.check(number, sample);
            shapes.add(variable.array().shapeOf(sample));
        }
        computed.forEach(output -> output.shapeAfter(shapes));
    }

    /**
     * {@return a loader to memory of a GPU, which has begun to read; the caller closes it} Computed
     * tensors are computed there, so its budget must hold what is read and what is computed of all
     * batches, except what lies in {@link #memory}. A GPU has room for 24 steps of a transform, two
     * of them means, for numbers of 512 channels, and for samples of 6 dimensions; a step that
     * needs more fails. If the GPU fails, each step with computed tensors fails, and each to the
     * caller's memory.
     *
     * <p>A block of the caller's memory is first written after the work of the target's stream, if
     * it names one, which must be valid until the loader is closed; and again after the work that
     * was queued, when its batch was closed, in the streams that {@link DeviceTensor#recordStream}
     * has named.
     *
     * @param target the device
     * @throws IllegalArgumentException as {@link #open()} throws; or if the target is one place in
     *     the caller's memory, because each batch that is read ahead needs one
     */
    public Loader<DeviceTensor> open(Target target) {
        if (!target.isNew()) {
            throw new IllegalArgumentException(
                    "each batch needs a place: give memory() the caller's memory");
        }
        LoaderSteps steps = steps();
        List<Output> computed = computed(steps);
        List<Function<List<Selection>, CompletableFuture<DeviceTensor>>> reads = new ArrayList<>();
        SegmentAllocator readTo = computed.isEmpty() ? memory : null;
        DeviceBlocks blocks = new DeviceBlocks(readTo, target, variables.size());
        for (int i = 0; i < variables.size(); i++) {
            ZarrArray array = variables.get(i).array();
            int kind = i;
            reads.add(samples ->
                    blocks.fill(
                            kind,
                            () -> array.bytesOf(samples),
                            place -> array.readAsync(samples, place)));
        }
        BatchSource<DeviceTensor> source = new ArrayReads<>(reads, blocks::release, () -> {});
        if (!computed.isEmpty()) {
            DeviceBlocks results = new DeviceBlocks(memory, target, computed.size());
            source = new DeviceTransformedBatches(source, computed, results);
        }
        return new Loader<>(steps, source, prefetch, start);
    }

    /**
     * {@return the cost of the samples' order, and how well it mixes; reads nothing} It goes
     * through an epoch, some microseconds for each sample.
     *
     * @throws IllegalArgumentException as {@link #open()} throws; or if an epoch has no end or no
     *     sample
     */
    public OrderReport report() {
        LoaderSteps steps = steps();
        if (steps.plan().epochSize() == Long.MAX_VALUE || steps.plan().epochSize() == 0) {
            throw new IllegalArgumentException("the epoch has no end, or no sample");
        }
        return OrderReport.of(steps);
    }

    private LoaderSteps steps() {
        if (variables.isEmpty()) {
            throw new IllegalArgumentException("the loader has no array");
        }
        long count = variables.getFirst().sampler().count();
        boolean isEndless = count == Long.MAX_VALUE;
        long epochSize = isEndless ? epochLength : count;
        if (!isEndless && epochLength != Long.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "an epoch length of %d, but the sampler has %d samples"
                            .formatted(epochLength, count));
        }
        if (seed != null && epochSize == Long.MAX_VALUE) {
            throw new IllegalArgumentException("samples without end have no order at random");
        }
        if (end == EpochEnd.DROP && epochSize < (long) batch * world) {
            throw new IllegalArgumentException(
                    "an epoch of %d samples has no full batch of %d for %d ranks"
                            .formatted(epochSize, batch, world));
        }
        StepPlan plan = new StepPlan(epochSize, epochs, batch, rank, world, end);
        plan.stepAt(start); // refuses a state of other samples
        return new LoaderSteps(
                List.copyOf(variables), plan, order(epochSize, isEndless), isEndless);
    }

    private SampleOrder order(long epochSize, boolean isEndless) {
        if (seed == null) {
            return SampleOrder.SEQUENTIAL;
        }
        if (chunksTogether == 0) {
            return SampleOrder.shuffled(epochSize, seed);
        }
        if (isEndless) {
            throw new IllegalArgumentException("samples without end have no order by chunks");
        }
        Variable first = variables.getFirst();
        return ChunkOrder.of(first.array(), first.sampler(), chunksTogether, seed);
    }
}
