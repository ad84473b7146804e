package io.zarrengine.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The compiled kernels are those of the source as it is now: else run bin/kernels. */
final class KernelSourceTest {
    @Test
    void theFatbinWasCompiledFromThisSource() throws Exception {
        List<String> recorded =
                new String(resource("kernels.sha256"), StandardCharsets.UTF_8).lines().toList();
        assertEquals(
                recorded, List.of(line("kernels.cu"), line("kernels.fatbin")), "run bin/kernels");
    }

    @Test
    void theFatbinIsOne() throws IOException {
        byte[] fatbin = ChunkKernels.fatbin();
        assertTrue(fatbin.length > 1000);
        assertEquals("50ed55ba", HexFormat.of().formatHex(fatbin, 0, 4)); // its magic number
    }

    private static String line(String name) throws Exception {
        byte[] hash = MessageDigest.getInstance("SHA-256").digest(resource(name));
        return HexFormat.of().formatHex(hash) + "  " + name;
    }

    private static byte[] resource(String name) throws IOException {
        try (InputStream in = ChunkKernels.class.getResourceAsStream("kernels/" + name)) {
            return in.readAllBytes();
        }
    }
}
