package io.zarrengine.nvcomp;

import io.zarrengine.cuda.CudaDevice;
import io.zarrengine.cuda.CudaRuntime;
import java.io.IOException;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;

/**
 * Measures copies, kernels and decoders of one device, each alone, called from Java. Writes tables
 * to the standard output, with the numbers of the same work in C where they are known. {@code
 * bin/bench gpu} measures whole reads.
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
                what our kernel moves
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
            default -> OUT.print(USAGE);
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

    /** {@return the rate in decimal GB/s} */
    static double rate(long bytes, long nanos) {
        return (double) bytes / nanos;
    }
}
