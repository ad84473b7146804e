package io.zarrengine.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.Capability;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests that text and JSON show the same findings, each with its reason. */
final class DoctorCommandTest {
    private static final List<String> MACHINE =
            List.of("java", "system", "cores", "huge pages", "open files", "locked memory");

    private static List<String> capabilities() {
        List<String> names = new ArrayList<>();
        Capability.all().forEach(capability -> names.add(capability.name()));
        names.add("cuda");
        names.add("nvcomp");
        names.add("gds");
        return names;
    }

    @Test
    void jsonHasEveryFinding() {
        Map<?, ?> json = JsonText.object(CommandRun.of("doctor", "--json").succeeded());
        List<String> names = new ArrayList<>(MACHINE);
        names.addAll(capabilities());
        assertEquals(names, List.copyOf(json.keySet()));
        assertEquals((long) Runtime.getRuntime().availableProcessors(), json.get("cores"));
        for (String name : capabilities()) {
            Map<?, ?> finding = (Map<?, ?>) json.get(name);
            assertEquals(List.of("available", "detail"), List.copyOf(finding.keySet()));
            assertFalse(((String) finding.get("detail")).isBlank(), name);
        }
        for (Capability c : Capability.all()) {
            Map<?, ?> finding = (Map<?, ?>) json.get(c.name());
            assertEquals(c.available(), finding.get("available"));
            String detail = (String) finding.get("detail"); // A hint for the launcher may follow.
            assertTrue(detail.startsWith(c.detail()), detail);
        }
    }

    @Test
    void textHasALineForEachFinding() {
        List<String> lines = CommandRun.of("doctor").succeeded().lines().toList();
        assertEquals(MACHINE.size() + capabilities().size(), lines.size());
        for (int i = 0; i < MACHINE.size(); i++) {
            assertTrue(lines.get(i).startsWith("  " + MACHINE.get(i) + " "), lines.get(i));
        }
        for (Capability c : Capability.all()) {
            String start = (c.available() ? "+ " : "- ") + c.name() + " ";
            assertTrue(
                    lines.stream().anyMatch(l -> l.startsWith(start) && l.contains(c.detail())),
                    () -> c + " is not in " + lines);
        }
    }
}
