package io.zarrengine.zarr.store;

import io.zarrengine.zarr.diskcache.DiskCache;
import io.zarrengine.zarr.diskcache.KeptObject;
import io.zarrengine.zarr.errors.StoreException;
import io.zarrengine.zarr.objectstore.ObjectStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** The nodes of an {@link ObjectStore}. It has no folders; a path is a folder if one asks. */
public final class ObjectTree implements Store {
    private final ObjectStore objects;
    private final Optional<DiskCache> cache;

    /**
     * Creates the nodes of a store.
     *
     * @param objects the store, which outlives this
     * @param cache keeps chunks on disk, and outlives this; empty if nothing does
     */
    public ObjectTree(ObjectStore objects, Optional<DiskCache> cache) {
        this.objects = objects;
        this.cache = cache;
    }

    /**
     * {@return the path of a node}
     *
     * @param key names joined by slashes; empty for the root
     */
    public Path path(String key) {
        return ObjectPath.of(objects.name(), key).normalize();
    }

    /**
     * {@return the key of a node's objects, as {@link #path} finds them, without a slash at the
     * end}
     *
     * @param store the store
     * @param path names joined by slashes; empty for the root
     */
    public static String key(ObjectStore store, String path) {
        return ((ObjectPath) ObjectPath.of(store.name(), path).normalize()).key();
    }

    /**
     * {@return the store of a path: a zip file if a name on the way there is that of one, and there
     * is one; else this}
     *
     * @throws StoreException if a zip file cannot be read, or is damaged
     */
    Store of(Path path) {
        for (Path there : fromRoot(path)) {
            if (ZipStore.isNamed(there)) {
                Optional<ZipStore> zip = tryOpenZip((ObjectPath) there);
                if (zip.isPresent()) {
                    return zip.get();
                }
            }
        }
        return this;
    }

    private Optional<ZipStore> tryOpenZip(ObjectPath path) {
        return ZipObject.tryOpen(objects, path, kept(path, nowMillis()));
    }

    /** {@return the part of an object that the cache keeps; empty if it may keep none} */
    private Optional<KeptObject> kept(ObjectPath path, long openedMillis) {
        return objects.cacheName()
                .flatMap(name -> cache.map(there -> there.object(name, path.key(), openedMillis)));
    }

    private long nowMillis() {
        return cache.map(DiskCache::nowMillis).orElse(0L);
    }

    /** {@return an addition to an error, if a name is that of a zip file; otherwise empty} */
    static String noZip(Path path) {
        return fromRoot(path).stream()
                .filter(ZipStore::isNamed)
                .findFirst()
                .map(zip -> "; " + zip + " is missing, or no zip file")
                .orElse("");
    }

    /** {@return a path and all above it, from the root of the store on} */
    private static List<Path> fromRoot(Path path) {
        List<Path> paths = new ArrayList<>();
        for (Path there = path; there != null; there = there.getParent()) {
            paths.add(there);
        }
        return paths.reversed();
    }

    /** Says that a path exists: to ask would cost a request, and its document is read next. */
    @Override
    public boolean exists(Path path) {
        return true;
    }

    @Override
    public boolean isFile(Path path) {
        return document(path).isPresent();
    }

    @Override
    public boolean isFolder(Path path) {
        return true;
    }

    @Override
    public Optional<String> unwritable() {
        return Optional.of("is in a store that can only be read");
    }

    @Override
    public Optional<byte[]> document(Path document) {
        return BlockingObjectReads.document(objects, (ObjectPath) document);
    }

    @Override
    public List<Path> entries(Path folder, long max) {
        String key = ((ObjectPath) folder).key();
        try {
            return objects
                    .list(key.isEmpty() ? "" : key + "/", max)
                    .orElseThrow(() ->
                            new StoreException(
                                    folder.toString(),
                                    "this store cannot be listed, and there is no consolidated"
                                            + " metadata",
                                    null))
                    .stream()
                    .map(folder::resolve)
                    .toList();
        } catch (IOException e) {
            throw StoreException.of(folder.toString(), e);
        }
    }

    @Override
    public ChunkFileSizes sizes(Path array, int rank, Predicate<String> isChunk) {
        throw new StoreException(array.toString(), "this store does not tell sizes", null);
    }

    @Override
    public Optional<ChunkLocation> chunk(Path chunk, FileOpener files) {
        throw new IllegalStateException(chunk + " is read by its store");
    }

    @Override
    public OpenedObjects objects(Path array) {
        long openedMillis = nowMillis();
        return new OpenedObjects(objects, (ObjectPath) array, path -> kept(path, openedMillis));
    }
}
