package io.zarrengine.python;

import io.zarrengine.zarr.ArrayWriter;
import io.zarrengine.zarr.ZarrArray;
import io.zarrengine.zarr.ZarrEngine;
import io.zarrengine.zarr.ZarrGroup;
import io.zarrengine.zarr.ZarrNode;
import io.zarrengine.zarr.json.JsonFields;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The arrays and groups that Python holds. A store that was opened with options is closed with the
 * last node that was found in it; all other stores are the engine's. Threads: any.
 */
final class OpenNodes {
    private record Open(
            ZarrNode node, Optional<SharedStore> store, AtomicReference<ArrayWriter> writer) {
        Open(ZarrNode node, Optional<SharedStore> store) {
            this(node, store, new AtomicReference<>());
        }
    }

    private final Handles<Open> nodes = new Handles<>();

    /** Returns the description of the array or group at a path, or at a URL with options. */
    String open(ZarrEngine engine, String location, StorageOptions options) {
        boolean isUrl = location.contains("://");
        if (!options.isEmpty()) {
            return openWith(engine, isUrl ? url(location) : null, options);
        }
        ZarrNode node = isUrl ? engine.open(url(location)) : engine.open(Path.of(location));
        return opened(new Open(node, Optional.empty()));
    }

    private String openWith(ZarrEngine engine, URI url, StorageOptions options) {
        if (url == null || url.getAuthority() == null) {
            throw new IllegalArgumentException("storage_options are for URLs scheme://host/path");
        }
        boolean isHttp = url.getScheme().toLowerCase(Locale.ROOT).startsWith("http");
        if (url.getRawFragment() != null || (url.getRawQuery() != null && !isHttp)) {
            throw new IllegalArgumentException(
                    "expected scheme://host/path; only http: and https: have queries");
        }
        SharedStore store = new SharedStore(StoreOpener.open(url, options));
        try {
            ZarrNode node = engine.open(store.store(), url.getPath());
            return opened(new Open(node, Optional.of(store)));
        } catch (RuntimeException | Error e) {
            store.release();
            throw e;
        }
    }

    /** Returns a URL; no message has its query, which may be a secret. */
    private static URI url(String text) {
        try {
            return new URI(text.replace(" ", "%20"));
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException(
                    "%s: is no URL: %s at index %d"
                            .formatted(
                                    text.replaceAll("[?].*|(?<=://)[^/]*@", ""),
                                    e.getReason(),
                                    e.getIndex()));
        }
    }

    /** Returns the description of the array or group below a group. */
    String openBelow(long group, String name) {
        Open parent = nodes.get(group);
        parent.store().ifPresent(SharedStore::hold);
        try {
            return opened(new Open(((ZarrGroup) parent.node()).open(name), parent.store()));
        } catch (RuntimeException | Error e) {
            parent.store().ifPresent(SharedStore::release);
            throw e;
        }
    }

    /** The caller releases the store if this throws. */
    private String opened(Open open) {
        long handle = nodes.add(open);
        try {
            return NodeDescription.of(handle, open.node());
        } catch (RuntimeException | Error e) {
            nodes.remove(handle).node().close();
            throw e;
        }
    }

    ZarrArray array(long handle) {
        return (ZarrArray) nodes.get(handle).node();
    }

    /** Returns the writer of an array, which is made at the first call. */
    ArrayWriter writer(ZarrEngine engine, long handle) {
        Open open = nodes.get(handle);
        return open.writer()
                .updateAndGet(
                        writer -> writer == null ? engine.openWriter(open.node().path()) : writer);
    }

    /** Creates the node of a document; isCleared: without chunks that are there. */
    void create(ZarrEngine engine, Path folder, String document, boolean isCleared) {
        engine.create(folder, document.getBytes(StandardCharsets.UTF_8));
        if (isCleared) {
            engine.openWriter(folder).clear();
        }
    }

    /** Changes the shape of an array. Returns its description with a new handle. */
    String resize(ZarrEngine engine, long handle, long... shape) {
        ArrayWriter resized = writer(engine, handle).resize(shape);
        ZarrNode node = engine.open(nodes.get(handle).node().path());
        return opened(new Open(node, Optional.empty(), new AtomicReference<>(resized)));
    }

    /** Replaces the attributes of a node. */
    void setAttributes(ZarrEngine engine, long handle, String json) {
        Path path = nodes.get(handle).node().path();
        byte[] text = json.getBytes(StandardCharsets.UTF_8);
        engine.setAttributes(path, JsonFields.parse(path.toString(), text).toMap());
    }

    ZarrGroup group(long handle) {
        return (ZarrGroup) nodes.get(handle).node();
    }

    /** Closes a node, if it is open. */
    void close(long handle) {
        Open closed = nodes.remove(handle);
        if (closed != null) {
            closed.node().close();
            closed.store().ifPresent(SharedStore::release);
        }
    }

    /** Returns the number of open nodes. */
    int size() {
        return nodes.size();
    }
}
