package io.zarrengine.bench.compare;

import java.awt.BasicStroke;
import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler.LegendLayout;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Draws rates over time since the first read: a small chart for each row, as one PNG. */
final class FirstChart {
    private static final int WIDTH = 520;
    private static final int HEIGHT = 300;
    private static final int COLUMNS = 2;
    private static final double SECONDS_MAX = 12;
    private static final BasicStroke LINE = new BasicStroke(2);

    private FirstChart() {}

    static void write(List<FirstRow> rows, Path folder) throws IOException {
        List<XYChart> charts = new ArrayList<>(rows.stream().map(FirstChart::chart).toList());
        if (charts.size() > 1 && charts.size() % COLUMNS != 0) {
            charts.add(blank()); // The library fills every place.
        }
        BitmapEncoder.saveBitmap(
                charts,
                Math.ceilDiv(charts.size(), COLUMNS),
                Math.min(COLUMNS, charts.size()),
                folder.resolve("first").toString(),
                BitmapFormat.PNG);
    }

    private static XYChart blank() {
        XYChart chart = new XYChartBuilder().width(WIDTH).height(HEIGHT).build();
        chart.getStyler()
                .setChartBackgroundColor(Color.WHITE)
                .setPlotBorderVisible(false)
                .setLegendVisible(false);
        chart.getStyler().setAxisTicksVisible(false).setPlotGridLinesVisible(false);
        return chart;
    }

    private static XYChart chart(FirstRow row) {
        XYChart chart =
                new XYChartBuilder()
                        .width(WIDTH)
                        .height(HEIGHT)
                        .title(row.scenario().name())
                        .xAxisTitle("seconds since the first read")
                        .yAxisTitle("GB/s")
                        .build();
        chart.getStyler()
                .setLegendPosition(LegendPosition.OutsideS)
                .setLegendLayout(LegendLayout.Horizontal)
                .setChartBackgroundColor(Color.WHITE)
                .setPlotBorderVisible(false)
                .setChartTitleFont(Charts.FONT)
                .setLegendFont(Charts.FONT);
        chart.getStyler().setYAxisMin(0.0).setXAxisMin(0.0);
        for (Contender contender : Contender.values()) {
            if (row.processes().containsKey(contender)) {
                add(chart, contender, row.processes().get(contender).getFirst());
            }
        }
        return chart;
    }

    /** Adds a line of steps: the rate of each pass, while it lasted. */
    private static void add(XYChart chart, Contender contender, NewProcess process) {
        List<Double> times = new ArrayList<>();
        List<Double> rates = new ArrayList<>();
        double begin = 0;
        for (int pass = 0; pass < process.passes().size() && begin < SECONDS_MAX; pass++) {
            double end = process.endTimes().get(pass);
            double rate = process.passes().get(pass).gigabytesPerSecond();
            times.addAll(List.of(begin, end));
            rates.addAll(List.of(rate, rate));
            begin = end;
        }
        XYSeries series = chart.addSeries(contender.title(), times, rates);
        series.setLineColor(Charts.color(contender));
        series.setLineStyle(LINE);
        series.setMarker(SeriesMarkers.NONE);
    }
}
