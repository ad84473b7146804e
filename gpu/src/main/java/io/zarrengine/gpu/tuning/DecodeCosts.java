package io.zarrengine.gpu.tuning;

import io.zarrengine.nvcomp.NvcompFormat;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Who decodes chunks sooner: the workers, each one chunk after another, or a device, thousands at
 * once, of which each takes long?
 *
 * <p>The device takes for a batch: a launch, the time of its largest chunk, which one warp decodes
 * alone, and the bytes of all by its peak rate. Rates begin with those measured on an H200
 * (docs/decisions/gpu-hybrid.md) and on its host's cores, and follow what decoding takes here: the
 * CPU's directly, the device's by a factor for the whole. Bytes are decoded ones.
 *
 * <p>Threads: any. Two that learn at once may lose one of their measurements.
 */
public final class DecodeCosts {
    /** A new measurement counts for so much. */
    private static final double WEIGHT = 1 / 16.0;

    /** What is measured is not trusted beyond this: a pause of the machine is not its speed. */
    private static final double FACTOR_MAX = 4;

    /** Smaller batches say how long a launch takes, which other work may have delayed. */
    private static final long LEARN_CHUNKS_MIN = 256;

    /** From this share of a device's rate on, the workers' help is worth their other work. */
    private static final double HELP_SHARE = 0.15;

    /** A device's shortest batch is to take no more of the time that workers take for all. */
    private static final double PART_SHARE = 0.8;

    /** How many times as long as all workers a device may take for a batch that helps them. */
    private static final double PART_SLOWNESS_MAX = 1.5;

    /**
     * Bytes a nanosecond that are copied to a device, about. What it decodes as fast could not come
     * decoded any sooner.
     */
    private static final double LINK_RATE = 50;

    /**
     * The same of what workers have decoded, and copied to slots, at best: that goes through the
     * host's memory three times more. 16 workers made 42 to 46 of what needed no decoding.
     */
    private static final double HOST_WAY_RATE = 40;

    /** After so many chunks most of what was learned of a device that is not used is forgotten. */
    private static final double FORGOTTEN_CHUNKS = 1 << 20;

    /** Rates in bytes a nanosecond, which is GB/s: of one worker, of one chunk, of all chunks. */
    private record Rates(double worker, double launchNanos, double chunk, double peak) {
        static Rates of(NvcompFormat format) {
            return switch (format) {
                case ZSTD -> new Rates(0.8, 500_000, 0.075, 75);
                case LZ4 -> new Rates(1.5, 300_000, 0.03, 90);
                case SNAPPY -> new Rates(1.0, 300_000, 0.055, 200);
                default -> new Rates(0.35, 1_000_000, 0.02, 25);
            };
        }
    }

    /** What was measured here: doubles, as bits. */
    private static final class Learned {
        final Rates start;
        final AtomicLong worker = new AtomicLong();
        final AtomicLong deviceFactor = new AtomicLong(Double.doubleToRawLongBits(1));
        volatile boolean hasDecoded; // a batch, which may have waited for its kernels

        Learned(Rates start) {
            this.start = start;
            worker.set(Double.doubleToRawLongBits(start.worker));
        }

        double worker() {
            return Double.longBitsToDouble(worker.get());
        }

        double deviceFactor() {
            return Double.longBitsToDouble(deviceFactor.get());
        }

        /**
         * Nothing is learned of a device that gets no chunks: it would never get any again. What is
         * measured meanwhile counts instead.
         */
        void forgetOfDevice() {
            long before = deviceFactor.get();
            double factor = Double.longBitsToDouble(before);
            deviceFactor.compareAndSet(before, bits(factor, 1, 1 / FORGOTTEN_CHUNKS));
        }
    }

    private final int workers;
    private final long batchChunks;
    private final long batchBytes;
    private final Map<NvcompFormat, Learned> formats = new EnumMap<>(NvcompFormat.class);

    public DecodeCosts(int workers, DeviceOptions options) {
        this.workers = workers;
        this.batchChunks = options.batchChunks();
        this.batchBytes = options.batchBytes();
        for (NvcompFormat format : NvcompFormat.values()) {
            formats.put(format, new Learned(Rates.of(format)));
        }
    }

