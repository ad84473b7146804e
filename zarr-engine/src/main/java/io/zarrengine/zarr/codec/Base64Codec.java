package io.zarrengine.zarr.codec;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.errors.TargetTooSmallException;
import java.lang.foreign.MemorySegment;
import java.util.Base64;

/**
 * The {@code base64} codec: bytes as text, with padding, without line breaks.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc4648#section-4">RFC 4648, section 4</a>
 */
public record Base64Codec() implements BytesCodec.Compressor {
    public static final String NAME = "base64";

    private static final int GROUP_BYTES = 3;
    private static final int GROUP_CHARACTERS = 4;

    /** Groups processed at once. */
    private static final int PART_GROUPS = 4096;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public long encodedBytesMax(long decodedBytes) {
        return Math.ceilDiv(decodedBytes, GROUP_BYTES) * GROUP_CHARACTERS;
    }

    @Override
    public long encode(MemorySegment decoded, MemorySegment encoded, Workspace workspace) {
        long written = 0;
        long part = (long) PART_GROUPS * GROUP_BYTES;
        for (long at = 0; at < decoded.byteSize(); at += part) {
            long bytes = Math.min(part, decoded.byteSize() - at);
            byte[] text = Base64.getEncoder().encode(decoded.asSlice(at, bytes).toArray(JAVA_BYTE));
            MemorySegment.copy(text, 0, encoded, JAVA_BYTE, written, text.length);
            written += text.length;
        }
        return written;
    }

    @Override
    public long decode(MemorySegment encoded, MemorySegment decoded, Workspace workspace)
            throws CodecException {
        if (encoded.byteSize() % GROUP_CHARACTERS != 0) {
            throw new CodecException(
                    NAME,
                    encoded.byteSize() + " characters, expected a multiple of " + GROUP_CHARACTERS);
        }
        long written = 0;
        long part = (long) PART_GROUPS * GROUP_CHARACTERS;
        for (long at = 0; at < encoded.byteSize(); at += part) {
            long characters = Math.min(part, encoded.byteSize() - at);
            byte[] bytes = decodePart(encoded, at, characters);
            if (bytes.length > decoded.byteSize() - written) {
                throw new TargetTooSmallException(NAME, decoded.byteSize());
            }
            MemorySegment.copy(bytes, 0, decoded, JAVA_BYTE, written, bytes.length);
            written += bytes.length;
        }
        return written;
    }

    private static byte[] decodePart(MemorySegment encoded, long at, long characters)
            throws CodecException {
        byte[] bytes;
        try {
            bytes = Base64.getDecoder().decode(encoded.asSlice(at, characters).toArray(JAVA_BYTE));
        } catch (IllegalArgumentException e) {
            throw new CodecException(
                    NAME,
                    "what stands from character "
                            + at
                            + " to "
                            + (at + characters)
                            + " is no base64",
                    e);
        }
        boolean padded = bytes.length < characters / GROUP_CHARACTERS * GROUP_BYTES;
        if (padded && at + characters < encoded.byteSize()) {
            throw new CodecException(
                    NAME, "padding stands before character " + (at + characters) + ", not last");
        }
        return bytes;
    }
}
