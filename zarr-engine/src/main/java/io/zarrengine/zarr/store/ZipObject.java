package io.zarrengine.zarr.store;

import io.zarrengine.uring.FileHandle;
import io.zarrengine.zarr.diskcache.KeptObject;
import io.zarrengine.zarr.errors.StoreException;
import io.zarrengine.zarr.objectstore.AwaitedRead;
import io.zarrengine.zarr.objectstore.ObjectChangedException;
import io.zarrengine.zarr.objectstore.ObjectStore;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** A zip file that is an object of a store. */
final class ZipObject implements ZipSource {
    /**
     * One request opens a zip file of some thousand chunks; it costs little more than a short one.
     */
    private static final int TAIL_BYTES = 128 << 10;

    private final StoredObject object;

    private ZipObject(StoredObject object) {
        this.object = object;
    }

    /**
     * {@return the store of a zip file; empty if there is no such object, or it is not a zip file}
     *
     * @throws StoreException if it cannot be read, or its directory is damaged
     */
    static Optional<ZipStore> tryOpen(
            ObjectStore objects, ObjectPath path, Optional<KeptObject> kept) {
        AwaitedRead read = AwaitedRead.range(path.key(), -TAIL_BYTES, TAIL_BYTES, Optional.empty());
        try {
            Optional<byte[]> tail = BlockingObjectReads.get(objects, read);
            if (tail.isEmpty()) {
                return Optional.empty();
            }
            StoredObject unopened = StoredObject.unopened(objects, path, kept);
            unopened.found(read.objectBytes(), read.foundVersion());
            return open(unopened.opened(), tail.get());
        } catch (IOException e) {
            throw StoreException.of(path.toString(), e);
        }
    }

    private static Optional<ZipStore> open(StoredObject object, byte[] tail) throws IOException {
        if (tail.length != Math.min(TAIL_BYTES, object.byteSize())) {
            throw new EOFException("only " + tail.length + " of its last bytes can be read");
        }
        ZipObject zip = new ZipObject(object);
        ZipTail part = new ZipTail(tail, object.byteSize(), zip::read);
        return ZipDirectory.read(part, object.byteSize())
                .map(entries -> new ZipStore(object.path(), zip, entries));
    }

    @Override
    public FileHandle open() {
        object.retain();
        return object;
    }

    @Override
    public FileHandle open(Store.FileOpener files) {
        return open();
    }

    @Override
    public byte[] read(FileHandle file, long offset, int bytes) throws IOException {
        return read(offset, bytes);
    }

    private byte[] read(long offset, int bytes) throws IOException {
        if (bytes == 0) {
            return new byte[0];
        }
        var range = AwaitedRead.range(object.key(), offset, bytes, object.versionToken());
        byte[] read =
                BlockingObjectReads.get(object.store(), range)
                        .orElseThrow(() -> changed("removed"));
        if (range.objectBytes() != object.byteSize()) {
            throw changed(range.objectBytes() + " bytes");
        }
        if (read.length != bytes) {
            throw new EOFException("the zip file ends within " + bytes + " bytes at " + offset);
        }
        return read;
    }

    /** A store without versions may still show that it has another object now. */
    private IOException changed(String now) {
        return new ObjectChangedException(object.byteSize() + " bytes", now);
    }

    @Override
    public ChunkObjects objects(ZipStore zip, Path array) {
        return new ZippedObjects(zip, object, array);
    }
}
