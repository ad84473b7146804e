package io.zarrengine.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.datatype.NumericType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests one read to a file. The array is int16, (5, 7); each element is its index in C order. */
final class ReadCommandTest {
    @TempDir private Path folder;
    private Path array;
    private Path results;

    @BeforeEach
    void write() throws IOException {
        array = SmallArrays.counting(folder.resolve("a"), new long[] {5, 7}, new long[] {3, 4});
        results = Files.createDirectory(folder.resolve("results"));
    }

    @ParameterizedTest
    @CsvSource({
        "'1:3,2:7:2', '(2, 3)', 9 11 13 16 18 20",
        "'4,5:', '(2,)', 33 34",
        "'4:5,5:', '(1, 2)', 33 34",
        "'-1,-1', '()', 34",
        "'...,3', '(5,)', 3 10 17 24 31",
        "'2:2', '(0, 7)', ''",
        "'[-1,0],5:', '(2, 2)', 33 34 5 6",
        "'4:99', '(1, 7)', 28 29 30 31 32 33 34",
    })
    void readsWhatTheSliceNames(String slice, String shape, String numbers) throws IOException {
        Path file = results.resolve("r.npy");
        String out = CommandRun.of("read", array, "--slice", slice, "--output", file).succeeded();
        assertEquals("", out);
        NpyFile npy = NpyFile.of(Files.readAllBytes(file));
        assertEquals(NpyFile.header("<i2", shape), npy.header());
        assertEquals(shorts(numbers), npy.data());
        assertEquals(List.of(file), leftovers());
    }

    private static ByteBuffer shorts(String numbers) {
        ByteBuffer bytes = ByteBuffer.allocate(1000).order(ByteOrder.LITTLE_ENDIAN);
        Stream.of(numbers.split(" "))
                .filter(number -> !number.isEmpty())
                .forEach(number -> bytes.putShort(Short.parseShort(number)));
        return bytes.flip();
    }

    @Test
    void stringsGoToJsonAndNothingElse() throws IOException {
        Path strings = SmallArrays.strings(folder.resolve("strings"));
        for (String name : List.of("r.npy", "r.raw")) {
            CommandRun.of("read", strings, "--output", results.resolve(name))
                    .refused(
                            strings
                                    + ": its elements (string) have a variable length, which "
                                    + results.resolve(name)
                                    + " cannot hold: name an output that ends in .json");
        }
        Path file = results.resolve("r.json");
        CommandRun.of("read", strings, "--output", file).succeeded();
        assertEquals("[\"é\", \"é\"]\n", Files.readString(file));
        assertEquals(List.of(file), leftovers());
        assertTrue(CommandRun.of("read", "--help").succeeded().contains("F.json"));
    }

    /** The size of the array does not fit in 63 bits; the size of a part does. */
    @Test
    void aPartOfAHugeArrayIsReadAndAllOfItRefused() throws IOException {
        Path huge = Files.createDirectory(folder.resolve("huge"));
        Files.writeString(
                huge.resolve("zarr.json"),
                """
                {"zarr_format": 3, "node_type": "array", "shape": [4611686018427387904],
                 "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [1000]}},
                 "data_type": "int32", "chunk_key_encoding": "default", "fill_value": true,
                 "codecs": [{"name": "bytes", "configuration": {"endian": "little"}}]}
                """);
        Path file = results.resolve("r.npy");
        CommandRun.of("read", huge, "--output", file)
                .refused("4611686018427387904 elements of 4 bytes, which do not fit in 63 bits");
        CommandRun.of("read", huge, "--slice", "::1000", "--output", file)
                .refused("the result int32[4611686018427388] takes" + " 18446744073709552 bytes");
        assertEquals(List.of(), leftovers());
        CommandRun.of("read", huge, "--slice", "-2:", "--output", file).succeeded();
        NpyFile npy = NpyFile.of(Files.readAllBytes(file));
        assertEquals(NpyFile.header("<i4", "(2,)"), npy.header());
        assertEquals(1, npy.data().order(ByteOrder.LITTLE_ENDIAN).getInt(4));
        String info = CommandRun.of("info", huge).succeeded();
        assertTrue(info.contains("more than 9.22 EB uncompressed"), info);
    }

    @Test
    void withoutASliceItReadsEverything() throws IOException {
        Path file = results.resolve("r.npy");
        CommandRun.of("read", array, "--output", file).succeeded();
        NpyFile npy = NpyFile.of(Files.readAllBytes(file));
        assertEquals(NpyFile.header("<i2", "(5, 7)"), npy.header());
        npy.data().order(ByteOrder.LITTLE_ENDIAN);
        for (short i = 0; i < 35; i++) {
            assertEquals(i, npy.data().getShort());
        }
    }

