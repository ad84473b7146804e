package io.zarrengine.zarr.store;

import io.zarrengine.uring.FileHandle;
import io.zarrengine.zarr.errors.StoreException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.zip.CRC32;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;

/**
 * A zip file, at the version that was opened. A chunk stored without compression is a range of the
 * zip file, and is read like a chunk in a folder. A chunk that the zip file compresses is read and
 * inflated as a whole.
 */
public final class ZipStore implements Store {
    private final Path zip;
    private final ZipSource source;
    private final NavigableMap<String, ZipEntry> entries;

    /** Takes what {@link ZipDirectory} has read. */
    ZipStore(Path zip, ZipSource source, NavigableMap<String, ZipEntry> entries) {
        this.zip = zip;
        this.source = source;
        this.entries = entries;
    }

    /** {@return whether a path has the name of a zip file; {@code .ozx} is one of OME-Zarr} */
    static boolean isNamed(Path path) {
        String name = String.valueOf(path.getFileName()).toLowerCase(Locale.ROOT);
        return name.endsWith(".zip") || name.endsWith(".ozx");
    }

    @Override
    public boolean exists(Path path) {
        return isFile(path) || isFolder(path);
    }

    @Override
    public boolean isFile(Path path) {
        return entries.containsKey(key(path));
    }

    @Override
    public boolean isFolder(Path path) {
        String prefix = prefix(path);
        String first = entries.ceilingKey(prefix);
        return prefix.isEmpty() || (first != null && first.startsWith(prefix));
    }

    @Override
    public Optional<String> unwritable() {
        return Optional.of("is in a zip file, which can only be read");
    }

    /** Returns the name of an entry, joined by slashes on every file system. */
    private String key(Path path) {
        List<String> names = new ArrayList<>();
        zip.relativize(path).normalize().forEach(name -> names.add(name.toString()));
        return String.join("/", names);
    }

    /** Returns the common prefix of the names of all entries in a folder. */
    private String prefix(Path folder) {
        String key = key(folder);
        return key.isEmpty() ? "" : key + "/";
    }

    @Override
    public List<Path> entries(Path folder, long max) {
        String prefix = prefix(folder);
        Set<Path> found = new LinkedHashSet<>(); // A name may be that of a file and of a folder.
        String name = entries.higherKey(prefix); // An entry may be the folder itself.
        while (name != null && name.startsWith(prefix) && found.size() < max) {
            int slash = name.indexOf('/', prefix.length());
            String child = slash < 0 ? name : name.substring(0, slash);
            entry(folder, child.substring(prefix.length())).ifPresent(found::add);
            name =
                    slash < 0
                            ? entries.higherKey(name)
                            : entries.ceilingKey(child + (char) ('/' + 1));
        }
        return List.copyOf(found);
    }

