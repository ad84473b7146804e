package io.zarrengine.gpu.tuning;

import io.zarrengine.nvcomp.NvcompFormat;

/**
 * Estimates whether chunks are decoded sooner by the workers, each of which decodes one chunk after
 * another, or by a device, which decodes thousands at once but takes long for each.
 *
 * <p>The device's time for a batch has three parts: a launch, the time of its largest chunk, which
 * one warp decodes alone, and the bytes of all chunks at its peak rate. The rates are those of an
 * H200 and of its host's cores (docs/decisions/gpu-hybrid.md). Bytes are decoded bytes.
 *
 * <p>Immutable.
 */
public final class DecodeCosts {
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

    /**
     * Rates in bytes per nanosecond, which is GB/s: of one worker, of a device for one chunk, and
     * of a device for many chunks.
     */
    private record Rates(double worker, double launchNanos, double chunk, double peak) {
        private static final Rates ZSTD = new Rates(0.8, 500_000, 0.075, 75);
        private static final Rates LZ4 = new Rates(1.5, 300_000, 0.03, 90);
        private static final Rates SNAPPY = new Rates(1.0, 300_000, 0.055, 200);
        private static final Rates DEFLATE = new Rates(0.35, 1_000_000, 0.02, 25);

        static Rates of(NvcompFormat format) {
            return switch (format) {
                case ZSTD -> ZSTD;
                case LZ4 -> LZ4;
                case SNAPPY -> SNAPPY;
                default -> DEFLATE;
            };
        }
    }

    private final int workers;
    private final long batchChunks;
    private final long batchBytes;

    public DecodeCosts(int workers, DeviceOptions options) {
        this.workers = workers;
        this.batchChunks = options.batchChunks();
        this.batchBytes = options.batchBytes();
    }

    /**
     * {@return whether the device decodes these chunks sooner than all workers would, and sooner
     * than chunks that workers decode could reach the device}
     *
     * @param streamBytes decoded bytes of each stream of a chunk
     * @param streams the number of streams of a chunk; a worker decodes them one after another
     */
    boolean prefersDevice(NvcompFormat format, long streamBytes, long streams, long chunks) {
        double wayNanos = streamBytes * streams * chunks / HOST_WAY_RATE;
        double host = Math.max(hostNanos(format, streamBytes * streams, chunks), wayNanos);
        double device = deviceNanos(format, streamBytes, streams * chunks);
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
     * copy.
     */
    boolean isHelpWelcome(NvcompFormat format, long chunkBytes) {
        Rates rates = Rates.of(format);
        double bytes = (double) batchChunks(chunkBytes) * chunkBytes;
        double device = batchNanos(format, chunkBytes, (long) bytes);
        double host = bytes / workers / rates.worker;
        return device - rates.launchNanos > bytes / LINK_RATE && device > HELP_SHARE * host;
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
        Rates rates = Rates.of(format);
        return rates.launchNanos + chunkBytes / rates.chunk + allBytes / rates.peak;
    }

    /** Returns the nanoseconds of all workers together for all chunks. */
    double hostNanos(NvcompFormat format, long chunkBytes, long chunks) {
        double rounds = Math.max(1, (double) chunks / workers);
        return rounds * chunkBytes / Rates.of(format).worker;
    }
}
