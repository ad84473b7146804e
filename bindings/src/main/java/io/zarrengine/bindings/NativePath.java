package io.zarrengine.bindings;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Paths as bytes for the kernel. Java decodes names by the encoding of the locale, and loses bytes
 * of a name with another encoding: the text of such a path is a different path, usually of no file.
 */
public final class NativePath {
    private static final boolean IS_UTF_8 = "UTF-8".equals(System.getProperty("sun.jnu.encoding"));

    private NativePath() {}

    /**
     * {@return the bytes of a path, and a zero byte}
     *
     * @param arena of the bytes
     * @param path of the default file system
     */
    public static MemorySegment of(Arena arena, Path path) {
        String text = path.toString();
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        boolean isAscii = bytes.length == text.length();
        boolean isExact = isAscii || (IS_UTF_8 && text.indexOf('\uFFFD') < 0);
        if (!isExact) { // only a URI has the bytes; it takes one more system call
            bytes = decoded(path.toUri().getRawPath());
        }
        MemorySegment terminated = arena.allocate(bytes.length + 1L);
        return terminated.copyFrom(MemorySegment.ofArray(bytes));
    }

    /** Undoes percent-encoding. */
    private static byte[] decoded(String rawPath) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(rawPath.length());
        for (int i = 0; i < rawPath.length(); i++) {
            if (rawPath.charAt(i) == '%') {
                bytes.write(Integer.parseInt(rawPath, i + 1, i + 3, 16));
                i += 2;
            } else {
                bytes.write(rawPath.charAt(i));
            }
        }
        return bytes.toByteArray();
    }
}
