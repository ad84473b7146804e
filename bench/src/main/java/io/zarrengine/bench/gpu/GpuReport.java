package io.zarrengine.bench.gpu;

import static io.zarrengine.bench.compare.MarkdownTable.number;

import io.zarrengine.bench.report.Machine;
import io.zarrengine.zarr.metadata.MetadataWriter;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The results of {@code bin/bench gpu}.
 *
 * @param date of the run
 * @param machine of the run
 * @param device versions of CUDA and nvCOMP
 * @param options of the run
 * @param results one or more rows each
 */
record GpuReport(
        LocalDate date,
        Machine machine,
        List<String> device,
        GpuOptions options,
        List<GpuResult> results) {
    GpuReport {
        device = List.copyOf(device);
        results = List.copyOf(results);
    }

    /** {@return the report as Markdown} */
    List<String> markdown() {
        List<String> lines = new ArrayList<>();
        lines.add("%s, %s.".formatted(date, machine));
        device.forEach(lines::add);
        lines.add(
                "%d workers, a host budget of %d MiB; %d planes, inner chunks of 64 KiB (large: of 4 MiB), page cache; medians of %d rounds (smallest to largest), GB/s of elements."
                        .formatted(
                                options.workers(),
                                options.budgetMib(),
                                options.planes(),
                                options.rounds()));
        lines.addAll(rows());
        lines.addAll(limits());
        lines.addAll(chunks());
        if (results.stream().anyMatch(result -> !result.peers().isEmpty())) {
            lines.addAll(peers());
        }
        for (GpuResult result : results) {
            lines.add("");
            lines.add("### One read of all, " + result.encoding().word());
            lines.add("");
            lines.add("```");
            lines.addAll(result.timeline());
            lines.add("```");
        }
        return lines;
    }

    private List<String> rows() {
        List<String> lines = new ArrayList<>();
        lines.add("");
        lines.add("| array | ratio | read | GB/s | | aim | of what | reached |");
        lines.add("| --- | --: | --- | --: | --- | --: | --- | --: |");
        for (GpuResult result : results) {
            for (GpuRow row : result.rows()) {
                lines.add(
                        "| %s | %s | %s | %s | (%s to %s) | %s | %s | %s |"
                                .formatted(
                                        result.encoding().word(),
                                        number(result.ratio()),
                                        row.work(),
                                        number(row.median()),
                                        number(row.smallest()),
                                        number(row.largest()),
                                        number(row.aim()),
                                        row.against(),
                                        judged(row.median() / row.aim(), 1)));
            }
        }
        return lines;
    }

    private static String judged(double share, double aim) {
        return share >= aim ? "**" + number(share) + "**" : number(share);
    }

    private List<String> limits() {
        List<String> lines = new ArrayList<>();
        lines.add("");
        lines.add("### Limits");
        lines.add("");
        lines.add("| array | read and copy | copy and decode | all three | all three, once |");
        lines.add("| --- | --: | --: | --: | --: |");
        for (GpuResult result : results) {
            GpuLimits limits = result.limits();
            lines.add(
                    "| %s | %s | %s | %s | %s |"
                            .formatted(
                                    result.encoding().word(),
                                    number(limits.readAndCopy()),
                                    number(limits.copyAndDecode()),
                                    number(limits.pipeline()),
                                    number(limits.pipelineOnce())));
        }
        return lines;
    }

    private List<String> chunks() {
        List<String> lines = new ArrayList<>();
        lines.add("");
        lines.add("### One inner chunk");
        lines.add("");
        lines.add(
                "| array | latency us | 99 % | aim | the decoder alone | libzstd | CPU us a chunk in a steady stream, all threads | aim of parsing and describing |");
        lines.add("| --- | --: | --: | --: | --: | --: | --: | --: |");
        for (GpuResult result : results) {
            GpuResult.Latency latency = result.latency();
            lines.add(
                    "| %s | %s | %s | %s | %s | %s | %s | %s |"
                            .formatted(
                                    result.encoding().word(),
                                    number(latency.medianMicros()),
                                    number(latency.p99Micros()),
                                    number(GpuResult.LATENCY_AIM_MICROS),
                                    number(result.decoder().engineMicros()),
                                    number(result.decoder().libzstdMicros()),
                                    number(result.hostMicrosPerChunk()),
                                    number(GpuResult.HOST_AIM_MICROS)));
        }
        return lines;
    }

    private List<String> peers() {
        List<String> lines = new ArrayList<>();
        lines.add("");
        lines.add("### Others");
        lines.add("");
        lines.add("| array | what | GB/s | the engine | times | aim |");
        lines.add("| --- | --- | --: | --: | --: | --: |");
        for (GpuResult result : results) {
            result.peers().entrySet().stream()
                    .sorted(Map.Entry.comparingByKey())
                    .forEach(peer -> lines.add(peer(result, peer.getKey(), peer.getValue())));
        }
        return lines;
    }

    private static String peer(GpuResult result, String name, double rate) {
        double engine = result.comparable(name);
        double aim = PublishedResults.isOf(name) ? PublishedResults.TIMES_AIM : CupyPeer.TIMES_AIM;
        return "| %s | %s | %s | %s | %s | %s |"
                .formatted(
                        result.encoding().word(),
                        name,
                        number(rate),
                        number(engine),
                        judged(engine / rate, aim),
                        number(aim));
    }

    /** {@return the report as JSON: every sample, for other programs} */
    byte[] json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("date", date.toString());
        json.put("machine", machine.toString());
        json.put("device", device);
        json.put("workers", (long) options.workers());
        json.put("budget_mib", (long) options.budgetMib());
        json.put("planes", (long) options.planes());
        json.put("arrays", results.stream().map(GpuReport::json).toList());
        return MetadataWriter.toJson(json, true);
    }

    private static Map<String, Object> json(GpuResult result) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", result.encoding().word());
        json.put("ratio", result.ratio());
        Map<String, Object> limits = new LinkedHashMap<>();
        put(limits, "read_and_copy", result.limits().readAndCopy());
        put(limits, "copy_and_decode", result.limits().copyAndDecode());
        put(limits, "pipeline", result.limits().pipeline());
        put(limits, "pipeline_once", result.limits().pipelineOnce());
        json.put("limits_gb_per_s", limits);
        json.put("reads", result.rows().stream().map(GpuReport::json).toList());
        put(json, "latency_us", result.latency().medianMicros());
        put(json, "latency_p99_us", result.latency().p99Micros());
        put(json, "decoder_us", result.decoder().engineMicros());
        put(json, "libzstd_us", result.decoder().libzstdMicros());
        put(json, "cpu_us_per_chunk", result.hostMicrosPerChunk());
        json.put("timeline", result.timeline());
        json.put("peers_gb_per_s", result.peers());
        return json;
    }

    private static Map<String, Object> json(GpuRow row) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", row.work());
        put(json, "median", row.median());
        put(json, "aim", row.aim());
        json.put("samples", row.samples());
        return json;
    }

    /** Adds a value. JSON has no NaN, so an unknown value is left out. */
    private static void put(Map<String, Object> json, String name, double value) {
        if (Double.isFinite(value)) {
            json.put(name, value);
        }
    }
}
