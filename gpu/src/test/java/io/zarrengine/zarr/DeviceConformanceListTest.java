package io.zarrengine.zarr;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.zarrengine.zarr.datatype.VariableLengthType;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Lists whether the GPU or the CPU decodes the arrays of other implementations, and the reason.
 * Without the list, all of them could go to the CPU unnoticed, because the elements would be right.
 */
@NeedsDevice
final class DeviceConformanceListTest {
    private static final String LIST = "device-conformance.txt";

    @Test
    void whatTheCpuDecodesIsOnTheList() throws IOException {
        Map<String, String> found = new LinkedHashMap<>();
        for (Conformance.Case c : Conformance.cases("good")) {
            found.put(c.name(), decoder(c));
        }
        List<String> lines =
                found.entrySet().stream().map(e -> e.getKey() + ": " + e.getValue()).toList();
        Map<String, Long> sums =
                found.values().stream()
                        .collect(Collectors.groupingBy(how -> how, Collectors.counting()));
        IO.println(String.join(System.lineSeparator(), lines));
        IO.println(sums);
        assertEquals(String.join("\n", expected()), String.join("\n", lines));
    }

    private static List<String> expected() throws IOException {
        try (InputStream list = DeviceConformanceListTest.class.getResourceAsStream(LIST)) {
            return new String(list.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        }
    }

    /** Reads in an engine of its own, whose GPU decodes whatever it can, even single chunks. */
    private static String decoder(Conformance.Case c) throws IOException {
        try (ZarrEngine engine = DeviceEngines.open();
                ZarrArray array = engine.openArray(c.array())) {
            if (array.dataType() instanceof VariableLengthType) {
                return "read to the host: elements of variable length";
            }
            array.readAsync(Selection.all(), Target.cuda(0)).join().close();
            var byHost = array.hostReason(Selection.all());
            if (byHost.isPresent()) {
                return "read to the host: " + byHost.get();
            }
            DeviceMetrics done = engine.deviceMetrics(0);
            List<String> decoders = new ArrayList<>();
            if (done.chunksDecoded() > 0) {
                decoders.add("the GPU");
            }
            done.chunksDecodedByHost().keySet().forEach(why -> decoders.add("the CPU: " + why));
            return decoders.isEmpty() ? "nobody: as it is" : String.join("; ", decoders);
        }
    }
}
