package io.zarrengine.bench.compare;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class FirstChartTest {
    @TempDir private Path folder;

    /** The library fails for a grid with an empty place. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5})
    void drawsAnyNumberOfRows(int count) throws Exception {
        WorkerProcess.Run pass = new WorkerProcess.Run(1_000_000_000, 1, 1);
        NewProcess process = new NewProcess("a way", 0.1, 0.1, List.of(pass, pass));
        FirstRow row =
                new FirstRow(
                        ScenarioList.all(false).getFirst(),
                        Map.of(Contender.ENGINE, List.of(process)));
        FirstChart.write(Collections.nCopies(count, row), folder);
        assertTrue(Files.size(folder.resolve("first.png")) > 0);
    }
}
