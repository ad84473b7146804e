package io.zarrengine.cli;

import static java.util.Map.entry;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.module.ModuleDescriptor;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Tests that the modules depend on each other as the architecture says, and export only their API.
 */
final class ModuleEdgesTest {
    private static final String OURS = "io.zarrengine.";

    @BeforeAll
    static void needsModules() {
        assumeTrue(Main.class.getModule().isNamed(), "runs on the class path");
    }

    @Test
    void dependenciesPointOneWay() {
        Map<String, Set<String>> expected =
                new TreeMap<>(
                        Map.ofEntries(
                                entry("kernels", Set.of()),
                                entry("bindings", Set.of("kernels")),
                                entry("uring", Set.of("bindings")),
                                entry("cuda", Set.of("bindings", "kernels")),
                                entry("nvcomp", Set.of("bindings", "cuda")),
                                entry("zarr", Set.of("bindings", "uring")),
                                entry("http", Set.of("zarr")),
                                entry("s3", Set.of("http", "zarr")),
                                entry("gcs", Set.of("http", "zarr")),
                                entry("azure", Set.of("http", "zarr")),
                                entry("gpu", Set.of("bindings", "uring", "cuda", "nvcomp", "zarr")),
                                entry("cli", Set.of("bindings", "zarr", "cuda", "nvcomp"))));
        assertEquals(expected, each(ModuleEdgesTest::requires));
    }

    @Test
    void onlyTheInterfaceIsExported() {
        Map<String, Set<String>> expected =
                new TreeMap<>(
                        Map.ofEntries(
                                entry("bindings", Set.of()),
                                entry(
                                        "uring",
                                        Set.of(
                                                "uring",
                                                "uring.files",
                                                "uring.plan",
                                                "uring.ranges")),
                                entry("cuda", Set.of("cuda")),
                                entry("nvcomp", Set.of("nvcomp")),
                                entry(
                                        "zarr",
                                        Set.of(
                                                "zarr",
                                                "zarr.datatype",
                                                "zarr.errors",
                                                "zarr.extension",
                                                "zarr.loader",
                                                "zarr.metadata",
                                                "zarr.objectstore",
                                                "zarr.transform")),
                                entry("http", Set.of("http")),
                                entry("s3", Set.of("s3")),
                                entry("gcs", Set.of("gcs")),
                                entry("azure", Set.of("azure")),
                                entry("gpu", Set.of()),
                                entry("kernels", Set.of()),
                                entry("cli", Set.of())));
        assertEquals(expected, each(ModuleEdgesTest::exports));
    }

    private static Map<String, Set<String>> each(Function<ModuleDescriptor, Stream<String>> names) {
        return ModuleLayer.boot().modules().stream()
                .map(Module::getDescriptor)
                .filter(module -> module.name().startsWith(OURS))
                .collect(
                        Collectors.toMap(
                                module -> module.name().substring(OURS.length()),
                                module -> ofOurs(names.apply(module)),
                                (a, b) -> a,
                                TreeMap::new));
    }

    private static Set<String> ofOurs(Stream<String> names) {
        return names.filter(name -> name.startsWith(OURS))
                .map(name -> name.substring(OURS.length()))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Stream<String> requires(ModuleDescriptor module) {
        return module.requires().stream().map(ModuleDescriptor.Requires::name);
    }

    private static Stream<String> exports(ModuleDescriptor module) {
        return module.exports().stream()
                .filter(export -> !export.isQualified())
                .map(ModuleDescriptor.Exports::source);
    }
}
