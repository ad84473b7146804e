package io.zarrengine.bench.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Measures the first seconds of new processes: {@code bin/bench first}. Takes the options of {@link
 * CompareMain}.
 *
 * <p>Each way of each contender is tried once. The way with the fastest first pass is then measured
 * in turns, each time in a new process. All arrays are in the page cache.
 */
public final class FirstMain {
    private static final int CROPS_MIN = 64; // a row with fewer is about whole arrays
    private static final double SHORT_SECONDS = 0;
    private static final List<Contender> CONTENDERS =
            List.of(
                    Contender.ENGINE,
                    Contender.ENGINE_C1,
                    Contender.BEFORE,
                    Contender.TENSORSTORE,
                    Contender.ZARRS);

    private final CompareOptions options;
    private final ArrayGenerator arrays;

    private FirstMain(CompareOptions options) {
        this.options = options;
        arrays = new ArrayGenerator(options.folder(), options.programs());
    }

    /** Runs. */
    public static void main(String[] arguments) throws Exception {
        new FirstMain(CompareOptions.parse(List.of(arguments))).run();
    }

    private void run() throws IOException, InterruptedException {
        List<Scenario> scenarios =
                options.wanted(
                        ScenarioList.all(false).stream()
                                .filter(scenario -> scenario.work() == Work.HOT)
                                .filter(row -> row.crops().lines().size() >= CROPS_MIN)
                                .toList());
        arrays.makeMissing(scenarios.stream().map(Scenario::array).distinct().toList());
        List<String> lines = new ArrayList<>(FirstRow.head());
        List<FirstRow> rows = new ArrayList<>();
        Files.createDirectories(options.report());
        for (Scenario scenario : scenarios) {
            FirstRow row = measure(scenario);
            rows.add(row);
            lines.add(row.line());
            FirstChart.write(rows, options.report());
        }
        Files.write(options.report().resolve("first.md"), lines);
        lines.forEach(IO::println);
        IO.println("\n" + options.report().resolve("first.png") + " is the chart");
    }

    private FirstRow measure(Scenario scenario) throws IOException {
        Path crops = options.folder().resolve("crops-first-" + scenario.key() + ".txt");
        scenario.crops().write(crops);
        Map<Contender, List<String>> ways = new EnumMap<>(Contender.class);
        Map<Contender, List<NewProcess>> processes = new EnumMap<>(Contender.class);
        for (Contender contender : CONTENDERS) {
            if (contender.isInstalled(options.programs())) {
                List<String> way =
                        contender == Contender.ENGINE_C1
                                ? ways.get(Contender.ENGINE)
                                : fastestWay(contender, scenario, crops);
                ways.put(contender, way);
                processes.put(contender, new ArrayList<>());
            }
        }
        for (int round = 0; round < options.rounds(); round++) {
            double seconds = round == 0 ? FirstRow.LONG_SECONDS : SHORT_SECONDS;
            for (Map.Entry<Contender, List<String>> way : ways.entrySet()) {
                NewProcess process = start(way.getKey(), way.getValue(), scenario, crops, seconds);
                processes.get(way.getKey()).add(process);
                print(scenario, way.getKey(), process);
            }
        }
        return new FirstRow(scenario, processes);
    }

    private List<String> fastestWay(Contender contender, Scenario scenario, Path crops)
            throws IOException {
        List<String> fastest = List.of();
        double best = 0;
        for (List<String> way : contender.variants(scenario)) {
            double rate = start(contender, way, scenario, crops, SHORT_SECONDS).firstRate();
            if (rate > best) {
                best = rate;
                fastest = way;
            }
        }
        return fastest;
    }

    private NewProcess start(
            Contender contender, List<String> way, Scenario scenario, Path crops, double seconds)
            throws IOException {
        return NewProcess.run(
                contender, options.programs(), way, arrays.path(scenario.array()), crops, seconds);
    }

    private static void print(Scenario scenario, Contender contender, NewProcess process) {
        IO.println(
                "%-14s %-12s start %.2f s, open %.2f s, first pass %.2f GB/s, %s"
                        .formatted(
                                scenario.name(),
                                contender.title(),
                                process.startSeconds(),
                                process.openSeconds(),
                                process.firstRate(),
                                process.way()));
    }
}
