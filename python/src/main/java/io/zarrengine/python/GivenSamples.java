package io.zarrengine.python;

import io.zarrengine.zarr.Selection;
import io.zarrengine.zarr.loader.Sampler;
import java.util.ArrayList;
import java.util.List;

/**
 * Samples that Python gives before they are read, because no thread of Java calls Python. Threads:
 * any.
 */
final class GivenSamples implements Sampler {
    private final long count;
    private List<Selection> samples; // guarded by this, as the next
    private long first; // the number of the first of them

    /**
     * Takes the first samples.
     *
     * @param first the number of the first of them
     * @param count the number of all samples; {@link Long#MAX_VALUE} if they have no end
     */
    GivenSamples(long first, long count, List<Selection> samples) {
        this.first = first;
        this.count = count;
        this.samples = new ArrayList<>(samples);
    }

    /** Adds the next samples, and forgets those before a number, which were delivered. */
    synchronized void add(long firstKept, List<Selection> next) {
        int delivered = Math.toIntExact(Math.clamp(firstKept - first, 0, samples.size()));
        List<Selection> kept = new ArrayList<>(samples.subList(delivered, samples.size()));
        kept.addAll(next);
        samples = kept;
        first += delivered;
    }

    @Override
    public synchronized Selection get(long number) {
        if (number < first || number >= first + samples.size()) {
            throw new IllegalStateException(
                    "sample %d is not among those from %d to %d"
                            .formatted(number, first, first + samples.size() - 1));
        }
        return samples.get(Math.toIntExact(number - first));
    }

    @Override
    public long count() {
        return count;
    }
}
