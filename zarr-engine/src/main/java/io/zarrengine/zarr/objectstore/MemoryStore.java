package io.zarrengine.zarr.objectstore;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/** A store in the memory of this process. Reads end before {@link #read} returns. */
public final class MemoryStore implements ObjectStore {
    private static final ConcurrentHashMap<String, MemoryStore> NAMED = new ConcurrentHashMap<>();

    private static final class Content {
        private final byte[] bytes;
        private final String version;

        Content(byte[] bytes, String version) {
            this.bytes = bytes;
            this.version = version;
        }
    }

    private final String name;
    private final NavigableMap<String, Content> objects = new ConcurrentSkipListMap<>();
    private final AtomicLong versions = new AtomicLong();

    private MemoryStore(String name) {
        this.name = name;
    }

    /** {@return a new store without objects} */
    public static MemoryStore create() {
        return new MemoryStore("memory:");
    }

    /**
     * {@return the store that {@code memory://NAME} means in this process, created if missing} It
     * stays until {@link #close}.
     *
     * @param name letters, digits, dots and hyphens
     */
    public static MemoryStore named(String name) {
        return NAMED.computeIfAbsent(name, host -> new MemoryStore("memory://" + host));
    }

    /**
     * Adds an object, or replaces it.
     *
     * @param key its name
     * @param bytes its content; copied
     */
    public void put(String key, byte[] bytes) {
        objects.put(key, new Content(bytes.clone(), Long.toString(versions.incrementAndGet())));
    }

    /**
     * Adds the files of a folder and of those below; their relative paths are the keys.
     *
     * @param folder any folder
     * @throws IOException if a file cannot be read
     */
    public void putAll(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder).filter(Files::isRegularFile)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                put(keyOf(folder.relativize(file)), Files.readAllBytes(file));
            }
        } catch (UncheckedIOException e) { // of the walk
            throw e.getCause();
        }
    }

    private static String keyOf(Path relative) {
        return relative.toString().replace(relative.getFileSystem().getSeparator(), "/");
    }

    /**
     * {@return whether there is an object}
     *
     * @param key its name
     */
    public boolean has(String key) {
        return objects.containsKey(key);
    }

    /**
     * Removes an object, if there is one.
     *
     * @param key its name
     */
    public void remove(String key) {
        objects.remove(key);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void read(List<? extends ObjectRead> reads) {
        for (ObjectRead read : reads) {
            try {
                read(read);
            } catch (IOException | RuntimeException e) {
                read.failed(e);
            }
        }
    }

    private void read(ObjectRead read) throws IOException {
        Content content = objects.get(read.key());
        if (content == null) {
            read.missing();
            return;
        }
        String wanted = read.version().orElse(content.version);
        if (!wanted.equals(content.version)) {
            throw new ObjectChangedException(wanted, content.version);
        }
        long size = content.bytes.length;
        long from = read.offset() < 0 ? Math.max(size - read.length(), 0) : read.offset();
        long bytes = Math.clamp(size - from, 0, read.length());
        MemorySegment source = MemorySegment.ofArray(content.bytes);
        MemorySegment.copy(source, Math.min(from, size), read.target(bytes), 0, bytes);
        read.completed(bytes, size, Optional.of(content.version));
    }

    @Override
    public Optional<List<String>> list(String prefix, long max) {
        Set<String> names = new LinkedHashSet<>();
        for (String key : objects.tailMap(prefix, false).keySet()) {
            if (!key.startsWith(prefix) || names.size() == max) {
                break;
            }
            int slash = key.indexOf('/', prefix.length());
            names.add(key.substring(prefix.length(), slash < 0 ? key.length() : slash));
        }
        return Optional.of(List.copyOf(names));
    }

    @Override
    public RequestCost requestCost() {
        return RequestCost.MEMORY;
    }

    /** Forgets all objects. */
    @Override
    public void close() {
        NAMED.values().remove(this);
        objects.clear();
    }

    @Override
    public String toString() {
        return name + ", " + objects.size() + " objects";
    }
}
