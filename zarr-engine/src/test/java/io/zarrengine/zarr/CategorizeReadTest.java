package io.zarrengine.zarr;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.datatype.FixedLengthType;
import io.zarrengine.zarr.errors.CorruptChunkException;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Decodes the v2 filter that stores labels as numbers. The expected labels are what zarr-python
 * 3.1.6 reads.
 */
final class CategorizeReadTest {
    @TempDir Path folder;
    private ZarrEngine engine;

    @BeforeEach
    void open() {
        engine = ZarrEngine.builder().workers(1).budgetBytes(16 << 20).open();
    }

    @AfterEach
    void close() {
        engine.close();
    }

    private void write(String dtype, String astype, String chunk) throws IOException {
        Files.writeString(
                folder.resolve(".zarray"),
                """
                {"zarr_format": 2, "shape": [6], "chunks": [4], "dtype": "%s", "order": "C",
                 "fill_value": "", "compressor": null, "filters": [{"id": "categorize",
                    "labels": ["a", "béé", "abcd"], "dtype": "%s", "astype": "%s"}]}
                """
                        .formatted(dtype, dtype, astype));
        Files.write(folder.resolve("0"), HexFormat.of().parseHex(chunk));
    }

    /** Chunk 1 is missing. */
    @ParameterizedTest
    @CsvSource({
        "<U3, |u1, 02030109",
        "<U3, |i1, 020301ff",
        ">U3, >u2, 0002000300010004",
        "<U3, <i4, 020000000300000001000000ffffffff",
        "<U3, <u8, 02000000000000000300000000000000010000000000000000000000000000ff",
        "<U3, >i8, 00000000000000020000000000000003000000000000000100000000ffffffff",
    })
    void textOfAFixedSizeIsCutOff(String dtype, String astype, String chunk) throws IOException {
        write(dtype, astype, chunk);
        try (ZarrArray array = engine.openArray(folder);
                HostTensor tensor = array.read(Selection.all())) {
            FixedLengthType type = (FixedLengthType) array.dataType();
            byte[] bytes = tensor.segment().toArray(ValueLayout.JAVA_BYTE);
            List<String> texts = new ArrayList<>();
            for (int at = 0; at < bytes.length; at += 12) {
                texts.add(type.text(Arrays.copyOfRange(bytes, at, at + 12)));
            }
            assertEquals(List.of("béé", "abc", "a", "", "", ""), texts);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "|u1, 02030109",
        "|i1, 020301ff",
        ">u2, 0002000300010100",
        "<u2, 0200030001000001",
        "<i8, 0200000000000000030000000000000001000000000000000000000000000080",
    })
    void objectsAreStrings(String astype, String chunk) throws IOException {
        write("|O", astype, chunk);
        try (ZarrArray array = engine.openArray(folder);
                VariableLengthTensor tensor = array.readVariableLength(Selection.of("::-1"))) {
            assertEquals(List.of("", "", "", "a", "abcd", "béé"), List.copyOf(tensor.strings()));
        }
    }

    @Test
    void refusesAChunkOfAnotherSize() throws IOException {
        for (String dtype : List.of("|O", "<U3")) {
            write(dtype, "|u1", "020301");
            try (ZarrArray array = engine.openArray(folder)) {
                CorruptChunkException e =
                        assertThrows(
                                CorruptChunkException.class,
                                () -> {
                                    if (dtype.equals("|O")) {
                                        array.readVariableLength(Selection.all()).close();
                                    } else {
                                        array.read(Selection.all()).close();
                                    }
                                });
                assertTrue(e.getMessage().contains(folder.resolve("0").toString()), e::getMessage);
                assertTrue(e.getMessage().contains("3 bytes, expected 4"), e::getMessage);
            }
        }
        assertArrayEquals(new byte[] {2, 3, 1}, Files.readAllBytes(folder.resolve("0")));
    }
}
