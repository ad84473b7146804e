package io.zarrengine.gpu.tuning;

import io.zarrengine.nvcomp.NvcompFormat;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Estimates whether chunks are decoded sooner by the workers, each of which decodes one chunk after
 * another, or by a device, which decodes thousands at once but takes long for each.
 *
 * <p>The device's time for a batch has three parts: a launch, the time of its largest chunk, which
 * one warp decodes alone, and the bytes of all chunks at its peak rate. Rates begin with those
 * measured on an H200 (docs/decisions/gpu-hybrid.md) and on its host's cores, and follow the decode
 * times measured here: the CPU's rate directly, the device's by a factor for its whole time. Bytes
 * are decoded bytes.
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

    /**
     * The workers' rate, as a share of the device's, from which their help outweighs their other
     * work.
     */
    private static final double HELP_SHARE = 0.15;

    /**
     * The largest share of the workers' time for all chunks that the device's shortest batch may
     * take.
     */
    private static final double PART_SHARE = 0.8;

    /**
     * The largest ratio of the device's time to that of all workers for a batch that helps them.
     */
    private static final double PART_SLOWNESS_MAX = 1.5;

    /**
     * Approximate copy rate to a device, in bytes per nanosecond. Chunks that the device decodes at
     * this rate could not arrive sooner if workers decoded them.
     */
    private static final double LINK_RATE = 50;

    /**
     * The best rate, in bytes per nanosecond, at which bytes that workers decode and copy to slots
     * reach the device. They pass through host memory three more times. 16 workers reached 42 to 46
     * with chunks that needed no decoding.
     */
    private static final double HOST_WAY_RATE = 40;

    /** After so many chunks most of what was learned of a device that is not used is forgotten. */
    private static final double FORGOTTEN_CHUNKS = 1 << 20;

    /**
     * Rates in bytes per nanosecond, which is GB/s: of one worker, of a device for one chunk, and
     * of a device for many chunks.
     */
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
     * {@return whether the device decodes these chunks sooner than all workers would, and sooner
     * than chunks that workers decode could reach the device} A device that was slow once is tried
     * again.
     *
     * @param streamBytes decoded bytes of each stream of a chunk
     * @param streams the number of streams of a chunk; a worker decodes them one after another
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
     * {@return whether these chunks finish sooner if the device decodes some of them, although the
     * device alone would be slower than the workers} A batch must end while the workers decode the
     * rest, and must justify the room in batches that it takes from chunks that workers decoded.
     */
    boolean isPartWelcome(NvcompFormat format, long chunkBytes, long chunks) {
        long batch = batchChunks(chunkBytes);
        return batchNanos(format, chunkBytes, 0)
                        < PART_SHARE * hostNanos(format, chunkBytes, chunks)
                && deviceNanos(format, chunkBytes, batch)
                        < PART_SLOWNESS_MAX * hostNanos(format, chunkBytes, batch);
    }

    /**
     * {@return whether the workers should decode a part of the chunks that the device decodes
     * sooner} Their cores are not idle: they read, and the chunks they decode are more bytes to
     * copy. Measured decode times of the workers are not used: after one slow measurement the
     * workers would never decode again, and never be measured again.
     */
    boolean isHelpWelcome(NvcompFormat format, long chunkBytes) {
        Rates start = formats.get(format).start;
        double bytes = (double) batchChunks(chunkBytes) * chunkBytes;
        double device = batchNanos(format, chunkBytes, (long) bytes);
        double host = bytes / workers / start.worker;
        return device - start.launchNanos > bytes / LINK_RATE && device > HELP_SHARE * host;
    }

    /** {@return the maximum number of chunks in a batch} */
    long batchChunks(long chunkBytes) {
        return Math.max(1, Math.min(batchChunks, batchBytes / chunkBytes));
    }

    /** Returns the device's nanoseconds for all chunks, in as many batches as they need. */
    double deviceNanos(NvcompFormat format, long chunkBytes, long chunks) {
        long batch = Math.clamp(chunks, 1, batchChunks(chunkBytes));
        double batches = Math.max(1, (double) chunks / batch);
        return batches * batchNanos(format, chunkBytes, batch * chunkBytes);
    }

    /**
     * {@return the device's nanoseconds for a batch}
     *
     * @param chunkBytes decoded bytes of its largest chunk
     * @param allBytes decoded bytes of all its chunks
     */
    public double batchNanos(NvcompFormat format, long chunkBytes, long allBytes) {
        Learned learned = formats.get(format);
        Rates start = learned.start;
        double nanos = start.launchNanos + chunkBytes / start.chunk + allBytes / start.peak;
        return nanos * learned.deviceFactor();
    }

    /** Returns the nanoseconds of all workers together for all chunks. */
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
