package io.zarrengine.bench.gpu;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Runs TensorStore, which reads to the host, with CuPy, which copies to the GPU, in a Python
 * process that measures its own time.
 */
final class CupyPeer {
    /** Target of the engine's speed, relative to this peer. */
    static final double TIMES_AIM = 20;

    private CupyPeer() {}

    /**
     * {@return GB/s by the kind of read; empty if the peer is not installed or cannot read the
     * array}
     */
    static Map<String, Double> measure(GpuOptions options, GpuArray array) throws IOException {
        Map<String, Double> rates = new LinkedHashMap<>();
        if (options.python().isEmpty()) {
            return rates;
        }
        List<String> command = new ArrayList<>(options.python().get());
        command.addAll(
                List.of(array.path().toString(), "" + options.seconds(), "" + options.crops()));
        Process process =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        try (BufferedReader answers = process.inputReader()) {
            answers.lines()
                    .map(line -> line.split("\t"))
                    .filter(words -> words.length == 2)
                    .forEach(words -> rates.put(words[0], Double.parseDouble(words[1])));
        }
        return rates;
    }
}
