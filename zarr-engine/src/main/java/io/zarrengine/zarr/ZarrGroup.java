package io.zarrengine.zarr;

import io.zarrengine.zarr.errors.ClosedException;
import io.zarrengine.zarr.errors.NodeNotFoundException;
import io.zarrengine.zarr.errors.StoreException;
import io.zarrengine.zarr.errors.ZarrException;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.GroupMetadata;
import io.zarrengine.zarr.store.StoredNode;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** A group: attributes, and nodes below it. Threads: any. */
public final class ZarrGroup implements ZarrNode {
    private static final char NO_TEXT = '\uFFFD'; // Java's replacement for bytes that are not text

    private final EngineResources engine;
    private final Path path;
    private final StoredNode stored;

    ZarrGroup(EngineResources engine, Path path, StoredNode stored) {
        this.engine = engine;
        this.path = path;
        this.stored = stored;
    }

    /** {@return the array or group that is stored at a path} */
    static ZarrNode node(EngineResources engine, Path path, StoredNode stored) {
        return switch (stored.metadata()) {
            case ArrayMetadata array -> new ZarrArray(engine, path, stored, array);
            case GroupMetadata group -> new ZarrGroup(engine, path, stored);
        };
    }

    @Override
    public Path path() {
        return path;
    }

    @Override
    public GroupMetadata metadata() {
        return (GroupMetadata) stored.metadata();
    }

    /**
     * {@return the names of the nodes directly below, sorted} They come from the consolidated
     * metadata if the group has it, otherwise from the folder.
     *
     * @throws StoreException if the folder cannot be listed
     */
    public List<String> names() {
        if (stored.consolidated().isPresent()) {
            return stored.consolidated().get().names();
        }
        return entries().stream()
                .filter(entry -> StoredNode.isAt(stored.store(), entry))
                .map(entry -> entry.getFileName().toString())
                .sorted()
                .toList();
    }

    private List<Path> entries() {
        return stored.store().entries(path, Long.MAX_VALUE);
    }

    /**
     * {@return the nodes directly below, opened; the caller closes it, or each array}
     *
     * @throws StoreException if the folder cannot be listed
     * @throws ClosedException if the engine is closed; no array is left open
     */
    public GroupMembers members() {
        SortedMap<String, ZarrArray> arrays = new TreeMap<>();
        SortedMap<String, ZarrGroup> groups = new TreeMap<>();
        SortedMap<String, ZarrException> failures = new TreeMap<>();
        try {
            for (String name : names()) {
                try {
                    switch (open(name)) {
                        case ZarrArray array -> arrays.put(name, array);
                        case ZarrGroup group -> groups.put(name, group);
                    }
                } catch (ClosedException e) {
                    throw e;
                } catch (ZarrException e) {
                    failures.put(name, e);
                }
            }
        } catch (RuntimeException | Error e) {
            arrays.values().forEach(ZarrArray::close);
            throw e;
        }
        return new GroupMembers(arrays, groups, failures);
    }

    /**
     * {@return the arrays directly below that can be opened, sorted by name; the caller closes
     * each} {@link #members} says why the others cannot be opened.
     *
     * @throws StoreException if the folder cannot be listed
     * @throws ClosedException if the engine is closed; no array is left open
     */
    public SortedMap<String, ZarrArray> arrays() {
        return members().arrays();
    }

    /**
     * {@return the groups directly below that can be opened, sorted by name} {@link #members} says
     * why the others cannot be opened.
     *
     * @throws StoreException if the folder cannot be listed
     * @throws ClosedException if the engine is closed
     */
    public SortedMap<String, ZarrGroup> groups() {
        try (GroupMembers members = members()) {
            return members.groups();
        }
    }

    /**
     * {@return a node below, as described by the group's consolidated metadata if it has any}
     *
     * @param name its name, or a path with slashes
     * @throws NodeNotFoundException if there is no such node, or the path leads out of the group
     * @throws ZarrException if it cannot be opened
     */
    public ZarrNode open(String name) {
        Path child = child(name).normalize();
        if (!child.startsWith(path.normalize())) {
            throw new NodeNotFoundException(path.toString(), name + " is not in this group");
        }
        Path relative = path.normalize().relativize(child);
        StoredNode node =
                stored.below(relative)
                        .orElseGet(() ->
                                stored.openBelow(child, engine.backend(), engine.dataTypes()));
        return node(engine, child, node);
    }

    /** Resolves a name. Consolidated metadata may contain names that no file can have. */
    private Path child(String name) {
        if (name.indexOf(NO_TEXT) >= 0) { // only the folder has the bytes of such a name
            for (Path entry : entries()) {
                if (entry.getFileName().toString().equals(name)) {
                    return entry;
                }
            }
        }
        try {
            return path.resolve(name);
        } catch (InvalidPathException e) {
            throw new NodeNotFoundException(
                    path.toString(), "holds nothing of that name: " + e.getMessage());
        }
    }

    /** Does nothing: a group holds no files. */
    @Override
    public void close() {}

    @Override
    public String toString() {
        return path + ": group";
    }
}
