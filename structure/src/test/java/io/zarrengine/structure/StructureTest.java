package io.zarrengine.structure;

import static io.zarrengine.structure.SourceFiles.packageOf;
import static io.zarrengine.structure.SourceFiles.typeOf;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Catches packages that are too large, and cycles of files or packages. */
final class StructureTest {
    private static final int CYCLE_FILES_MAX = 6;
    private static final int PACKAGE_FILES_MAX = 40;

    private static final Path PROJECT = Path.of(System.getProperty("io.zarrengine.project", ".."));

    private static Map<String, Set<String>> needs;

    @BeforeAll
    static void parse() throws IOException {
        boolean isComplete = Files.exists(PROJECT.resolve("structure/pom.xml"));
        boolean compiles = ToolProvider.getSystemJavaCompiler() != null;
        assumeTrue(isComplete && compiles, "needs the sources and a JDK");
        needs = SourceFiles.of(PROJECT).needs();
    }

    @Test
    void noPackageIsLarge() {
        Map<String, Integer> large = new TreeMap<>();
        needs.keySet().forEach(file -> large.merge(packageOf(file), 1, Integer::sum));
        large.values().removeIf(files -> files <= PACKAGE_FILES_MAX);
        assertEquals(Map.of(), large, "packages of more than " + PACKAGE_FILES_MAX + " files");
    }

    @Test
    void noCycleOfFilesIsLarge() {
        Map<String, Map<String, Set<String>>> packages = new TreeMap<>();
        needs.forEach((file, needed) -> {
            String name = packageOf(file);
            Set<String> near = new TreeSet<>();
            for (String other : needed) {
                if (packageOf(other).equals(name)) {
                    near.add(typeOf(other));
                }
            }
            packages.computeIfAbsent(name, _ -> new TreeMap<>()).put(typeOf(file), near);
        });
        StringBuilder report = new StringBuilder();
        packages.forEach((name, files) -> {
            for (Set<String> cycle : Cycles.of(files)) {
                if (cycle.size() > CYCLE_FILES_MAX) {
                    report.append(
                            "%d files of %s need each other, at most %d may:%n"
                                    .formatted(cycle.size(), name, CYCLE_FILES_MAX));
                    cycle.forEach(file -> addLine(report, file, files.get(file), cycle));
                }
            }
        });
        failIfSaid(report);
    }

    @Test
    void noPackagesNeedEachOther() {
        Map<String, Set<String>> packages = new TreeMap<>();
        needs.forEach((file, needed) -> {
            String name = packageOf(file);
            Set<String> others = packages.computeIfAbsent(name, _ -> new TreeSet<>());
            needed.forEach(other -> others.add(packageOf(other)));
            others.remove(name);
        });
        StringBuilder report = new StringBuilder();
        for (Set<String> cycle : Cycles.of(packages)) {
            report.append("packages need each other: %s%n".formatted(String.join(", ", cycle)));
            needs.forEach((file, needed) -> {
                Set<String> others = new TreeSet<>(cycle);
                if (others.remove(packageOf(file))) {
                    Set<String> far = new TreeSet<>(needed);
                    far.removeIf(other -> !others.contains(packageOf(other)));
                    addLine(report, file, far, far);
                }
            });
        }
        failIfSaid(report);
    }

    /** Adds the wanted part of a file's needs. */
    private static void addLine(
            StringBuilder report, String file, Set<String> needed, Set<String> wanted) {
        String names = needed.stream().filter(wanted::contains).collect(Collectors.joining(", "));
        if (!names.isEmpty()) {
            report.append("    %s needs %s%n".formatted(file, names));
        }
    }

    private static void failIfSaid(StringBuilder report) {
        if (!report.isEmpty()) {
            fail(report.toString());
        }
    }
}
