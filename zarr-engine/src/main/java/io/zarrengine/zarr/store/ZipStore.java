package io.zarrengine.zarr.store;

import io.zarrengine.uring.FileHandle;
import io.zarrengine.uring.FileVersion;
import io.zarrengine.uring.ReadBackend;
import io.zarrengine.zarr.errors.StoreException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
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
    private final FileVersion version;
    private final NavigableMap<String, ZipEntry> entries;
    private final ReadBackend backend;

    private ZipStore(
            Path zip,
            FileVersion version,
            NavigableMap<String, ZipEntry> entries,
            ReadBackend backend) {
        this.zip = zip;
        this.version = version;
        this.entries = entries;
        this.backend = backend;
    }

    /**
     * {@return the store of a zip file; empty if the file is not a zip file}
     *
     * @throws StoreException if it cannot be read, or its directory is damaged
     */
    static Optional<ZipStore> tryOpen(Path file, ReadBackend backend) {
        try {
            FileHandle opened = backend.open(file);
            try {
                ZipDirectory.Part part = (offset, bytes) -> backend.read(opened, offset, bytes);
                return ZipDirectory.read(part, opened.byteSize())
                        .map(entries -> new ZipStore(file, opened.version(), entries, backend));
            } finally {
                opened.release();
            }
        } catch (IOException e) {
            throw StoreException.of(file.toString(), e);
        }
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
    public ChunkFileSizes sizes(Path array, Predicate<String> isChunk) {
        String prefix = prefix(array);
        ChunkFileSizes.Sum sum = new ChunkFileSizes.Sum(isChunk);
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
            FileHandle file = openSame(backend::open);
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
        byte[] stored = backend.read(file, dataOffset(entry, file), (int) sizes.stored());
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
        Optional<ChunkLocation.Deflated> deflated = deflated(entry);
        FileHandle file = openSame(files);
        try {
            long offset = dataOffset(entry, file);
            long stored = entry.sizes().stored();
            return Optional.of(new ChunkLocation(chunk, file, offset, stored, deflated));
        } catch (IOException | RuntimeException | Error e) {
            file.release();
            throw e;
        }
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

    private FileHandle openSame(FileOpener files) throws IOException {
        FileHandle file = files.open(zip);
        if (!file.version().equals(version)) {
            file.release();
            throw new IOException("the zip file has changed since it was opened");
        }
        return file;
    }

    /**
     * Returns the offset of an entry's bytes. Only its local header has it, which is read once, at
     * the first use of the entry.
     */
    private long dataOffset(ZipEntry entry, FileHandle file) throws IOException {
        long known = entry.dataOffset();
        if (known >= 0) {
            return known;
        }
        long at = entry.headerOffset();
        byte[] bytes = backend.read(file, at, ZipDirectory.HEADER_BYTES + entry.nameBytes());
        ByteBuffer header = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        int nameBytes = Short.toUnsignedInt(header.getShort(26));
        String name =
                new String(
                        bytes,
                        ZipDirectory.HEADER_BYTES,
                        entry.nameBytes(),
                        StandardCharsets.UTF_8);
        boolean isHeader =
                header.getInt(0) == ZipDirectory.HEADER_SIGNATURE
                        && nameBytes == entry.nameBytes()
                        && name.equals(entry.name());
        if (!isHeader) {
            throw new IOException("the zip file is damaged: it is not at byte " + at);
        }
        int extraBytes = Short.toUnsignedInt(header.getShort(28));
        long offset = at + bytes.length + extraBytes;
        if (entry.sizes().stored() > file.byteSize() - offset) {
            throw new IOException("the zip file is damaged: it ends behind the zip file");
        }
        entry.dataOffset(offset);
        return offset;
    }
}
