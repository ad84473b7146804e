package io.zarrengine.bench.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.bench.report.Machine;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class GpuReportTest {
    private static final GpuRow ROW =
            new GpuRow("all, one read", List.of(30.0, 50.0, 40.0), 36, "1.2 of the pipeline, once");

    private static final GpuRow ALL = new GpuRow(GpuRow.ALL, List.of(61.0), Double.NaN, "");

    private static final GpuReport REPORT =
            new GpuReport(
                    LocalDate.EPOCH,
                    new Machine(16, "a processor", 1L << 30, "Linux", "ext4", "io_uring"),
                    List.of("a device"),
                    GpuOptions.parse(List.of("--folder=/f", "--report=/r", "--workers=16")),
                    List.of(
                            new GpuResult(
                                    GpuEncoding.NONE,
                                    1,
                                    new GpuLimits(47, Double.NaN, 47, 30),
                                    List.of(ROW, ALL),
                                    12,
                                    new GpuResult.Latency(90, 200),
                                    new DecoderAlone(Double.NaN, Double.NaN),
                                    List.of("8192 chunks"),
                                    Map.of("CuPy, all", 3.0, "CuPy, crops", 2.0))));

    @Test
    void aReachedAimIsBold() {
        String row =
                REPORT.markdown().stream()
                        .filter(line -> line.contains("one read"))
                        .findFirst()
                        .orElseThrow();
        assertTrue(row.contains("| 40.0 | (30.0 to 50.0) | 36.0 |"), row);
        assertTrue(row.endsWith("| **1.11** |"), row);
    }

    /** The engine was not measured with crops, so there is no ratio for them. */
    @Test
    void othersAreComparedWithTheSameKindOfRead() {
        List<String> lines = REPORT.markdown();
        assertTrue(
                lines.contains("| none | CuPy, all | 3.00 | 61.0 | **20.3** | 20.0 |"),
                lines::toString);
        assertTrue(lines.contains("| none | CuPy, crops | 2.00 | – | – | 20.0 |"), lines::toString);
    }

    /** JSON has no NaN: where nothing is decoded there is no limit for it. */
    @Test
    void whatIsNotKnownIsLeftOut() {
        String json = new String(REPORT.json(), StandardCharsets.UTF_8);
        assertFalse(json.contains("NaN"), json);
        assertFalse(json.contains("copy_and_decode"), json);
        assertTrue(json.contains("\"read_and_copy\""), json);
    }

    @Test
    void theLimitIsTheSlowerHalfOfThoseThereAre() {
        assertEquals(47, new GpuLimits(47, Double.NaN, 47, 30).slowerHalf());
        assertEquals(34, new GpuLimits(47, 34, 33, 30).slowerHalf());
    }
}
