package io.zarrengine.bindings;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@NeedsNativeAccess
final class NativePathTest {
    @TempDir Path folder;

    /** Includes locales that know only ASCII. */
    @ParameterizedTest
    @ValueSource(strings = {"plain", "M%C3%BCller", "caf%E9", "%F0%9F%8C%8D%20%25", "%EF%BF%BD"})
    void leadsWhereJavaGoes(String rawName) throws Exception {
        Path path = Path.of(URI.create(folder.toUri() + rawName));
        Files.write(path, new byte[5]);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment callState = LibC.newCallState(arena);
            assertEquals(5, FileStatus.ofPath(callState, path).byteSize());
        }
    }
}
