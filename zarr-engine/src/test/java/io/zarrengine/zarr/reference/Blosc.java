package io.zarrengine.zarr.reference;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Blosc chunks with every inner codec.
 *
 * @param codec the position in {@link #CODECS}
 * @param shuffle 0 for none, 1 for bytes, 2 for bits
 * @param typeBytes the bytes of an element
 * @param blockBytes the bytes of a block; 0 stores all uncompressed
 */
record Blosc(int codec, int shuffle, int typeBytes, int blockBytes) implements BytesStep {
    private static final List<String> CODECS = List.of("blosclz", "lz4", "snappy", "zlib", "zstd");
    private static final List<String> SHUFFLES = List.of("noshuffle", "shuffle", "bitshuffle");

    Blosc(Map<?, ?> configuration, int elementBytes) {
        this(
                CODECS.indexOf(((String) configuration.get("cname")).replace("lz4hc", "lz4")),
                configuration.get("shuffle") instanceof String name
                        ? SHUFFLES.indexOf(name)
                        : ReferenceType.integer(configuration.get("shuffle")),
                configuration.get("typesize") == null
                        ? elementBytes
                        : ReferenceType.integer(configuration.get("typesize")),
                ReferenceType.integer(configuration.get("blocksize")));
    }

    private static BytesStep inner(int codec) {
        return switch (codec) {
            case 0 -> new BloscLz();
            case 1 -> new Compression(Compression.Format.LZ4_BLOCK);
            case 2 -> new Compression(Compression.Format.SNAPPY);
            case 3 -> new Compression(Compression.Format.ZLIB);
            default -> new Compression(Compression.Format.ZSTD);
        };
    }

    @Override
    public byte[] encode(byte[] decoded) {
        byte[] compressed = blockBytes == 0 || decoded.length == 0 ? null : compress(decoded);
        if (compressed != null && compressed.length < decoded.length + 16) {
            return compressed;
        }
        int flags = codec << 5 | 2;
        byte[] header = header(flags, decoded.length, decoded.length, 16 + decoded.length);
        return new Bytes().add(header).add(decoded).toArray();
    }

    private byte[] compress(byte[] decoded) {
        int flags = codec << 5 | (shuffle == 1 ? 1 : 0) | (shuffle == 2 ? 4 : 0);
        int unit = Math.max(16, 8 * typeBytes);
        int block = Math.min(decoded.length, (blockBytes + unit - 1) / unit * unit);
        boolean split = typeBytes > 1 && typeBytes <= 16 && block % typeBytes == 0;
        flags |= split ? 0 : 16;
        int blocks = (decoded.length + block - 1) / block;
        Bytes offsets = new Bytes();
        Bytes body = new Bytes();
        for (int i = 0; i < blocks; i++) {
            offsets.addInt(16 + 4 * blocks + body.size());
            int end = Math.min(decoded.length, (i + 1) * block);
            byte[] part = Arrays.copyOfRange(decoded, i * block, end);
            int streams = split && part.length == block && block / typeBytes >= 128 ? typeBytes : 1;
            addStreams(shuffled(part), streams, body);
        }
        byte[] header = header(flags, decoded.length, block, 16 + 4 * blocks + body.size());
        return new Bytes().add(header).add(offsets.toArray()).add(body.toArray()).toArray();
    }

    private byte[] header(int flags, int decodedBytes, int block, int encodedBytes) {
        return new Bytes()
                .add(new byte[] {2, 1, (byte) flags, (byte) typeBytes})
                .addInt(decodedBytes)
                .addInt(block)
                .addInt(encodedBytes)
                .toArray();
    }

    private void addStreams(byte[] block, int streams, Bytes body) {
        int bytes = block.length / streams;
        for (int i = 0; i < streams; i++) {
            byte[] stream = Arrays.copyOfRange(block, i * bytes, (i + 1) * bytes);
            byte[] compressed = inner(codec).encode(stream);
            byte[] stored = compressed.length < stream.length ? compressed : stream;
            body.addInt(stored.length).add(stored);
        }
    }

    private byte[] shuffled(byte[] block) {
        return switch (shuffle) {
            case 1 -> new Shuffle(typeBytes).encode(block);
            case 2 -> bits(block, true);
            default -> block;
        };
    }

    /** Groups bit k of all elements, for each k. c-blosc leaves a count that 8 does not divide. */
    private byte[] bits(byte[] block, boolean apart) {
        int elements = block.length / typeBytes;
        byte[] result = block.clone();
        if (elements % 8 != 0) {
            return result;
        }
        Arrays.fill(result, 0, elements * typeBytes, (byte) 0);
        for (int i = 0; i < elements; i++) {
            for (int k = 0; k < 8 * typeBytes; k++) {
                int together = i * 8 * typeBytes + k;
                int separate = k * elements + i;
                int from = apart ? together : separate;
                int to = apart ? separate : together;
                result[to / 8] |= (byte) ((block[from / 8] >> from % 8 & 1) << to % 8);
            }
        }
        return result;
    }

    @Override
    public byte[] decode(byte[] encoded) {
        ByteBuffer chunk = ByteBuffer.wrap(encoded).order(ByteOrder.LITTLE_ENDIAN);
        int flags = chunk.get(2);
        int decodedBytes = chunk.getInt(4);
        int block = chunk.getInt(8);
        if ((flags & 2) != 0) {
            return Arrays.copyOfRange(encoded, 16, 16 + decodedBytes);
        }
        Bytes decoded = new Bytes();
        for (int i = 0; i * block < decodedBytes; i++) {
            int bytes = Math.min(block, decodedBytes - i * block);
            boolean split = (flags & 16) == 0 && bytes == block && block / typeBytes >= 128;
            int streams = split ? typeBytes : 1;
            chunk.position(chunk.getInt(16 + 4 * i));
            Bytes part = new Bytes();
            for (int s = 0; s < streams; s++) {
                byte[] stream = new byte[chunk.getInt()];
                chunk.get(stream);
                part.add(stream.length == bytes / streams ? stream : inner(codec).decode(stream));
            }
            decoded.add(unshuffled(part.toArray()));
        }
        return decoded.toArray();
    }

    private byte[] unshuffled(byte[] block) {
        return switch (shuffle) {
            case 1 -> new Shuffle(typeBytes).decode(block);
            case 2 -> bits(block, false);
            default -> block;
        };
    }
}
