package io.zarrengine.bench.compare;

import io.zarrengine.bench.arrays.BenchArray;
import io.zarrengine.bench.report.Machine;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Creates the arrays, measures the scenarios, and writes the report.
 *
 * <p>Arguments: {@code --folder=} for arrays, {@code --report=} for results, {@code --sources=},
 * {@code --python=}, {@code --limit=} and {@code --zarrs=} of the workers; {@code --before=} the
 * class path of an earlier build, which is then the only other contender; {@code --wheel=} the
 * interpreter that has the Python package, which is then measured; {@code --remote}: from the
 * servers of the environment variables BENCH_URL, BENCH_FAR_URL and BENCH_S3_URL; {@code --quick};
 * {@code --rounds=N}; and prefixes of the names of the wanted rows.
 */
public final class CompareMain {
    private static final long FAR_MILLIS = 30;

    /** Requests under way at once, the default of a store and the limit of its peers. */
    private static final int REQUESTS_AT_ONCE = 64;

    private final CompareOptions options;

    private CompareMain(CompareOptions options) {
        this.options = options;
    }

    /** Runs everything. */
    public static void main(String[] arguments) throws Exception {
        new CompareMain(CompareOptions.parse(List.of(arguments))).run();
    }

    private void run() throws IOException, InterruptedException {
        List<Scenario> scenarios = options.wanted(rows());
        ArrayGenerator arrays = new ArrayGenerator(options.folder(), options.programs());
        arrays.makeMissing(arraysOf(scenarios));
        Report report;
        try (DelayProxy _ = options.remote() ? newFarServer() : null) {
            report = measure(scenarios, arrays);
        }
        if (options.programs().hasWheel()) {
            MarkdownTable.fromPython(report.results()).forEach(IO::println);
        } else if (!options.programs().hasBefore()) {
            MarkdownTable.ratios(report.results()).forEach(IO::println);
            IO.println("");
        }
        MarkdownTable.work(report.results()).forEach(IO::println);
        IO.println("\n" + options.report().resolve("report.md") + " has more");
    }

    private List<Scenario> rows() {
        if (options.remote()) {
            return ScenarioList.remote(options.quick());
        }
        return options.programs().hasWheel()
                ? ScenarioList.fromPython(options.quick())
                : ScenarioList.all(options.quick());
    }

    /** Puts a server 30 ms away in front of the other one. */
    private static DelayProxy newFarServer() throws IOException {
        int near = URI.create(System.getenv("BENCH_URL")).getPort();
        int far = URI.create(System.getenv("BENCH_FAR_URL")).getPort();
        return new DelayProxy(far, near, FAR_MILLIS);
    }

    /**
     * Measures the rows. Writes the report after each row, so that an interrupted run has the rows
     * before.
     */
    private Report measure(List<Scenario> scenarios, ArrayGenerator arrays) throws IOException {
        Files.createDirectories(options.report());
        List<ScenarioResult> results = new ArrayList<>();
        try (WorkerPool workers = new WorkerPool(options.programs())) {
            for (Scenario scenario : scenarios) {
                ScenarioResult result =
                        new Comparison(scenario, workers, options.rounds(), options.seconds())
                                .run(arrays.path(scenario.array()), crops(scenario));
                print(result);
                results.add(result);
                write(report(workers, results, List.of()));
            }
            Report report = report(workers, results, memory(scenarios, arrays));
            write(report);
            return report;
        }
    }

    private Report report(WorkerPool workers, List<ScenarioResult> results, List<MemoryRow> memory)
            throws IOException {
        return new Report(
                LocalDate.now(ZoneOffset.UTC),
                Machine.here(options.folder()),
                workers.versions(),
                options.rounds(),
                results,
                memory);
    }

    /** Measures memory, with the array of one of the rows. */
    private List<MemoryRow> memory(List<Scenario> scenarios, ArrayGenerator arrays)
            throws IOException {
        for (Scenario scenario : scenarios) {
            if (!options.programs().hasBefore()
                    && !options.programs().hasWheel()
                    && scenario.array() == BenchArray.VOL_16_ZSTD
                    && scenario.work() == Work.HOT) {
                Path array = arrays.path(scenario.array());
                return MemoryMain.measure(options, array);
            }
        }
        return List.of();
    }

    private Path crops(Scenario scenario) throws IOException {
        Path crops = options.folder().resolve("crops-" + scenario.key() + ".txt");
        scenario.crops().write(crops);
        return crops;
    }

    private void write(Report report) throws IOException {
        List<String> charts = Charts.write(report.results(), options.report());
        Files.write(options.report().resolve("report.json"), JsonReport.of(report));
        Files.write(options.report().resolve("report.md"), MarkdownReport.lines(report, charts));
    }

    private static void print(ScenarioResult result) {
        Scenario scenario = result.scenario();
        for (Series series : result.series()) {
            IO.println(
                    String.format(
                            Locale.ROOT,
                            "%-24s %-20s %9.3f %-4s ± %3.0f %%, %6.2f CPU s/GB, ratio %5.2f  %s",
                            scenario.name(),
                            series.contender().title(),
                            series.median(),
                            scenario.work().unit(),
                            50 * series.spread(),
                            series.medianCpuSecondsPerGigabyte(),
                            result.ratio(series.contender()).orElse(Double.NaN),
                            series.variant()));
        }
        if (scenario.work() == Work.FAR) {
            result.of(Contender.ENGINE).ifPresent(engine -> printRoundTrips(result, engine));
        }
    }

    /** Prints what a server's distance alone costs the engine, beside what its reads take. */
    private static void printRoundTrips(ScenarioResult result, Series engine) {
        EngineCounters counters = result.counters().orElseThrow();
        double trips = Math.ceil((double) counters.reads() / REQUESTS_AT_ONCE);
        double millis = counters.bytesDelivered() / engine.median() / 1e6;
        IO.println(
                String.format(
                        Locale.ROOT,
                        "%-24s %d requests, %d at once: %.0f ms of %.0f ms",
                        result.scenario().name(),
                        counters.reads(),
                        REQUESTS_AT_ONCE,
                        trips * FAR_MILLIS,
                        millis));
    }

    private static Set<BenchArray> arraysOf(List<Scenario> scenarios) {
        Set<BenchArray> arrays = new LinkedHashSet<>();
        scenarios.forEach(scenario -> arrays.add(scenario.array()));
        return arrays;
    }
}
