package io.zarrengine.bench.compare;

import io.zarrengine.bench.arrays.Family;
import java.awt.Color;
import java.awt.Font;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.style.Styler.LegendLayout;
import org.knowm.xchart.style.Styler.LegendPosition;

/**
 * Draws bar charts as PNG: one file of results for each family, and one of ratios beside their
 * targets.
 */
final class Charts {
    private static final int WIDTH = 1000;
    private static final int HEIGHT = 420;
    static final Font FONT = new Font(Font.SANS_SERIF, Font.PLAIN, 13);

    private Charts() {}

    /** {@return the names of the files} */
    static List<String> write(List<ScenarioResult> results, Path folder) throws IOException {
        List<String> files = new ArrayList<>();
        for (Family family : Family.values()) {
            List<ScenarioResult> rows =
                    results.stream()
                            .filter(row -> row.scenario().array().family() == family)
                            .filter(row -> !row.scenario().work().lessIsBetter())
                            .toList();
            if (!rows.isEmpty()) {
                files.add(save(rates(family, rows), folder, family.title()));
            }
        }
        List<ScenarioResult> compared =
                results.stream().filter(row -> row.ratioToBestPeer().isPresent()).toList();
        if (!compared.isEmpty()) {
            files.add(save(ratios(compared), folder, "ratios"));
        }
        return files;
    }

    private static CategoryChart rates(Family family, List<ScenarioResult> rows) {
        CategoryChart chart = chart(family.title() + ": delivered, medians", "GB/s");
        for (Contender contender : Contender.values()) {
            if (contender.delivers() && rows.stream().anyMatch(r -> r.of(contender).isPresent())) {
                List<Double> medians =
                        rows.stream()
                                .map(row -> row.of(contender).map(Series::median).orElse(0.0))
                                .toList();
                chart.addSeries(contender.title(), names(rows), medians)
                        .setFillColor(color(contender));
            }
        }
        return chart;
    }

    private static CategoryChart ratios(List<ScenarioResult> rows) {
        CategoryChart chart = chart("zarr-engine beside the best peer", "times as fast");
        List<Double> reached =
                rows.stream()
                        .map(ScenarioResult::ratioToBestPeer)
                        .map(Optional::orElseThrow)
                        .toList();
        List<Double> targets = rows.stream().map(row -> row.scenario().timesBestPeer()).toList();
        chart.addSeries("reached", names(rows), reached).setFillColor(color(Contender.ENGINE));
        chart.addSeries("target", names(rows), targets).setFillColor(color(Contender.C));
        return chart;
    }

    private static List<String> names(List<ScenarioResult> rows) {
        return rows.stream().map(row -> row.scenario().name()).toList();
    }

    private static CategoryChart chart(String title, String unit) {
        CategoryChart chart =
                new CategoryChartBuilder()
                        .width(WIDTH)
                        .height(HEIGHT)
                        .title(title)
                        .yAxisTitle(unit)
                        .build();
        chart.getStyler()
                .setLegendPosition(LegendPosition.OutsideS)
                .setLegendLayout(LegendLayout.Horizontal)
                .setChartBackgroundColor(Color.WHITE)
                .setPlotBorderVisible(false)
                .setChartTitleFont(FONT)
                .setLegendFont(FONT);
        chart.getStyler()
                .setXAxisLabelRotation(20)
                .setAxisTickLabelsFont(FONT)
                .setAxisTitleFont(FONT);
        return chart;
    }

    /** Okabe and Ito's colors, which colour-blind readers can tell apart. */
    static Color color(Contender contender) {
        return switch (contender) {
            case ENGINE -> new Color(0x0072b2);
            case ENGINE_ALLOCATING, ENGINE_C1 -> new Color(0x80b9d9);
            case TENSORSTORE -> new Color(0xe69f00);
            case ZARRS -> new Color(0xd55e00);
            case ZARR_PYTHON -> new Color(0x56b4e9);
            default -> new Color(0xb0b0b0);
        };
    }

    private static String save(CategoryChart chart, Path folder, String name) throws IOException {
        String file = folder.resolve(name).toString();
        BitmapEncoder.saveBitmap(chart, file, BitmapFormat.PNG);
        return name + ".png";
    }
}
