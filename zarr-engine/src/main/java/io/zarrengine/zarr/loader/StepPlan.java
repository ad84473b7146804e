package io.zarrengine.zarr.loader;

import java.util.Optional;

/**
 * Divides the samples of each epoch into the steps of one rank. Immutable. In a step, rank {@code
 * r} takes the {@code r}-th block of {@code batch} samples.
 *
 * @param epochSize number of samples in an epoch; {@link Long#MAX_VALUE} for one without end
 * @param epochs number of epochs
 * @param batch number of samples in a rank's full batch
 * @param rank from 0, below {@code world}
 * @param world number of ranks
 * @param end the treatment of the last samples
 */
record StepPlan(long epochSize, long epochs, int batch, int rank, int world, EpochEnd end) {
    /**
     * One step of this rank.
     *
     * @param epoch the epoch
     * @param first the position in the epoch of its first sample
     * @param size number of samples, at least 1
     * @param padding number of samples at its end that repeat the beginning of the epoch
     * @param next the state after the step
     */
    record Step(long epoch, long first, int size, int padding, LoaderState next) {}

    /**
     * {@return the first step at or after a state, or empty after the last one}
     *
     * @throws IllegalArgumentException if the state is beyond the end of an epoch
     */
    Optional<Step> stepAt(LoaderState state) {
        if (state.sample() > epochSize) {
            throw new IllegalArgumentException(
                    "the state is sample %d of an epoch that has %d: it is of other samples"
                            .formatted(state.sample(), epochSize));
        }
        if (state.epoch() >= epochs || epochSize == 0) {
            return Optional.empty();
        }
        Optional<Step> here = inEpoch(state);
        if (here.isPresent() || state.epoch() + 1 == epochs) {
            return here;
        }
        return inEpoch(new LoaderState(state.epoch() + 1, 0));
    }

    private Optional<Step> inEpoch(LoaderState state) {
        long rest = epochSize - state.sample();
        long together = (long) batch * world;
        if (rest >= together) {
            long first = state.sample() + (long) rank * batch;
            return step(state, first, batch, 0, state.sample() + together);
        }
        return switch (end) {
            case DROP -> Optional.empty();
            case PAD -> rest == 0 ? Optional.empty() : padded(state, rest);
            case PARTIAL -> partial(state, rest);
        };
    }

    private Optional<Step> padded(LoaderState state, long rest) {
        long begin = (long) rank * batch;
        int own = Math.clamp(rest - begin, 0, batch);
        return step(state, state.sample() + begin, batch, batch - own, epochSize);
    }

    private Optional<Step> partial(LoaderState state, long rest) {
        long each = rest / world;
        long more = rest % world; // ranks that take one more
        int size = (int) (each + (rank < more ? 1 : 0));
        long first = state.sample() + rank * each + Math.min(rank, more);
        return size == 0 ? Optional.empty() : step(state, first, size, 0, epochSize);
    }

    private Optional<Step> step(LoaderState at, long first, int size, int padding, long end) {
        LoaderState next =
                end == epochSize
                        ? new LoaderState(at.epoch() + 1, 0)
                        : new LoaderState(at.epoch(), end);
        return Optional.of(new Step(at.epoch(), first, size, padding, next));
    }

    /** {@return the position in the epoch of a sample of a step; padding begins again at 0} */
    long position(Step step, int index) {
        return (step.first() + index) % epochSize;
    }
}
