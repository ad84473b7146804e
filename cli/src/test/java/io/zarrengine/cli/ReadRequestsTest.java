package io.zarrengine.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.datatype.NumericType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests many reads in one process, one JSON object a line. */
final class ReadRequestsTest {
    @TempDir private Path folder;
    private Path array;
    private Path results;

    @BeforeEach
    void write() throws IOException {
        array = SmallArrays.counting(folder.resolve("a"), new long[] {3}, new long[] {3});
        results = Files.createDirectory(folder.resolve("results"));
    }

    @Test
    void allServedIsStatusZero() throws IOException {
        String lines = "\n" + good("1") + "\n  \n" + good("2") + "\r\n\n";
        String out = CommandRun.of("read", "--requests", requests(lines)).succeeded();
        assertEquals("{\"ok\":true}\n{\"ok\":true}\n", out);
        assertGood("1");
        assertGood("2");
    }

    /**
     * Paths are parsed like the command's arguments: a file URI is a path, another URI is refused.
     */
    @Test
    void pathsAreThoseOfTheCommand() throws IOException {
        String uri = good("1").replace(array.toString(), array.toUri().toString());
        String bucket =
                line(array, "", results.resolve("b.raw")).replace("\"" + array, "\"hdfs://b");
        CommandRun run = CommandRun.of("read", "--requests", requests(uri, bucket));
        List<String> answers = run.out().lines().toList();
        assertEquals("{\"ok\":true}", answers.get(0));
        assertGood("1");
        String error = (String) JsonText.object(answers.get(1)).get("error");
        assertTrue(error.startsWith("hdfs://b: a store of the kind hdfs cannot be read"), error);
    }

    @Test
    void noRequestsAreAllServed() throws IOException {
        assertEquals("", CommandRun.of("read", "--requests", requests("\n")).succeeded());
    }

    @Test
    void aMissingListIsRefused() {
        CommandRun.of("read", "--requests", folder.resolve("no")).refused("there is no such file");
    }

    static List<String> badLines() {
        return List.of(
                "nonsense",
                "{",
                "[]",
                "\"text\"",
                "{\"path\": ",
                "{\"path\": \"ARRAY\"}",
                "{\"output\": \"RESULTS/bad.npy\"}",
                "{\"path\": 1, \"output\": \"RESULTS/bad.npy\"}",
                "{\"path\": \"ARRAY\", \"slice\": null, \"output\": \"RESULTS/bad.npy\"}",
                "{\"path\": \"ARRAY\", \"slice\": \"9\", \"output\": \"RESULTS/bad.npy\"}",
                "{\"path\": \"ARRAY\", \"slice\": \"x\", \"output\": \"RESULTS/bad.npy\"}",
                "{\"path\": \"ARRAY\", \"output\": \"RESULTS/bad.txt\"}",
                "{\"path\": \"ARRAY\", \"output\": \"RESULTS/no/bad.npy\"}",
                "{\"path\": \"ARRAY\", \"output\": \"/\"}",
                "{\"path\": \"ARRAY\", \"output\": \"\"}",
                "{\"path\": \"ARRAY\", \"output\": \"\\u0000.npy\"}",
                "{\"path\": \"ARRAY\", \"output\": \"-\"}",
                "{\"path\": \"ARRAY/no\", \"output\": \"RESULTS/bad.npy\"}",
                "{\"path\": \"ARRAY\", \"slise\": \"1\", \"output\": \"RESULTS/bad.npy\"}",
                "{\"path\": \"ARRAY\", \"path\": \"ARRAY\", \"output\": \"RESULTS/bad.npy\"}",
                "{\"path\": \"ARRAY\", \"output\": \"RESULTS/bad.npy\"} more",
                "{\"path\": \"ARRAY\", \"output\": \"RESULTS/bad.npy\"}{}");
    }

    @ParameterizedTest
    @MethodSource("badLines")
    void aBadLineNeverStopsTheRest(String line) throws IOException {
        String bad = line.replace("ARRAY", array.toString()).replace("RESULTS", results.toString());
        CommandRun run = CommandRun.of("read", "--requests", requests(good("1"), bad, good("2")));
        assertMiddleRefused(run);
    }

    @Test
    void aLineThatIsNoTextNeverStopsTheRest() throws IOException {
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        lines.writeBytes((good("1") + "\n{\"path\": \"").getBytes(StandardCharsets.UTF_8));
        lines.writeBytes(new byte[] {(byte) 0xc3, 0x28, (byte) 0xff});
        lines.writeBytes(
                ("\", \"output\": \"r.npy\"}\n" + good("2")).getBytes(StandardCharsets.UTF_8));
        Path file = Files.write(folder.resolve("requests"), lines.toByteArray());
        assertMiddleRefused(CommandRun.of("read", "--requests", file));
    }

    @Test
    void moreThanTheMemoryNeverStopsTheRest() throws IOException {
        Path huge = SmallArrays.empty(folder.resolve("h"), NumericType.UINT8, 1L << 50);
        String bad = line(huge, "", results.resolve("bad.npy"));
        assertMiddleRefused(
                CommandRun.of("read", "--requests", requests(good("1"), bad, good("2"))));
    }

    private void assertMiddleRefused(CommandRun run) throws IOException {
        List<String> answers = run.out().lines().toList();
        assertEquals(3, answers.size(), run.out());
        assertEquals("{\"ok\":true}", answers.get(0));
        assertEquals("{\"ok\":true}", answers.get(2));
        Map<?, ?> refusal = JsonText.object(answers.get(1));
        assertEquals(false, refusal.get("ok"));
        String error = (String) refusal.get("error");
        assertTrue(error.length() >= 15, error);
        assertFalse(error.contains("\n") || error.contains("Exception"), error);
        assertEquals("", run.err());
        assertEquals(1, run.status());
        assertGood("1");
        assertGood("2");
        try (Stream<Path> files = Files.list(results)) {
            assertEquals(2, files.count(), "the refused one left a file");
        }
    }

    /** Compares with another implementation's values, byte for byte. */
    @Test
    void readsTheConformanceCasesAndRefusesTheBrokenOnes(@TempDir Path unpacked)
            throws IOException {
        List<ConformanceRead> reads = new ArrayList<>();
        ConformanceRead.addAll(reads, "good", unpacked, results);
        ConformanceRead.addAll(reads, "bad", unpacked, results);
        Path list = requests(reads.stream().map(ConformanceRead::line).toArray(String[]::new));
        CommandRun run = CommandRun.of("read", "--requests", list);
        List<String> answers = run.out().lines().toList();
        assertEquals(reads.size(), answers.size());
        int served = 0;
        for (int i = 0; i < answers.size(); i++) {
            served += reads.get(i).check(JsonText.object(answers.get(i))) ? 1 : 0;
        }
        assertTrue(served >= 290, served + " reads were served");
        assertEquals("", run.err());
        assertEquals(1, run.status());
        try (Stream<Path> files = Files.list(results)) {
            assertEquals(served, files.count());
        }
    }

    private String good(String name) {
        return line(array, "1:", results.resolve(name + ".raw"));
    }

    private void assertGood(String name) throws IOException {
        byte[] elements = Files.readAllBytes(results.resolve(name + ".raw"));
        assertArrayEquals(new byte[] {1, 0, 2, 0}, elements);
    }

    static String line(Path path, String slice, Path output) {
        return CommandJson.line(
                Map.of(
                        "path", path.toString(),
                        "slice", slice,
                        "output", output.toString()));
    }

    private Path requests(String... lines) throws IOException {
        return Files.write(folder.resolve("requests"), List.of(lines));
    }
}
