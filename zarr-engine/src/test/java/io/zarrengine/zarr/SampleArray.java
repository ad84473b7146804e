package io.zarrengine.zarr;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.bindings.NativeLibrary;
import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * An array that the engine writes and whose elements follow from their positions, so that the slow
 * twin of a read computes them again.
 *
 * <p>Some inner boxes of 5 elements along each dimension hold the fill value, so that whole chunks
 * of it are missing.
 */
public record SampleArray(Path path, ArrayMetadata metadata) {
    public static SampleArray write(ZarrEngine engine, Path path, ArrayMetadata metadata) {
        SampleArray sample = new SampleArray(path, metadata);
        engine.createArray(path, metadata).writeAll(sample::fillChunk);
        return sample;
    }

    /** Writes 100 inner chunks in 4 shards. */
    public static SampleArray writeShards(
            ZarrEngine engine, Path path, NumericType type, CodecSpec... inner) {
        ArrayMetadata metadata =
                ArrayMetadata.builder(type, 120, 200)
                        .chunkShape(60, 100)
                        .codecs(List.of(CodecSpec.sharding(new long[] {10, 20}, inner)))
                        .build();
        return write(engine, path, metadata);
    }

    /** Writes the same in zstd, which a GPU decodes. */
    public static SampleArray writeZstdShards(ZarrEngine engine, Path path, NumericType type) {
        assumeTrue(NativeLibrary.LIBZSTD.isAvailable(), "libzstd encodes");
        return writeShards(
                engine, path, type, CodecSpec.bytes(), CodecSpec.zstd(3), CodecSpec.crc32c());
    }

    /** Writes 4 chunks with a checksum, and damages the chunk of a key. */
    public static SampleArray writeDamaged(ZarrEngine engine, Path path, String key)
            throws IOException {
        ArrayMetadata metadata =
                ArrayMetadata.builder(NumericType.INT16, 120, 200)
                        .chunkShape(60, 100)
                        .codecs(List.of(CodecSpec.bytes(), CodecSpec.crc32c()))
                        .build();
        SampleArray sample = write(engine, path, metadata);
        Path chunk = path.resolve(key);
        byte[] damaged = Files.readAllBytes(chunk);
        damaged[17]++;
        Files.write(chunk, damaged);
        return sample;
    }

    private void fillChunk(long[] chunk, MemorySegment elements) {
        long[] shape = metadata.chunkShape();
        long[] offset = new long[shape.length];
        Arrays.setAll(offset, d -> chunk[d] * shape[d]);
        elements.copyFrom(MemorySegment.ofArray(expected(boxOf(offset, shape))));
    }

    /** {@return the element at a position, in native byte order} */
    byte[] element(long[] position) {
        long box = 7;
        long hash = 1;
        for (long at : position) { // No streams, which take most of the time of some tests.
            box = box * 31 + at / 5;
            hash = hash * 1_000_003 + at;
        }
        byte[] element = metadata.fillValue();
        if (box % 3 != 0) {
            for (int i = 0; i < element.length; i++) {
                element[i] = (byte) (hash >>> (5 * i));
            }
        }
        return element;
    }

    /** {@return the bytes that {@link Selection#all} must read} */
    byte[] all() {
        long[] shape = metadata.shape();
        return expected(boxOf(new long[shape.length], shape));
    }

    private static BoxPositions boxOf(long[] offset, long[] shape) {
        long[] ones = new long[shape.length];
        Arrays.fill(ones, 1);
        return new BoxPositions(offset, shape, ones);
    }

    /** {@return the bytes that a selection must read, element by element} */
    byte[] expected(BoxPositions positions) {
        int bytes = metadata.dataType().byteSize();
        long count = positions.count();
        byte[] all = new byte[Math.toIntExact(count * bytes)];
        for (long i = 0; i < count; i++) {
            System.arraycopy(element(positions.at(i)), 0, all, (int) i * bytes, bytes);
        }
        return all;
    }
}
