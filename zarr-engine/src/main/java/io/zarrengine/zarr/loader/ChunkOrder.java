package io.zarrengine.zarr.loader;

import io.zarrengine.zarr.ZarrArray;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * An order at random in which samples of one chunk lie near each other. Each epoch puts the chunks
 * in another order at random, and takes some together as a window, whose samples it shuffles. The
 * chunk of a sample is the first one that it touches. Threads: one at a time.
 */
final class ChunkOrder implements SampleOrder {
    private final int[] samples; // by chunk
    private final int[] begins; // of each chunk in the samples; then their number
    private final int together;
    private final long run;
    private final Permutation chunkOrder;
    private long laidOutEpoch = -1; // of the two arrays below
    private final int[] chunks; // in the order of the epoch
    private final int[] places; // in the epoch of the first sample of each; then their number

    private ChunkOrder(int[] samples, int[] begins, int together, long seed) {
        this.samples = samples;
        this.begins = begins;
        this.together = together;
        this.run = new SplittableRandom(seed).nextLong();
        this.chunks = new int[begins.length - 1];
        this.places = new int[begins.length];
        this.chunkOrder = new Permutation(chunks.length);
    }

    /**
     * {@return the order}
     *
     * @param together number of chunks in a window
     */
    static ChunkOrder of(ZarrArray array, Sampler sampler, int together, long seed) {
        int count = Math.toIntExact(sampler.count());
        Map<List<Long>, Integer> known = new HashMap<>();
        int[] chunkOf = new int[count];
        for (int i = 0; i < count; i++) {
            List<long[]> touched = array.chunksOf(sampler.get(i));
            List<Long> first =
                    touched.isEmpty()
                            ? List.of()
                            : Arrays.stream(touched.getFirst()).boxed().toList();
            chunkOf[i] = known.computeIfAbsent(first, _ -> known.size());
        }
        return of(chunkOf, known.size(), together, seed);
    }

    /** {@code chunkOf} has the number of the chunk of each sample. */
    static ChunkOrder of(int[] chunkOf, int chunks, int together, long seed) {
        int[] begins = new int[chunks + 1];
        for (int chunk : chunkOf) {
            begins[chunk + 1]++;
        }
        Arrays.parallelPrefix(begins, Integer::sum);
        int[] next = begins.clone();
        int[] samples = new int[chunkOf.length];
        for (int i = 0; i < chunkOf.length; i++) {
            samples[next[chunkOf[i]]++] = i;
        }
        return new ChunkOrder(samples, begins, together, seed);
    }

    @Override
    public long at(long epoch, long position) {
        layOut(epoch);
        int index = chunkAt((int) position);
        int window = index / together;
        int begin = places[window * together];
        int end = places[Math.min(chunks.length, (window + 1) * together)];
        long key = Permutation.mixed(run ^ epoch) + window;
        int mixed = begin + (int) new Permutation(end - begin).at(position - begin, key);
        int from = chunkAt(mixed);
        return samples[begins[chunks[from]] + mixed - places[from]];
    }

    /** {@return the index, in the order of the epoch, of the chunk that lies at a place} */
    private int chunkAt(int place) {
        int found = Arrays.binarySearch(places, 0, chunks.length, place);
        return found >= 0 ? found : -found - 2; // no chunk is without a sample
    }

    private void layOut(long epoch) {
        if (epoch == laidOutEpoch) {
            return;
        }
        int place = 0;
        for (int i = 0; i < chunks.length; i++) {
            int chunk = (int) chunkOrder.at(i, run ^ epoch);
            chunks[i] = chunk;
            places[i] = place;
            place += begins[chunk + 1] - begins[chunk];
        }
        places[chunks.length] = place;
        laidOutEpoch = epoch;
    }
}
