package io.zarrengine.zarr.reference;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Inner chunks in any order, with gaps between them and some missing, and their index. */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Shard(
        int[] shape,
        int[] innerShape,
        Chain inner,
        byte[] fill,
        ByteOrder indexOrder,
        int[] transposed,
        boolean checksum,
        boolean indexFirst)
        implements Serializer {
    static Shard of(Map<?, ?> configuration, ReferenceType type, int[] shape, byte[] fill) {
        int[] innerShape = Shapes.of((List<?>) configuration.get("chunk_shape"));
        List<?> codecs = (List<?>) configuration.get("index_codecs");
        Map<?, ?> first = (Map<?, ?>) codecs.getFirst();
        boolean isTransposed = first.get("name").equals("transpose");
        List<?> index = isTransposed ? codecs.subList(1, codecs.size()) : codecs;
        int[] order = IntStream.rangeClosed(0, shape.length).toArray();
        if (isTransposed) {
            order = Shapes.of((List<?>) ((Map<?, ?>) first.get("configuration")).get("order"));
        }
        return new Shard(
                shape,
                innerShape,
                Chain.parse((List<?>) configuration.get("codecs"), type, innerShape, fill),
                fill,
                Chain.isBig((Map<?, ?>) index.getFirst())
                        ? ByteOrder.BIG_ENDIAN
                        : ByteOrder.LITTLE_ENDIAN,
                order,
                index.size() == 2,
                "start".equals(configuration.get("index_location")));
    }

    private int[] parts() {
        return Shapes.parts(shape, innerShape);
    }

    private int indexBytes() {
        return 16 * Shapes.product(parts()) + (checksum ? 4 : 0);
    }

    /** Returns the offset in the index of a chunk's number: 0 for its offset, 1 for its size. */
    private int indexAt(int chunk, int number) {
        int[] parts = parts();
        int[] shape = Arrays.copyOf(parts, parts.length + 1);
        shape[parts.length] = 2;
        int[] position = Arrays.copyOf(Shapes.position(chunk, parts), shape.length);
        position[parts.length] = number;
        int[] storedShape = new int[shape.length];
        int[] storedPosition = new int[shape.length];
        for (int d = 0; d < shape.length; d++) {
            storedShape[d] = shape[transposed[d]];
            storedPosition[d] = position[transposed[d]];
        }
        return 8 * Shapes.index(storedPosition, storedShape);
    }

    @Override
    public byte[] random(SplittableRandom random, RandomElements elements) {
        int chunks = Shapes.product(parts());
        ByteBuffer index = ByteBuffer.allocate(16 * chunks).order(indexOrder);
        Arrays.fill(index.array(), (byte) 0xff);
        Bytes body = new Bytes();
        if (indexFirst) {
            body.add(new byte[indexBytes()]);
        }
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < chunks; i++) {
            order.add(i);
        }
        if (random.nextBoolean()) {
            Collections.shuffle(order, new Random(random.nextLong()));
        }
        for (int chunk : order) {
            if (random.nextInt(4) > 0) {
                body.add(new byte[random.nextInt(8) == 0 ? random.nextInt(20) : 0]);
                byte[] encoded = inner.random(random, elements);
                index.putLong(indexAt(chunk, 0), body.size());
                index.putLong(indexAt(chunk, 1), encoded.length);
                body.add(encoded);
            }
        }
        byte[] encodedIndex =
                checksum ? BytesStep.crc32c(false).encode(index.array()) : index.array();
        byte[] shard = body.toArray();
        if (indexFirst) {
            System.arraycopy(encodedIndex, 0, shard, 0, encodedIndex.length);
            return shard;
        }
        body.add(encodedIndex);
        return body.toArray();
    }

    @Override
    public byte[][] decode(byte[] shard) {
        byte[][] elements = new byte[Shapes.product(shape)][];
        Arrays.fill(elements, fill);
        ByteBuffer index = ByteBuffer.wrap(shard).order(indexOrder);
        int indexBegin = indexFirst ? 0 : shard.length - indexBytes();
        int[] parts = parts();
        for (int chunk = 0; chunk < Shapes.product(parts); chunk++) {
            long offset = index.getLong(indexBegin + indexAt(chunk, 0));
            long bytes = index.getLong(indexBegin + indexAt(chunk, 1));
            if (offset != -1) {
                byte[] encoded = Arrays.copyOfRange(shard, (int) offset, (int) (offset + bytes));
                place(inner.decode(encoded), Shapes.position(chunk, parts), elements);
            }
        }
        return elements;
    }

    private void place(byte[][] decoded, int[] part, byte[][] elements) {
        for (int i = 0; i < decoded.length; i++) {
            int[] at = Shapes.inWhole(part, innerShape, Shapes.position(i, innerShape), shape);
            elements[Shapes.index(at, shape)] = decoded[i];
        }
    }
}