    @Test
    void rawIsTheElementsAlone() throws IOException {
        Path npy = results.resolve("r.npy");
        Path raw = results.resolve("r.raw");
        CommandRun.of("read", array, "--output", npy, "--slice", "1:4").succeeded();
        CommandRun.of("read", array, "--output", raw, "--slice", "1:4").succeeded();
        ByteBuffer elements = NpyFile.of(Files.readAllBytes(npy)).data();
        assertEquals(42, elements.remaining());
        assertEquals(elements, ByteBuffer.wrap(Files.readAllBytes(raw)));
    }

    @Test
    void aDashIsTheSameToStandardOutput() throws IOException {
        Path npy = results.resolve("r.npy");
        CommandRun.of("read", array, "--output", npy).succeeded();
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        readTo(printed).succeeded();
        assertArrayEquals(Files.readAllBytes(npy), printed.toByteArray());
    }

    /** A print stream reports no errors, but a full disk must not look like success. */
    @Test
    void aBrokenStandardOutputIsRefused() {
        OutputStream full =
                new OutputStream() {
                    @Override
                    public void write(int b) throws IOException {
                        throw new IOException("No space left on device");
                    }
                };
        readTo(full).refused("standard output");
    }

    private CommandRun readTo(OutputStream out) {
        PrintStream before = System.out; // Allowed: the result goes there
        System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
        try {
            return CommandRun.of("read", array, "--output", "-");
        } finally {
            System.setOut(before);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'0,0,0', r.npy, is for 3 dimensions",
        "'0:1:x', r.npy, is no integer",
        "'0:1:0', r.npy, ",
        "'5', r.npy, ",
        "'0,...,...', r.npy, more than once",
        "'', r.txt, .npy or .raw",
        "'', npy, .npy or .raw",
        "'', no/r.npy, there is no such folder",
        "'', ., .npy or .raw",
    })
    void aRefusedReadLeavesNoFile(String slice, String output, String complaint)
            throws IOException {
        Path file = results.resolve(output);
        CommandRun.of("read", array, "--slice", slice, "--output", file)
                .refused(complaint == null ? "" : complaint);
        assertEquals(List.of(), leftovers());
    }

    @Test
    void theRootIsNoOutput() {
        CommandRun.of("read", array, "--output", "/").refused(".npy or .raw");
    }

    @Test
    void aFolderIsNoOutput() throws IOException {
        Path file = Files.createDirectory(results.resolve("r.npy"));
        CommandRun.of("read", array, "--output", file).refused("is a folder");
        assertTrue(Files.isDirectory(file));
    }

    @ParameterizedTest
    @CsvSource({"true", "false"})
    void anExistingFileIsReplacedOnlyOnSuccess(boolean damaged) throws IOException {
        Path file = Files.writeString(results.resolve("r.npy"), "before");
        if (damaged) {
            Files.write(array.resolve("c/1/1"), new byte[23]);
            CommandRun.of("read", array, "--output", file).refused("has 23 bytes, expected 24");
            assertEquals("before", Files.readString(file));
        } else {
            CommandRun.of("read", array, "--output", file).succeeded();
            assertEquals(70, NpyFile.of(Files.readAllBytes(file)).data().remaining());
        }
        assertEquals(List.of(file), leftovers());
    }

    @Test
    void whatIsNoArrayIsRefused() throws IOException {
        Path file = results.resolve("r.npy");
        CommandRun.of("read", folder.resolve("b"), "--output", file).refused("does not exist");
        Path group = SmallArrays.group(folder.resolve("g"), Map.of());
        CommandRun.of("read", group, "--output", file).refused("is a group");
        assertEquals(List.of(), leftovers());
    }

    @Test
    void moreThanTheMemoryIsRefused() throws IOException {
        Path huge = SmallArrays.empty(folder.resolve("h"), NumericType.UINT8, 1L << 50);
        Path file = results.resolve("r.npy");
        CommandRun.of("read", huge, "--output", file)
                .refused("the result uint8[1125899906842624] takes");
        assertEquals(List.of(), leftovers());
    }

    @Test
    void gdsIsForDevices() {
        CommandRun.of("read", array, "--output", results.resolve("r.npy"), "--io", "gds")
                .misused("--io gds reads to a GPU only (--device)");
    }

    @ParameterizedTest
    @CsvSource({"auto", "PREAD", "channel"})
    void readsInEveryWay(String io) throws IOException {
        Path file = results.resolve("r.raw");
        CommandRun run =
                CommandRun.of(
                        "read",
                        array,
                        "--output",
                        file,
                        "--slice",
                        "4,6",
                        "--io",
                        io,
                        "--threads",
                        "1",
                        "--memory",
                        "16");
        if (run.status() == 1 && io.equals("PREAD")) {
            run.refused("PREADV: "); // Native access is denied here.
        } else {
            run.succeeded();
            assertArrayEquals(new byte[] {34, 0}, Files.readAllBytes(file));
        }
    }

    private List<Path> leftovers() throws IOException {
        try (Stream<Path> files = Files.list(results)) {
            return files.toList();
        }
    }
}
