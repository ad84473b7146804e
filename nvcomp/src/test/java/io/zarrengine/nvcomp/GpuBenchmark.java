package io.zarrengine.nvcomp;

import io.zarrengine.cuda.CudaDevice;
import io.zarrengine.cuda.CudaRuntime;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * What one device does when it is driven from Java: copies, decoders, and the pipeline of reading,
 * copying and decoding. Tables go to the standard output; the numbers of the same work in C, where
 * there are some, stand beside them.
 */
final class GpuBenchmark {
    static final PrintStream OUT = System.out; // Allowed: a command of its own

    private static final String USAGE =
            """
            bench-gpu copies
                pinned memory to the device, one call a copy and one call for all
            bench-gpu decode [CHUNKS_MAX=16384]
                nvCOMP's rate by the number of chunks in a batch
            bench-gpu kernels [CHUNKS=4096]
                what our kernels move, beside a copy on the device
            bench-gpu make FOLDER [SUBCHUNKS=16384]
                writes a sharded array of int16, zstd, 64 KiB sub-chunks, 256 a shard
            bench-gpu pipeline FOLDER SUBCHUNKS_PER_SHARD SUBCHUNK_BYTES THREADS [BATCH=8192] [SLOT_MIB=4] [PASSES=1]
                read, copy and decode a sharded zstd array with the index at the end (FOLDER/c/...):
                the arguments and the answer of experiments/gpu_pipeline.cu
            bench-gpu all FOLDER [SUBCHUNKS=16384] [THREADS=16]
                all of it, and the array too if FOLDER does not have it
            """;

    private GpuBenchmark() {}

    /**
     * Runs one of the benchmarks.
     *
     * @param args see the usage
     * @throws Exception if anything fails
     */
    public static void main(String[] args) throws Exception {
        List<String> rest =
                args.length == 0 ? List.of() : Arrays.asList(args).subList(1, args.length);
        switch (args.length == 0 ? "" : args[0]) {
            case "copies" -> onDevice(CopyBenchmark::run);
            case "decode" ->
                    onDevice(device -> DecodeBenchmark.run(device, number(rest, 0, 16_384)));
            case "kernels" ->
                    onDevice(device -> KernelBenchmark.run(device, number(rest, 0, 4096)));
            case "make" -> ShardedArray.make(Path.of(rest.get(0)), number(rest, 1, 16_384));
            case "pipeline" -> onDevice(device -> pipeline(device, rest));
            case "all" -> onDevice(device -> all(device, rest));
            default -> OUT.print(USAGE);
        }
    }

    private static void pipeline(CudaDevice device, List<String> rest) throws IOException {
        ShardedArray array =
                ShardedArray.open(
                        Path.of(rest.get(0)),
                        number(rest, 1, 0),
                        number(rest, 2, 0),
                        (long) number(rest, 5, 4) << 20);
        int passes = number(rest, 6, 1);
        new PipelineBenchmark(device, array, number(rest, 3, 1), number(rest, 4, 8192), passes)
                .run();
    }

    private static void all(CudaDevice device, List<String> rest) throws IOException {
        Path folder = Path.of(rest.get(0));
        int subchunks = number(rest, 1, 16_384);
        int threads = number(rest, 2, 16);
        CopyBenchmark.run(device);
        KernelBenchmark.run(device, Math.max(1, subchunks / 4));
        DecodeBenchmark.run(device, subchunks);
        ShardedArray.make(folder, subchunks);
        int batch = Math.max(1, subchunks / 2);
        for (int passes : new int[] {1, 16}) {
            for (int slotMib : new int[] {2, 4}) {
                ShardedArray array =
                        ShardedArray.open(
                                folder,
                                ShardedArray.SUBCHUNKS_PER_SHARD,
                                ShardedArray.SUBCHUNK_BYTES,
                                (long) slotMib << 20);
                new PipelineBenchmark(device, array, threads, batch / (4 / slotMib), passes).run();
            }
        }
    }

    private static int number(List<String> arguments, int index, int otherwise) {
        return index < arguments.size() ? Integer.parseInt(arguments.get(index)) : otherwise;
    }

    private interface Body {
        void run(CudaDevice device) throws IOException;
    }

    private static void onDevice(Body body) throws IOException {
        String cause = NvcompLibrary.unavailabilityCause();
        if (!cause.isEmpty()) {
            throw new IOException(cause);
        }
        try (CudaDevice device = CudaDevice.open(0)) {
            OUT.println(
                    CudaRuntime.status()
                            + "\n"
                            + NvcompLibrary.status()
                            + "\n"
                            + device.properties());
            device.thread()
                    .call(() -> {
                        body.run(device);
                        return null;
                    });
        }
    }

    /** {@return GB/s, decimal} */
    static double rate(long bytes, long nanos) {
        return (double) bytes / nanos;
    }
}
