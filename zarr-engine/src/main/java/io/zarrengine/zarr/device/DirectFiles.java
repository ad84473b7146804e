package io.zarrengine.zarr.device;

import io.zarrengine.cuda.GdsFile;
import io.zarrengine.uring.FileHandle;
import io.zarrengine.uring.FileVersion;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;

/**
 * Files that a device reads itself, opened a second time for that. Those that were used last stay
 * open; one that was refused is not asked again as long as it is remembered.
 *
 * <p>Owner: {@link DirectReads}. Threads: any.
 */
final class DirectFiles implements AutoCloseable {
    /** Says which version of a file lies at a path now. */
    interface Versions {
        FileVersion of(Path path) throws IOException;
    }

    private static final System.Logger LOGGER = System.getLogger("io.zarrengine.zarr");
    private static final int FILES_MAX = 64;

    private final Versions versions;
    private boolean hasWarned; // guarded by this
    private final LinkedHashMap<FileVersion, OpenFile> files = new LinkedHashMap<>(16, 0.75f, true);

    DirectFiles(Versions versions) {
        this.versions = versions;
    }

    /** A file that is read, or refused. The fields are guarded by the files. */
    final class OpenFile {
        private GdsFile file; // null: it never opened
        private boolean isRefused;
        private boolean isForgotten;
        private int users;

        GdsFile file() {
            return file;
        }

        /** Ends what {@link #use} began. */
        void unuse() {
            synchronized (DirectFiles.this) {
                users--;
                closeIfUnused();
            }
        }

        /** Its reads go another way from now on. */
        void refuse(Path path, IOException cause) {
            System.Logger.Level level;
            synchronized (DirectFiles.this) {
                isRefused = true;
                level = hasWarned ? System.Logger.Level.DEBUG : System.Logger.Level.WARNING;
                hasWarned = true;
            }
            String what = "GPUDirect Storage does not read " + path + ": " + cause.getMessage();
            LOGGER.log(level, what);
        }

        private void forget() {
            isForgotten = true;
            closeIfUnused();
        }

        private void closeIfUnused() {
            if (isForgotten && users == 0 && file != null) {
                file.close();
                file = null;
            }
        }
    }

    /** {@return the file, to be given back by {@link OpenFile#unuse}; null if it is refused} */
    synchronized OpenFile use(FileHandle handle) {
        OpenFile known = files.computeIfAbsent(handle.version(), _ -> open(handle));
        if (files.size() > FILES_MAX) {
            files.pollFirstEntry().getValue().forget();
        }
        if (known.isRefused) {
            return null;
        }
        known.users++;
        return known;
    }

    private OpenFile open(FileHandle handle) {
        OpenFile opened = new OpenFile();
        Path path = handle.path();
        try {
            opened.file = GdsFile.open(path);
            if (!versions.of(path).equals(handle.version())) {
                throw new IOException("another file has taken its place");
            }
        } catch (IOException e) {
            opened.refuse(path, e);
        }
        return opened;
    }

    /** Nobody reads any more. */
    @Override
    public synchronized void close() {
        files.values().forEach(OpenFile::forget);
        files.clear();
    }
}
