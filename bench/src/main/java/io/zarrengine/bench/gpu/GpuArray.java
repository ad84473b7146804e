package io.zarrengine.bench.gpu;

import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import io.zarrengine.zarr.metadata.MetadataWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;

/**
 * An array of numbers in inner chunks of 64 KiB or 4 MiB. Our own encoders make its chunks, because
 * the engine writes neither blosc nor LZ4.
 *
 * @param folder folder of all these arrays
 * @param encoding of its inner chunks
 * @param planes its length; each plane has 16 MiB
 */
record GpuArray(Path folder, GpuEncoding encoding, int planes) {
    private static final int SHARD_PLANES = 16;
    private static final int SHARD_ROWS = 512;
    private static final int ROW_BYTES = 16;
    private static final int SHARDS_PER_SIDE = 2;
    private static final int INDEX_ROW_BYTES = 16;

    Path path() {
        return folder.resolve(encoding.word() + "-" + planes + ".zarr");
    }

    long[] shape() {
        long rows = (long) SHARDS_PER_SIDE * SHARD_ROWS;
        return new long[] {planes, rows, rows, columns()};
    }

    long[] innerShape() {
        return new long[] {1, encoding.innerRows(), encoding.innerRows(), columns()};
    }

    /** Returns the size of an inner chunk of stored numbers. */
    int innerBytes() {
        return ROW_BYTES * encoding.innerRows() * encoding.innerRows();
    }

    private int columns() {
        return ROW_BYTES / encoding.storedType().byteSize();
    }

    private int shardPlanes() {
        return Math.min(SHARD_PLANES, planes);
    }

    int chunksPerShard() {
        int perSide = SHARD_ROWS / encoding.innerRows();
        return shardPlanes() * perSide * perSide;
    }

    /**
     * Writes the array unless it exists; writes under another name and renames, so that an existing
     * array is complete.
     */
    void make() throws IOException {
        if (Files.isDirectory(path())) {
            return;
        }
        if (planes % shardPlanes() != 0) {
            throw new IllegalArgumentException(planes + " planes are no whole shards");
        }
        Path part = folder.resolve(path().getFileName() + "." + System.nanoTime());
        Files.createDirectories(part);
        try {
            IntStream.range(0, shardCount()).parallel().forEach(shard -> write(part, shard));
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        Files.write(part.resolve("zarr.json"), MetadataWriter.write("zarr.json", metadata()));
        Files.move(part, path());
    }

    private ArrayMetadata metadata() {
        long[] shard = {shardPlanes(), SHARD_ROWS, SHARD_ROWS, columns()};
        List<CodecSpec> codecs = new ArrayList<>(encoding.filters());
        codecs.add(CodecSpec.sharding(innerShape(), encoding.codecs()));
        return ArrayMetadata.builder(encoding.type(), shape())
                .chunkShape(shard)
                .codecs(codecs)
                .build();
    }

    private void write(Path root, int shard) {
        Path file = root.resolve(key(shard));
        try {
            Files.createDirectories(file.getParent());
            try (FileChannel channel =
                    FileChannel.open(
                            file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                write(channel, shard);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void write(FileChannel channel, int shard) throws IOException {
        int chunks = chunksPerShard();
        ByteBuffer index =
                ByteBuffer.allocate(chunks * INDEX_ROW_BYTES + Integer.BYTES)
                        .order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < chunks; i++) {
            byte[] encoded = encoding.encode(elements(shard, i));
            index.putLong(channel.position()).putLong(encoded.length);
            writeFully(channel, ByteBuffer.wrap(encoded));
        }
        CRC32C checksum = new CRC32C();
        checksum.update(index.array(), 0, index.position());
        writeFully(channel, index.putInt((int) checksum.getValue()).flip());
    }

    private static void writeFully(FileChannel channel, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    /**
     * Returns the elements of an inner chunk: a walk in steps of up to 6, whose low bytes hardly
     * compress and whose high bytes nearly vanish. Floats are hundredths, like a temperature.
     */
    byte[] elements(int shard, int chunk) {
        SplittableRandom random = new SplittableRandom((long) shard << 32 | chunk);
        ByteBuffer elements = ByteBuffer.allocate(innerBytes()).order(ByteOrder.LITTLE_ENDIAN);
        boolean isFloat = encoding.storedType() == NumericType.FLOAT32;
        int value = random.nextInt();
        while (elements.hasRemaining()) {
            value += random.nextInt(13) - 6;
            if (isFloat) {
                elements.putFloat((short) value / 100f);
            } else {
                elements.putShort((short) value);
            }
        }
        return elements.array();
    }

    /** {@return the files of the shards, in the order of their numbers} */
    List<Path> shards() {
        return IntStream.range(0, shardCount())
                .mapToObj(shard -> path().resolve(key(shard)))
                .toList();
    }

    private int shardCount() {
        return planes / shardPlanes() * SHARDS_PER_SIDE * SHARDS_PER_SIDE;
    }

    private static String key(int shard) {
        int column = shard % SHARDS_PER_SIDE;
        int row = shard / SHARDS_PER_SIDE % SHARDS_PER_SIDE;
        return "c/%d/%d/%d/0".formatted(shard / SHARDS_PER_SIDE / SHARDS_PER_SIDE, row, column);
    }

    /** {@return the decompressed bytes of all elements in their stored type} */
    long elementBytes() {
        return Arrays.stream(shape()).reduce(encoding.storedType().byteSize(), Math::multiplyExact);
    }
}
