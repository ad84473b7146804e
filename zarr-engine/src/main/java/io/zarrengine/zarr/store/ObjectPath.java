package io.zarrengine.zarr.store;

import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;

/**
 * The place of an object or a node in a store. It prints as the store's name and the key. It is a
 * name only: nothing can be opened by it.
 */
final class ObjectPath implements Path {
    private final String store; // its name; null if the path is relative
    private final List<String> names;

    private ObjectPath(String store, List<String> names) {
        this.store = store;
        this.names = List.copyOf(names);
    }

    static ObjectPath of(String store, String key) {
        return new ObjectPath(store, split(key));
    }

    /** Splits a key at its slashes, and drops what is empty between two of them. */
    private static List<String> split(String key) {
        return Arrays.stream(key.split("/")).filter(name -> !name.isEmpty()).toList();
    }

    String key() {
        return String.join("/", names);
    }

    @Override
    public Path resolve(String other) {
        return resolveNames(split(other));
    }

    @Override
    public Path resolve(Path other) {
        return other.isAbsolute() ? other : resolveNames(((ObjectPath) other).names);
    }

    private ObjectPath resolveNames(List<String> more) {
        List<String> all = new ArrayList<>(names);
        all.addAll(more);
        return new ObjectPath(store, all);
    }

    @Override
    public Path normalize() {
        List<String> kept = new ArrayList<>();
        for (String name : names) {
            if (name.equals("..")) {
                if (kept.isEmpty()) {
                    throw new InvalidPathException(toString(), "leads out of the store");
                }
                kept.removeLast();
            } else if (!name.equals(".")) {
                kept.add(name);
            }
        }
        return new ObjectPath(store, kept);
    }

    @Override
    public boolean startsWith(Path other) {
        return other instanceof ObjectPath path
                && Objects.equals(store, path.store)
                && names.size() >= path.names.size()
                && names.subList(0, path.names.size()).equals(path.names);
    }

    @Override
    public boolean endsWith(Path other) {
        int from = names.size() - other.getNameCount();
        return from >= 0
                && other instanceof ObjectPath path
                && names.subList(from, names.size()).equals(path.names);
    }

    @Override
    public Path relativize(Path other) {
        if (!other.startsWith(this)) {
            throw new IllegalArgumentException(other + " is not below " + this);
        }
        return new ObjectPath(
                null, ((ObjectPath) other).names.subList(names.size(), other.getNameCount()));
    }

    @Override
    public boolean isAbsolute() {
        return store != null;
    }

    @Override
    public Path getRoot() {
        return isAbsolute() ? new ObjectPath(store, List.of()) : null;
    }

    @Override
    public Path getFileName() {
        return names.isEmpty() ? null : getName(names.size() - 1);
    }

    @Override
    public Path getParent() {
        return names.isEmpty() ? null : new ObjectPath(store, names.subList(0, names.size() - 1));
    }

    @Override
    public int getNameCount() {
        return names.size();
    }

    @Override
    public Path getName(int index) {
        return subpath(index, index + 1);
    }

    @Override
    public Path subpath(int begin, int end) {
        return new ObjectPath(null, names.subList(begin, end));
    }

    @Override
    public Iterator<Path> iterator() {
        List<Path> each = new ArrayList<>();
        for (String name : names) {
            each.add(new ObjectPath(null, List.of(name)));
        }
        return each.iterator();
    }

    @Override
    public Path toAbsolutePath() {
        return this;
    }

    @Override
    public Path toRealPath(LinkOption... options) {
        return this;
    }

    @Override
    public URI toUri() {
        return URI.create(toString());
    }

    @Override
    public FileSystem getFileSystem() {
        throw new UnsupportedOperationException(this + " is in a store, not in a file system");
    }

    @Override
    public WatchKey register(
            WatchService watcher, WatchEvent.Kind<?>[] events, WatchEvent.Modifier... modifiers) {
        throw new UnsupportedOperationException(this + " is in a store, not in a file system");
    }

    @Override
    public int compareTo(Path other) {
        return toString().compareTo(other.toString());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ObjectPath path
                && Objects.equals(store, path.store)
                && names.equals(path.names);
    }

    @Override
    public int hashCode() {
        return Objects.hash(store, names);
    }

    @Override
    public String toString() {
        if (store == null) {
            return key();
        }
        return names.isEmpty() ? store : store + "/" + key();
    }
}