    /**
     * Returns the path of an entry; empty if the file system of this machine cannot have its name.
     */
    private static Optional<Path> entry(Path folder, String name) {
        if (name.isEmpty() || name.equals(".") || name.equals("..")) {
            return Optional.empty();
        }
        try {
            return Optional.of(folder.resolve(name));
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }

    @Override
    public ChunkFileSizes sizes(Path array, int rank, Predicate<String> isChunk) {
        String prefix = prefix(array);
        ChunkFileSizes.Sum sum = new ChunkFileSizes.Sum(rank, isChunk);
        for (var entry : entries.tailMap(prefix, false).entrySet()) {
            String name = entry.getKey();
            if (!name.startsWith(prefix)) {
                break;
            }
            if (!name.endsWith("/")) {
                ZipEntry file = entry.getValue();
                boolean isDeflated = file.method() == ZipEntry.METHOD_DEFLATED;
                sum.add(name.substring(prefix.length()), file.sizes().stored(), isDeflated);
            }
        }
        return sum.get();
    }

    @Override
    public Optional<byte[]> document(Path document) {
        ZipEntry entry = entries.get(key(document));
        if (entry == null) {
            return Optional.empty();
        }
        try {
            FileHandle file = source.open();
            try {
                return Optional.of(text(entry, file));
            } finally {
                file.release();
            }
        } catch (IOException e) {
            throw StoreException.of(document.toString(), e);
        }
    }

    private byte[] text(ZipEntry entry, FileHandle file) throws IOException {
        long bytesMax = MetadataFiles.DOCUMENT_BYTES_MAX;
        ZipEntry.Sizes sizes = entry.sizes();
        if (Math.max(sizes.bytes(), sizes.stored()) > bytesMax) {
            throw new IOException("has more than " + bytesMax + " bytes");
        }
        byte[] stored = stored(entry, file);
        byte[] text =
                switch (method(entry)) {
                    case ZipEntry.METHOD_STORED -> stored;
                    case ZipEntry.METHOD_DEFLATED -> inflate(stored, (int) sizes.bytes());
                    default -> throw compressed(entry);
                };
        CRC32 crc = new CRC32();
        crc.update(text);
        if (text.length != sizes.bytes() || (int) crc.getValue() != sizes.crc32()) {
            throw new IOException("is damaged: its checksum in the zip file is another one");
        }
        return text;
    }

    /** Reads an entry that fits in memory, together with its local header if that is not known. */
    private byte[] stored(ZipEntry entry, FileHandle file) throws IOException {
        int bytes = (int) entry.sizes().stored();
        if (entry.dataOffset() < 0) {
            byte[] read = source.read(file, entry.headerOffset(), (int) entry.likelyBytes());
            entry.locate(read, file.byteSize());
            int from = (int) (entry.dataOffset() - entry.headerOffset());
            if (bytes <= read.length - from) {
                return Arrays.copyOfRange(read, from, from + bytes);
            }
        }
        return source.read(file, entry.dataOffset(), bytes);
    }

    private static byte[] inflate(byte[] stored, int bytes) throws IOException {
        Inflater inflater = new Inflater(true);
        try (InputStream in = new InflaterInputStream(new ByteArrayInputStream(stored), inflater)) {
            return in.readNBytes(bytes + 1);
        } finally {
            inflater.end();
        }
    }

    private static int method(ZipEntry entry) throws IOException {
        if (entry.isEncrypted()) {
            throw new IOException("is encrypted in the zip file");
        }
        ZipEntry.Sizes sizes = entry.sizes();
        if (entry.method() == ZipEntry.METHOD_STORED && sizes.bytes() != sizes.stored()) {
            throw new IOException(
                    "is damaged: the zip file stores "
                            + sizes.stored()
                            + " bytes of "
                            + sizes.bytes());
        }
        return entry.method();
    }

    private static IOException compressed(ZipEntry entry) {
        return new IOException(
                "is compressed in the zip file (method "
                        + entry.method()
                        + "), which is not supported; stored (zip -0) and deflated files are");
    }

    @Override
    public Optional<ChunkLocation> chunk(Path chunk, FileOpener files) throws IOException {
        ZipEntry entry = entries.get(key(chunk));
        if (entry == null) {
            return Optional.empty();
        }
        ZippedChunk found = new ZippedChunk(chunk, entry, deflated(entry));
        FileHandle file = source.open(files);
        try {
            if (!found.isLocated()) {
                byte[] header = source.read(file, entry.headerOffset(), entry.headerBytes());
                entry.locate(header, file.byteSize());
            }
            return Optional.of(found.in(file));
        } catch (IOException | RuntimeException | Error e) {
            file.release();
            throw e;
        }
    }

    /** {@return a chunk as the directory knows it; empty if it was never written} */
    Optional<ZippedChunk> find(Path chunk) throws IOException {
        ZipEntry entry = entries.get(key(chunk));
        return entry == null
                ? Optional.empty()
                : Optional.of(new ZippedChunk(chunk, entry, deflated(entry)));
    }

    @Override
    public ChunkObjects objects(Path array) {
        return source.objects(this, array);
    }

    private static Optional<ChunkLocation.Deflated> deflated(ZipEntry entry) throws IOException {
        ZipEntry.Sizes sizes = entry.sizes();
        return switch (method(entry)) {
            case ZipEntry.METHOD_STORED -> Optional.empty();
            case ZipEntry.METHOD_DEFLATED ->
                    Optional.of(new ChunkLocation.Deflated(sizes.bytes(), sizes.crc32()));
            default -> throw compressed(entry);
        };
    }
}
