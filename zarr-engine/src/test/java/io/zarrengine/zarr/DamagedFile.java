package io.zarrengine.zarr;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file whose first 500 bytes are wrong until this is closed. */
final class DamagedFile implements AutoCloseable {
    private final Path file;
    private final byte[] sound;

    DamagedFile(Path file) throws IOException {
        this.file = file;
        sound = Files.readAllBytes(file);
        byte[] damaged = sound.clone();
        for (int i = 0; i < 500; i++) {
            damaged[i] ^= 0x55;
        }
        Files.write(file, damaged);
    }

    @Override
    public void close() throws IOException {
        Files.write(file, sound);
    }
}
