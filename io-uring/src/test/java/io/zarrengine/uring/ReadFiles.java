package io.zarrengine.uring;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.bindings.NativeAccess;
import java.io.IOException;
import java.nio.file.Path;

/** Files opened in one way, or a skipped test where that way is missing. */
final class ReadFiles {
    private ReadFiles() {}

    static FileHandle direct(Path path) throws IOException {
        return open(path, Caching.DIRECT);
    }

    static FileHandle bufferedOnce(Path path) throws IOException {
        return open(path, Caching.BUFFERED_ONCE);
    }

    private static FileHandle open(Path path, Caching caching) throws IOException {
        assumeTrue(NativeAccess.denial().isEmpty(), "native access is denied");
        FileHandle file = DescriptorFile.open(path, caching);
        assumeTrue(file.caching() == caching, caching + " is refused here");
        return file;
    }
}
