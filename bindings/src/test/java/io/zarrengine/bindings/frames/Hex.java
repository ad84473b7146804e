package io.zarrengine.bindings.frames;

import java.lang.foreign.MemorySegment;
import java.util.HexFormat;

/** Converts bytes written in tests. */
final class Hex {
    private Hex() {}

    static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex.replace(" ", ""));
    }

    static FrameBytes stable(byte... bytes) {
        return new StableBytes(MemorySegment.ofArray(bytes));
    }
}
