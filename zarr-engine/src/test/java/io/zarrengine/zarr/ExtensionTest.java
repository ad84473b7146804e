package io.zarrengine.zarr;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.datatype.FixedLengthType;
import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.errors.CorruptChunkException;
import io.zarrengine.zarr.errors.FormatException;
import io.zarrengine.zarr.extension.BytesDecoder;
import io.zarrengine.zarr.extension.CodecProvider;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Codecs and data types of the user, and the messages if they are missing. */
final class ExtensionTest {
    private static final String DOCUMENT =
            """
            {"zarr_format": 3, "node_type": "array", "shape": [4], "data_type": "%s",
             "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [4]}},
             "chunk_key_encoding": "default", "fill_value": "AA==",
             "codecs": ["bytes", {"name": "%s", "configuration": {"key": 7}}]}
            """;

    /** Adds a key to each byte. A chunk of 255s is not valid. */
    private static final CodecProvider XOR =
            (name, configuration) ->
                    name.equals("xor")
                            ? Optional.of(new Xor((Long) configuration.get("key")))
                            : Optional.empty();

    private record Xor(long key) implements BytesDecoder {
        @Override
        public long encodedBytesMax(long decodedBytes) {
            return decodedBytes;
        }

        @Override
        public long decode(MemorySegment encoded, MemorySegment target) throws IOException {
            for (long i = 0; i < encoded.byteSize(); i++) {
                byte value = encoded.get(JAVA_BYTE, i);
                if (value == -1) {
                    throw new IOException("255 at " + i);
                }
                target.set(JAVA_BYTE, i, (byte) (value ^ key));
            }
            return encoded.byteSize();
        }
    }

    /**
     * Provides every codec. {@code decode} gets the target and returns how many bytes it has
     * written.
     */
    private static CodecProvider decoding(ToLongFunction<MemorySegment> decode) {
        BytesDecoder decoder =
                new BytesDecoder() {
                    @Override
                    public long encodedBytesMax(long decodedBytes) {
                        return decodedBytes;
                    }

                    @Override
                    public long decode(MemorySegment from, MemorySegment to) {
                        return decode.applyAsLong(to);
                    }
                };
        return (name, configuration) -> Optional.of(decoder);
    }

    @TempDir Path folder;

    @BeforeEach
    void write() throws IOException {
        Files.createDirectories(folder.resolve("c"));
        Files.write(folder.resolve("c/0"), new byte[] {7, 6, 5, 4});
        document("r8", "xor");
    }

    private void document(String type, String codec) throws IOException {
        Files.writeString(folder.resolve("zarr.json"), DOCUMENT.formatted(type, codec));
    }

    private static byte[] read(ZarrEngine engine, Path folder) {
        try (ZarrArray array = engine.openArray(folder);
                HostTensor tensor = array.read(Selection.all())) {
            return tensor.segment().toArray(JAVA_BYTE);
        }
    }

    @Test
    void decodesChunksWithTheUsersCodec() {
        try (ZarrEngine engine = ZarrEngine.builder().codecs(XOR).open()) {
            assertArrayEquals(new byte[] {0, 1, 2, 3}, read(engine, folder));
        }
    }

    @Test
    void reportsTheCodecsMessageForAChunk() throws IOException {
        Files.write(folder.resolve("c/0"), new byte[] {7, -1, 5, 4});
        try (ZarrEngine engine = ZarrEngine.builder().codecs(XOR).open()) {
            CorruptChunkException e =
                    assertThrows(CorruptChunkException.class, () -> read(engine, folder));
            assertTrue(e.getMessage().contains("xor: 255 at 1"), e::getMessage);
        }
    }

    @Test
    void namesAFailingCodecAndItsChunk() {
        CodecProvider broken =
                decoding(to -> {
                    throw new IllegalStateException("boom");
                });
        try (ZarrEngine engine = ZarrEngine.builder().codecs(broken).open()) {
            CorruptChunkException e =
                    assertThrows(CorruptChunkException.class, () -> read(engine, folder));
            assertTrue(e.getMessage().startsWith(folder.resolve("c/0").toString()), e::getMessage);
            assertTrue(e.getMessage().endsWith("IllegalStateException: boom"), e::getMessage);
        }
    }

    @Test
    void refusesToWriteWithAUsersCodec() {
        ArrayMetadata metadata =
                ArrayMetadata.builder(NumericType.UINT8, 4)
                        .chunkShape(4)
                        .codecs(List.of(CodecSpec.bytes(), new CodecSpec("xor", Map.of("key", 7))))
                        .build();
        try (ZarrEngine engine = ZarrEngine.builder().codecs(XOR).open()) {
            Path path = folder.resolve("new");
            FormatException e =
                    assertThrows(FormatException.class, () -> engine.createArray(path, metadata));
            assertTrue(e.getMessage().contains("cannot be written, only read: xor"), e::getMessage);
            assertFalse(Files.exists(path));
        }
    }

    /** The engine reads nothing beyond the target, whatever size a decoder returns. */
    @Test
    void refusesACodecThatReturnsTooManyBytes() {
        CodecProvider liar = decoding(to -> to.byteSize() + 1);
        try (ZarrEngine engine = ZarrEngine.builder().codecs(liar).open()) {
            CorruptChunkException e =
                    assertThrows(CorruptChunkException.class, () -> read(engine, folder));
            assertTrue(e.getMessage().contains("says that it wrote 5 of 4"), e::getMessage);
        }
    }

    @Test
    void explainsHowToAddAnUnknownCodec() {
        try (ZarrEngine engine = ZarrEngine.open()) {
            FormatException e = assertThrows(FormatException.class, () -> engine.openArray(folder));
            assertTrue(e.getMessage().contains("\"xor\""), e::getMessage);
            assertTrue(e.getMessage().contains(CodecProvider.class.getName()), e::getMessage);
        }
    }

    @Test
    void takesTheFillValueFromTheUsersDataType() throws IOException {
        document("rgb", "xor");
        Files.delete(folder.resolve("c/0"));
        try (ZarrEngine engine =
                ZarrEngine.builder()
                        .codecs(XOR)
                        .dataTypes((name, configuration) ->
                                Optional.of(new FixedLengthType(FixedLengthType.Kind.RAW, 1)))
                        .open()) {
            assertEquals(4, read(engine, folder).length);
        }
    }

    @Test
    void checksumsCanBeIgnored() throws IOException {
        String document = DOCUMENT.formatted("r8", "crc32c").replace("{\"key\": 7}", "{}");
        Files.writeString(folder.resolve("zarr.json"), document);
        Files.write(folder.resolve("c/0"), new byte[] {1, 2, 3, 4, 0, 0, 0, 0});
        try (ZarrEngine engine = ZarrEngine.open()) {
            assertThrows(CorruptChunkException.class, () -> read(engine, folder));
        }
        try (ZarrEngine engine = ZarrEngine.builder().verifyChecksums(false).open()) {
            assertArrayEquals(new byte[] {1, 2, 3, 4}, read(engine, folder));
        }
    }
}
