package io.zarrengine.bench.compare;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Makes the arrays, measures the scenarios, and writes the report.
 *
 * <p>Arguments: {@code --folder=} for arrays, {@code --report=} for results, {@code --sources=},
 * {@code --python=}, {@code --limit=} and {@code --zarrs=} of the workers; {@code --quick}; {@code
 * --rounds=N}; and words that the names of the rows that are wanted begin with.
 */
public final class CompareMain {
    private final CompareOptions options;

    private CompareMain(CompareOptions options) {
        this.options = options;
    }

    /** Runs everything. */
    public static void main(String[] arguments) throws Exception {
        new CompareMain(CompareOptions.parse(List.of(arguments))).run();
    }

    private void run() throws IOException, InterruptedException {
        List<Scenario> scenarios =
                Scenarios.all(options.quick()).stream().filter(this::isWanted).toList();
        if (scenarios.isEmpty()) {
            throw new IllegalArgumentException("no row begins with one of " + options.words());
        }
        ArrayGenerator arrays = new ArrayGenerator(options.folder(), options.programs());
        arrays.makeMissing(arraysOf(scenarios));
        List<ScenarioResult> results = new ArrayList<>();
        try (WorkerPool workers = new WorkerPool(options.programs())) {
            Comparison comparison = new Comparison(workers, options.rounds(), options.seconds());
            for (Scenario scenario : scenarios) {
                results.add(run(comparison, scenario, arrays.path(scenario.array())));
            }
            MarkdownTable.ratios(results).forEach(IO::println);
            workers.versions().forEach(IO::println);
        }
    }

    private ScenarioResult run(Comparison comparison, Scenario scenario, Path array)
            throws IOException {
        Path crops = options.folder().resolve("crops-" + scenario.key() + ".txt");
        scenario.crops().write(crops);
        ScenarioResult result = comparison.run(scenario, array, crops);
        for (Series series : result.series()) {
            IO.println(
                    String.format(
                            Locale.ROOT,
                            "%-26s %-20s %9.3f %s, spread %3.0f %%  %s",
                            scenario.name(),
                            series.contender().title(),
                            series.median(),
                            scenario.work().unit(),
                            100 * series.spread(),
                            series.variant()));
        }
        return result;
    }

    private boolean isWanted(Scenario scenario) {
        return options.words().isEmpty()
                || options.words().stream().anyMatch(scenario.name()::startsWith);
    }

    private static Set<BenchArray> arraysOf(List<Scenario> scenarios) {
        Set<BenchArray> arrays = new LinkedHashSet<>();
        scenarios.forEach(scenario -> arrays.add(scenario.array()));
        return arrays;
    }
}
