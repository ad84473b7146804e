package io.zarrengine.bench.compare;

import io.zarrengine.zarr.metadata.MetadataWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes a report as JSON: every sample, for other programs. */
final class JsonReport {
    private JsonReport() {}

    static byte[] of(Report report) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("date", report.date().toString());
        json.put("machine", report.machine().toString());
        json.put("versions", report.versions());
        json.put("rounds", report.rounds());
        json.put("rows", report.results().stream().map(JsonReport::row).toList());
        json.put("memory", report.memory().stream().map(JsonReport::memory).toList());
        return MetadataWriter.toJson(json, true);
    }

    private static Map<String, Object> row(ScenarioResult result) {
        Scenario scenario = result.scenario();
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", scenario.name());
        json.put("unit", scenario.work().unit());
        json.put("crops", scenario.crops().lines().size());
        json.put("target_times_best_peer", scenario.timesBestPeer());
        result.ratioToBestPeer().ifPresent(ratio -> json.put("times_best_peer", ratio));
        result.timesBestPeer(Contender.C)
                .ifPresent(ratio -> json.put("plain_c_times_best_peer", ratio));
        json.put("goals", scenario.goals().stream().map(goal -> goal(result, goal)).toList());
        result.counters().ifPresent(counters -> json.put("engine_in_one_pass", pass(counters)));
        json.put("contenders", result.series().stream().map(s -> series(result, s)).toList());
        return json;
    }

    private static Map<String, Object> goal(ScenarioResult result, Goal goal) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("limit", goal.title());
        json.put("target", goal.share());
        result.share(goal).ifPresent(share -> json.put("share", share));
        return json;
    }

    private static Map<String, Object> pass(EngineCounters counters) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("reads", counters.reads());
        json.put("bytes_read", counters.bytesRead());
        json.put("bytes_encoded", counters.bytesEncoded());
        json.put("bytes_delivered", counters.bytesDelivered());
        json.put("chunks", counters.chunks());
        return json;
    }

    private static Map<String, Object> series(ScenarioResult result, Series series) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", series.contender().title());
        json.put("options", series.variant());
        json.put("median", series.median());
        json.put("spread", series.spread());
        result.ratio(series.contender()).ifPresent(ratio -> json.put("engine_ratio", ratio));
        json.put("samples", series.samples().stream().map(RoundResult::value).toList());
        List<Double> cpu =
                series.samples().stream()
                        .map(RoundResult::cpuSecondsPerGigabyte)
                        .filter(Double::isFinite)
                        .toList();
        json.put("cpu_s_per_gb", cpu);
        return json;
    }

    private static Map<String, Object> memory(MemoryRow row) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("crops", row.crops());
        json.put("in_flight", row.inFlight());
        json.put("budget_bytes", MemoryRow.BUDGET_BYTES);
        json.put("target_bytes", row.targetBytes());
        json.put("heap_max_bytes", MemoryRow.HEAP_BYTES);
        json.put("heap_peak_bytes", row.heapPeakBytes());
        json.put("peak_resident_bytes", row.peakResidentBytes());
        json.put("requests", row.requests());
        json.put("retries", row.retries());
        return json;
    }
}
