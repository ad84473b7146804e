package io.zarrengine.bench.gpu;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * TensorStore, which reads to the host, and CuPy, which copies to the GPU: a Python process that
 * takes its own time.
 */
final class CupyPeer {
    /** How many times as fast the engine is to be. */
    static final double TIMES_AIM = 20;

    private CupyPeer() {}

    /** {@return GB/s by the kind of read; empty if it is not here, or cannot read the array} */
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