    /**
     * {@return whether the device has decoded so many chunks sooner than all workers could have
     * decoded them, and sooner than what they decode could be there, whichever takes longer} A
     * device that was slow once is asked again.
     *
     * @param streamBytes of each stream of a chunk, decoded
     * @param streams of a chunk: a worker decodes them one after another
     */
    boolean prefersDevice(NvcompFormat format, long streamBytes, long streams, long chunks) {
        double wayNanos = streamBytes * streams * chunks / HOST_WAY_RATE;
        double host = Math.max(hostNanos(format, streamBytes * streams, chunks), wayNanos);
        double device = deviceNanos(format, streamBytes, streams * chunks);
        Learned learned = formats.get(format);
        if (device >= host && device < host * learned.deviceFactor()) {
            learned.forgetOfDevice();
        }
        return device < host;
    }

    /**
     * {@return whether so many chunks are decoded sooner if the device decodes some, though it
     * would not be the first with all of them} A batch must end while the workers are at the rest,
     * and be worth the room in batches that takes what they have decoded.
     */
    boolean isPartWelcome(NvcompFormat format, long chunkBytes, long chunks) {
        long batch = batchChunks(chunkBytes);
        return batchNanos(format, chunkBytes, 0)
                        < PART_SHARE * hostNanos(format, chunkBytes, chunks)
                && deviceNanos(format, chunkBytes, batch)
                        < PART_SLOWNESS_MAX * hostNanos(format, chunkBytes, batch);
    }

    /**
     * {@return whether workers had better decode a part of what the device decodes sooner} Their
     * cores are not free: they read, and what they decode is more to copy. What decoding took them
     * is not asked: if it took them long once, nobody would ever learn otherwise.
     */
    boolean isHelpWelcome(NvcompFormat format, long chunkBytes) {
        Rates start = formats.get(format).start;
        double bytes = (double) batchChunks(chunkBytes) * chunkBytes;
        double device = batchNanos(format, chunkBytes, (long) bytes);
        double host = bytes / workers / start.worker;
        return device - start.launchNanos > bytes / LINK_RATE && device > HELP_SHARE * host;
    }

    /** {@return how many chunks a batch has at most} */
    long batchChunks(long chunkBytes) {
        return Math.max(1, Math.min(batchChunks, batchBytes / chunkBytes));
    }

    /** Of all chunks, in as many batches as that takes. */
    double deviceNanos(NvcompFormat format, long chunkBytes, long chunks) {
        long batch = Math.clamp(chunks, 1, batchChunks(chunkBytes));
        double batches = Math.max(1, (double) chunks / batch);
        return batches * batchNanos(format, chunkBytes, batch * chunkBytes);
    }

    /**
     * {@return what the device takes for a batch}
     *
     * @param chunkBytes of its largest chunk
     * @param allBytes of all its chunks
     */
    public double batchNanos(NvcompFormat format, long chunkBytes, long allBytes) {
        Learned learned = formats.get(format);
        Rates start = learned.start;
        double nanos = start.launchNanos + chunkBytes / start.chunk + allBytes / start.peak;
        return nanos * learned.deviceFactor();
    }

    /** Of all chunks, by all workers. */
    double hostNanos(NvcompFormat format, long chunkBytes, long chunks) {
        double rounds = Math.max(1, (double) chunks / workers);
        return rounds * chunkBytes / formats.get(format).worker();
    }

    /** A worker has decoded a chunk. */
    void hostDecoded(NvcompFormat format, long bytes, long nanos) {
        Learned learned = formats.get(format);
        double start = learned.start.worker;
        double rate =
                Math.clamp(
                        (double) bytes / Math.max(1L, nanos),
                        start / FACTOR_MAX,
                        start * FACTOR_MAX);
        learned.worker.set(bits(learned.worker(), rate, WEIGHT));
    }

    /** The device has decoded a batch of one format. */
    public void deviceDecoded(
            NvcompFormat format, long chunks, long chunkBytesMax, long allBytes, long nanos) {
        if (chunks < Math.min(LEARN_CHUNKS_MIN, batchChunks(chunkBytesMax) / 2)) {
            return;
        }
        Learned learned = formats.get(format);
        if (!learned.hasDecoded) {
            learned.hasDecoded = true;
            return;
        }
        double expected = batchNanos(format, chunkBytesMax, allBytes) / learned.deviceFactor();
        double factor = Math.clamp(nanos / expected, 1 / FACTOR_MAX, FACTOR_MAX);
        learned.deviceFactor.set(bits(learned.deviceFactor(), factor, WEIGHT));
    }

    private static long bits(double before, double measured, double weight) {
        return Double.doubleToRawLongBits(before + weight * (measured - before));
    }
}
