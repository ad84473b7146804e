package io.zarrengine.gpu.file;

import io.zarrengine.cuda.GdsFile;
import io.zarrengine.uring.FileHandle;
import io.zarrengine.uring.FileVersion;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;

/**
 * Files that a device reads by itself, opened a second time for that. The most recently used files
 * stay open, and refused files are remembered with them. After several refusals in a row no more
 * files are tried.
 *
 * <p>Owner: the direct reads. Threads: any.
 */
public final class DirectFiles implements AutoCloseable {
    /** Finds the version of the file that is at a path now. */
    public interface Versions {
        FileVersion of(Path path) throws IOException;
    }

    private static final int FILES_MAX = 64;

    private final Versions versions;
    private final LinkedHashMap<FileVersion, OpenFile> files = new LinkedHashMap<>(16, 0.75f, true);
    private final RefusedFiles refusals = new RefusedFiles();

    public DirectFiles(Versions versions) {
        this.versions = versions;
    }

    /** A file that is open for direct reads, or refused. */
    public final class OpenFile {
        private final Path path;
        private boolean wasAsked; // guarded by this
        private GdsFile file; // null: it did not open. Written once, by its first user
        private volatile boolean isRefused;
        private int users; // this and the following: guarded by DirectFiles.this
        private boolean isForgotten;

        private OpenFile(Path path) {
            this.path = path;
        }

        public GdsFile file() {
            return file;
        }

        private synchronized boolean isOpen(FileVersion version) {
            if (!wasAsked) {
                wasAsked = true;
                try {
                    file = GdsFile.open(path);
                    if (!versions.of(path).equals(version)) {
                        throw new IOException("another file has taken its place");
                    }
                    refusals.end();
                } catch (IOException e) {
                    refuse(e);
                }
            }
            return !isRefused;
        }

        /** Refuses further direct reads of the file; they take another path. */
        public void refuse(IOException cause) {
            isRefused = true;
            refusals.add("GPUDirect Storage does not read " + path + ": " + cause.getMessage());
        }

        /** Ends a {@link #use}. */
        public void unuse() {
            boolean isUnused;
            synchronized (DirectFiles.this) {
                users--;
                isUnused = isForgotten && users == 0;
            }
            closeIf(isUnused);
        }

        private void forget() {
            boolean isUnused;
            synchronized (DirectFiles.this) {
                isForgotten = true;
                isUnused = users == 0;
            }
            closeIf(isUnused);
        }

        private void closeIf(boolean isUnused) {
            if (isUnused && file != null) {
                file.close();
            }
        }
    }

    /**
     * {@return the file, which the caller must give back by {@link OpenFile#unuse}; null if it is
     * refused}
     */
    public OpenFile use(FileHandle handle) {
        if (refusals.areTooMany()) {
            return null;
        }
        OpenFile used;
        OpenFile oldest = null;
        synchronized (this) {
            used = files.computeIfAbsent(handle.version(), _ -> new OpenFile(handle.path()));
            used.users++;
            if (files.size() > FILES_MAX) {
                oldest = files.pollFirstEntry().getValue();
            }
        }
        if (oldest != null) {
            oldest.forget();
        }
        if (used.isOpen(handle.version())) {
            return used;
        }
        used.unuse();
        return null;
    }

    /** Closes all files. No read uses them any more. */
    @Override
    public synchronized void close() {
        files.values().forEach(OpenFile::forget);
        files.clear();
    }
}
