package io.zarrengine.zarr.reference;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.zip.Adler32;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;

/** Bytes-to-bytes codec in both directions. */
interface BytesStep {
    byte[] encode(byte[] decoded);

    byte[] decode(byte[] encoded);

    /** Returns the codec with this name. */
    static BytesStep parse(String name, Map<?, ?> configuration, int elementBytes) {
        boolean silent = configuration.get("location") == null;
        boolean start = "start".equals(configuration.get("location"));
        return switch (name) {
            case "crc32c" -> crc32c(start);
            case "crc32" -> new Sum(bytes -> ofJdk(new CRC32(), bytes), silent || start);
            case "adler32" -> new Sum(bytes -> ofJdk(new Adler32(), bytes), silent || start);
            case "jenkins_lookup3" ->
                    new Lookup3(
                            configuration.get("initval") instanceof Number value
                                    ? value.intValue()
                                    : 0,
                            configuration.get("prefix") instanceof List<?> prefix
                                    ? prefix
                                    : List.of());
            case "fletcher32" -> new Sum(BytesStep::fletcher32, false);
            case "shuffle" ->
                    new Shuffle(
                            configuration.get("elementsize") == null
                                    ? elementBytes
                                    : ReferenceType.integer(configuration.get("elementsize")));
            case "blosc" -> new Blosc(configuration, elementBytes);
            default -> new Compression(Compression.Format.of(name));
        };
    }

    static BytesStep crc32c(boolean atStart) {
        return new Sum(bytes -> ofJdk(new CRC32C(), bytes), atStart);
    }

    private static long ofJdk(Checksum checksum, byte[] bytes) {
        checksum.update(bytes);
        return checksum.getValue();
    }

    /**
     * Computes the sum as HDF5 does: of 16-bit big-endian numbers; a last odd byte is a high byte.
     */
    private static long fletcher32(byte[] bytes) {
        long sum = 0;
        long sumOfSums = 0;
        for (int i = 0; i < bytes.length; i += 2) {
            int low = i + 1 < bytes.length ? bytes[i + 1] & 0xff : 0;
            sum = fold(sum + ((bytes[i] & 0xff) << 8 | low));
            sumOfSums = fold(sumOfSums + sum);
        }
        return sumOfSums << 16 | sum;
    }

    /** Reduces modulo 65535, but keeps 65535. */
    private static long fold(long sum) {
        return sum > 0xffff ? sum - 0xffff : sum;
    }

    /** Checksum of four bytes before or after the data. */
    record Sum(ToLongFunction<byte[]> function, boolean atStart) implements BytesStep {
        @Override
        public byte[] encode(byte[] decoded) {
            long sum = function.applyAsLong(decoded);
            return atStart
                    ? new Bytes().addInt(sum).add(decoded).toArray()
                    : new Bytes().add(decoded).addInt(sum).toArray();
        }

        @Override
        public byte[] decode(byte[] encoded) {
            byte[] decoded =
                    atStart
                            ? Arrays.copyOfRange(encoded, 4, encoded.length)
                            : Arrays.copyOf(encoded, encoded.length - 4);
            if (!Arrays.equals(encoded, encode(decoded))) {
                throw new IllegalArgumentException("checksum");
            }
            return decoded;
        }
    }

    /** First bytes of all elements, then second bytes and so on; the remainder stays as it is. */
    record Shuffle(int size) implements BytesStep {
        @Override
        public byte[] encode(byte[] decoded) {
            return moved(decoded, true);
        }

        @Override
        public byte[] decode(byte[] encoded) {
            return moved(encoded, false);
        }

        private byte[] moved(byte[] bytes, boolean apart) {
            byte[] result = bytes.clone();
            int count = size < 2 ? 0 : bytes.length / size;
            for (int i = 0; i < count; i++) {
                for (int k = 0; k < size; k++) {
                    int together = i * size + k;
                    int separate = k * count + i;
                    result[apart ? separate : together] = bytes[apart ? together : separate];
                }
            }
            return result;
        }
    }
}
