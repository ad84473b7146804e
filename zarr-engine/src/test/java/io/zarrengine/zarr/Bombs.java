package io.zarrengine.zarr;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;

/**
 * Arrays of strings whose small chunks decode to many bytes. A chunk holds two strings: one of the
 * requested length, and "b".
 */
final class Bombs {
    private static final String SHARDING =
            """
            {"name": "sharding_indexed", "configuration": {"chunk_shape": [2], "codecs": [%s],
                "index_codecs": [{"name": "bytes", "configuration": {"endian": "little"}}]}}
            """;

    private static final int PART_BYTES = 128 << 10; // maximum decoded size of a zstd block
    private static final byte[] PART = new byte[PART_BYTES];

    static {
        Arrays.fill(PART, (byte) 'x');
    }

    private Bombs() {}

    /** Compression of the elements. None of them states the decoded size of a chunk. */
    enum Packing {
        GZIP("{\"name\": \"gzip\", \"configuration\": {\"level\": 1}}"),
        ZSTD("{\"name\": \"zstd\", \"configuration\": {\"level\": 1}}");

        private final String codec;

        Packing(String codec) {
            this.codec = codec;
        }

        String codec() {
            return codec;
        }
    }

    /** Place of the chunks in files. */
    enum Layout {
        /** Each chunk is a file. */
        CHUNKS,
        /** All chunks are in one shard, each compressed. */
        SHARD,
        /** All chunks are in one shard, which is compressed as a whole. */
        WHOLE
    }

    /**
     * Writes an array.
     *
     * @param type the data type, and the codec of its elements: {@code string} or {@code bytes}
     * @param between codecs between that one and the compression, each with a comma in front
     * @param lengths the length of the first element of each chunk
     */
    static Path write(
            Path folder,
            Packing packing,
            Layout layout,
            String type,
            String between,
            List<Integer> lengths)
            throws IOException {
        String elements = type.equals("string") ? "\"vlen-utf8\"" : "\"vlen-bytes\"";
        String packed = elements + between + "," + packing.codec();
        String codecs =
                switch (layout) {
                    case CHUNKS -> packed;
                    case SHARD -> SHARDING.formatted(packed);
                    case WHOLE -> SHARDING.formatted(elements + between) + "," + packing.codec();
                };
        int elementCount = 2 * lengths.size();
        int perFile = layout == Layout.CHUNKS ? 2 : elementCount;
        Files.createDirectories(folder.resolve("c"));
        Files.writeString(
                folder.resolve("zarr.json"),
                """
                {"zarr_format": 3, "node_type": "array", "shape": [%d], "data_type": "%s",
                 "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [%d]}},
                 "chunk_key_encoding": "default", "fill_value": "", "codecs": [%s]}
                """
                        .formatted(elementCount, type, perFile, codecs));
        if (layout == Layout.CHUNKS) {
            for (int i = 0; i < lengths.size(); i++) {
                Files.write(folder.resolve("c/" + i), pack(packing, List.of(lengths.get(i))));
            }
        } else {
            Files.write(folder.resolve("c/0"), shard(packing, layout, lengths));
        }
        return folder;
    }

    private static byte[] shard(Packing packing, Layout layout, List<Integer> lengths)
            throws IOException {
        ByteBuffer index = ByteBuffer.allocate(16 * lengths.size()).order(ByteOrder.LITTLE_ENDIAN);
        ByteArrayOutputStream shard = new ByteArrayOutputStream();
        long at = 0;
        for (int length : lengths) {
            byte[] chunk = layout == Layout.SHARD ? pack(packing, List.of(length)) : new byte[0];
            shard.writeBytes(chunk);
            long bytes = layout == Layout.SHARD ? chunk.length : chunkBytes(length);
            index.putLong(at).putLong(bytes);
            at += bytes;
        }
        if (layout == Layout.SHARD) {
            shard.writeBytes(index.array());
            return shard.toByteArray();
        }
        return pack(packing, lengths, index.array());
    }

    private static long chunkBytes(long length) {
        return 4 + 4 + length + 4 + 1;
    }

    /** Compresses chunks with first elements of these lengths, and the bytes after them, as one. */
    private static byte[] pack(Packing packing, List<Integer> lengths, byte... behind)
            throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (Packer packer = packing == Packing.GZIP ? gzip(bytes) : new ZstdBlocks(bytes)) {
            for (int length : lengths) {
                packer.put(numbers(2, length));
                for (int left = length; left > 0; left -= PART_BYTES) {
                    packer.putLetters(Math.min(left, PART_BYTES));
                }
                packer.put(numbers(1));
                packer.put(new byte[] {'b'});
            }
            packer.put(behind);
        }
        return bytes.toByteArray();
    }

    private static byte[] numbers(int... values) {
        ByteBuffer bytes = ByteBuffer.allocate(4 * values.length).order(ByteOrder.LITTLE_ENDIAN);
        Arrays.stream(values).forEach(bytes::putInt);
        return bytes.array();
    }

    private interface Packer extends AutoCloseable {
        void put(byte... bytes) throws IOException;

        void putLetters(int count) throws IOException;

        @Override
        void close() throws IOException;
    }

    private static Packer gzip(OutputStream bytes) throws IOException {
        GZIPOutputStream gzip = new GZIPOutputStream(bytes, PART_BYTES);
        return new Packer() {
            @Override
            public void put(byte... some) throws IOException {
                gzip.write(some);
            }

            @Override
            public void putLetters(int count) throws IOException {
                gzip.write(PART, 0, count);
            }

            @Override
            public void close() throws IOException {
                gzip.close();
            }
        };
    }

    /**
     * Writes one frame without a content size: raw blocks, and blocks of one repeated byte.
     *
     * @see <a href="https://www.rfc-editor.org/rfc/rfc8878#section-3.1.1">RFC 8878, section
     *     3.1.1</a>
     */
    private record ZstdBlocks(ByteArrayOutputStream frame) implements Packer {
        private static final int REPEATED = 1 << 1;
        private static final int LAST = 1;

        private ZstdBlocks {
            frame.writeBytes(numbers(0xFD2FB528));
            frame.write(0); // no content size, no checksum; a window follows
            frame.write((20 - 10) << 3); // 2^20 bytes
        }

        private void header(int count, int flags) {
            frame.write(numbers(count << 3 | flags), 0, 3);
        }

        @Override
        public void put(byte... bytes) {
            header(bytes.length, 0);
            frame.writeBytes(bytes);
        }

        @Override
        public void putLetters(int count) {
            header(count, REPEATED);
            frame.write('x');
        }

        @Override
        public void close() {
            header(0, LAST);
        }
    }
}
