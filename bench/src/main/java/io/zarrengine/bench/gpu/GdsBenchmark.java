package io.zarrengine.bench.gpu;

import io.zarrengine.bench.report.Median;
import io.zarrengine.cuda.CudaDevice;
import io.zarrengine.cuda.CudaRuntime;
import io.zarrengine.cuda.CudaStream;
import io.zarrengine.cuda.GpuDirectStorage;
import io.zarrengine.cuda.PinnedMemory;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Measures the benefit of GPUDirect Storage. Unit: GB/s of random ranges of a file that arrive on
 * the device, medians of rounds in which all ways take turns. After each round every place on the
 * device is compared with the file.
 *
 * <p>cuFile and the ring with O_DIRECT both read the drive, by blocking reads of as many threads;
 * the ring from the page cache reads no drive. Estimate: a drive is slower than the link to the
 * GPU, so cuFile gains only where the host's memory is the limit, and next to nothing on an idle
 * host.
 *
 * <p>Arguments: the folder of the file, which stays there; its MiB (4096), threads (the cores) and
 * seconds a round (2).
 */
final class GdsBenchmark {
    private static final int ROUNDS = 3;
    private static final int[] RANGE_BYTES = {64 << 10, 1 << 20};

    private final CudaDevice device;
    private final RandomFile file;
    private final int threads;
    private final long roundNanos;

    private GdsBenchmark(CudaDevice device, RandomFile file, int threads, double seconds) {
        this.device = device;
        this.file = file;
        this.threads = threads;
        this.roundNanos = (long) (seconds * 1e9);
    }

    /** Opens a way of reading, or throws the reason why it is missing. */
    private interface Way {
        RangeReads open(int rangeBytes) throws IOException;
    }

    /** Runs; ends with status 1 and a line where there is no GPU. */
    public static void main(String[] arguments) throws IOException {
        if (CudaRuntime.status() instanceof CudaRuntime.Status.Unusable unusable) {
            IO.println("bench: needs a GPU: " + unusable.reason());
            System.exit(1);
        }
        List<String> rest = List.of(arguments);
        if (rest.isEmpty() || !Files.isDirectory(Path.of(rest.getFirst()))) {
            IO.println("bench: gds FOLDER [MIB THREADS SECONDS], and the folder must be there");
            System.exit(2);
        }
        long mib = rest.size() > 1 ? Long.parseLong(rest.get(1)) : 4096;
        int cores = Runtime.getRuntime().availableProcessors();
        int threads = rest.size() > 2 ? Integer.parseInt(rest.get(2)) : cores;
        double seconds = rest.size() > 3 ? Double.parseDouble(rest.get(3)) : 2;
        RandomFile file = RandomFile.in(Path.of(rest.getFirst()), mib << 20);
        try (CudaDevice device = CudaDevice.open(0)) {
            IO.println(device.properties() + "\n" + GpuDirectStorage.status());
            IO.println(file + ", " + threads + " threads; GB/s, medians of " + ROUNDS);
            device.thread()
                    .call(() -> {
                        new GdsBenchmark(device, file, threads, seconds).run();
                        return null;
                    });
        }
    }

    private void run() throws IOException {
        IO.println(row("range", "cuFile", "ring, O_DIRECT", "ring, page cache"));
        for (int rangeBytes : RANGE_BYTES) {
            List<Way> ways =
                    List.of(
                            this::cuFile,
                            bytes -> new SlotReads(device, file, threads, bytes, true),
                            bytes -> new SlotReads(device, file, threads, bytes, false));
            double[][] rates = new double[ways.size()][ROUNDS];
            for (int round = 0; round < ROUNDS; round++) {
                for (int way = 0; way < ways.size(); way++) {
                    rates[way][round] = rate(ways.get(way), rangeBytes, round);
                }
            }
            String[] medians =
                    Arrays.stream(rates).map(GdsBenchmark::median).toArray(String[]::new);
            IO.println(row((rangeBytes >> 10) + " KiB", medians[0], medians[1], medians[2]));
        }
    }

    private RangeReads cuFile(int rangeBytes) throws IOException {
        if (GpuDirectStorage.status() instanceof GpuDirectStorage.Status.Unusable unusable) {
            throw new IOException(unusable.reason());
        }
        CuFileReads reads = CuFileReads.open(device, file, threads, rangeBytes);
        if (!reads.isRegistered()) {
            IO.println("cuFile does not register the memory: it copies once more");
        }
        return reads;
    }

    /**
     * Returns NaN if a way cannot be opened, e.g. without O_DIRECT; prints the reason in the first
     * round.
     */
    private double rate(Way way, int rangeBytes, int round) throws IOException {
        RangeReads reads;
        try {
            reads = way.open(rangeBytes);
        } catch (IOException | UnsupportedOperationException e) {
            if (round == 0) {
                IO.println("not possible: " + e.getMessage());
            }
            return Double.NaN;
        }
        try (reads) {
            double rate = reads.rate(roundNanos, round * 1000L);
            check(reads);
            return rate;
        }
    }

    private void check(RangeReads reads) throws IOException {
        try (CudaStream stream = CudaStream.open(device);
                PinnedMemory back = PinnedMemory.open(device, reads.rangeBytes)) {
            for (int place = 0; place < reads.offsets.length; place++) {
                if (reads.offsets[place] >= 0) {
                    long at = (long) place * reads.rangeBytes;
                    MemorySegment range = back.segment().asSlice(0, reads.rangeBytes);
                    stream.copyToHost(reads.places().slice(at, reads.rangeBytes), range);
                    stream.synchronize();
                    RandomFile.check(range, reads.offsets[place]);
                }
            }
        }
    }

    private static String median(double[] rates) {
        double median = Median.of(Arrays.stream(rates));
        return Double.isNaN(median) ? "-" : String.format(Locale.ROOT, "%.2f", median);
    }

    private static String row(String range, String cuFile, String direct, String cached) {
        return String.format(Locale.ROOT, "%12s %14s %16s %18s", range, cuFile, direct, cached);
    }
}
