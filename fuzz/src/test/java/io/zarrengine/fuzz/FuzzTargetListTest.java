package io.zarrengine.fuzz;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs every kept input, and variants with a few changed bytes, through its target. */
final class FuzzTargetListTest {
    private static final Path PROJECT = Path.of(System.getProperty("io.zarrengine.project", ".."));
    private static final int CHANGES = 20;

    @TempDir private static Path seeds;

    static Stream<String> targets() throws IOException {
        Corpus.write(PROJECT.resolve("conformance"), seeds);
        return FuzzTargetList.all().keySet().stream();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("targets")
    void endsAsPromised(String name) throws IOException {
        FuzzTarget target = FuzzTargetList.all().get(name);
        SplittableRandom random = new SplittableRandom(name.hashCode());
        for (Path folder : List.of(seeds, PROJECT.resolve("fuzz/corpus"))) {
            for (Path input : inputs(folder.resolve(name))) {
                byte[] bytes = Files.readAllBytes(input);
                target.run(bytes);
                for (int i = 0; i < CHANGES; i++) {
                    target.run(changed(bytes, random));
                }
            }
        }
    }

    private static List<Path> inputs(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList();
        }
    }

    private static byte[] changed(byte[] bytes, SplittableRandom random) {
        byte[] changed = Arrays.copyOf(bytes, random.nextInt(2 * bytes.length + 1));
        for (int n = random.nextInt(4); n > 0 && changed.length > 0; n--) {
            changed[random.nextInt(changed.length)] = (byte) random.nextInt();
        }
        return changed;
    }

    @Test
    void everyDecoderHasFirstInputs() throws IOException {
        targets();
        for (String name :
                List.of("metadata-v2", "metadata-v3", "zstd", "blosc", "lz4-java", "zip")) {
            assertTrue(inputs(seeds.resolve(name)).size() > 1, name);
        }
    }

    /** A target that writes outside must be caught. */
    @Test
    void seesAWriteOutsideTheTarget() {
        try (Arena arena = Arena.ofConfined()) {
            Guarded target = new Guarded(arena, 10);
            target.check();
            target.all().asSlice(74, 1).fill((byte) 0);
            assertThrows(IllegalStateException.class, target::check);
        }
    }
}
