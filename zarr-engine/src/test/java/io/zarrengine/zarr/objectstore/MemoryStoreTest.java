package io.zarrengine.zarr.objectstore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class MemoryStoreTest implements ObjectStoreContract {
    private final MemoryStore store = MemoryStore.create();

    @Override
    public ObjectStore store() {
        return store;
    }

    @Override
    public void put(String key, byte[] bytes) {
        store.put(key, bytes);
    }

    /** Fault: a name that only begins like the folder is listed, or one is listed twice. */
    @Test
    void listsTheNextNames() {
        for (String key : List.of("a/zarr.json", "a/b/c/0", "a/b/c/1", "a/d", "ab/e")) {
            put(key, new byte[1]);
        }
        assertEquals(Optional.of(List.of("b", "d", "zarr.json")), store.list("a/", 9));
        assertEquals(Optional.of(List.of("b", "d")), store.list("a/", 2));
        assertEquals(Optional.of(List.of("a", "ab")), store.list("", 9));
    }

    @Test
    void keepsNamedStores() {
        MemoryStore named = MemoryStore.named("keeps-named-stores");
        assertSame(named, MemoryStore.named("keeps-named-stores"));
        named.close();
        assertNotSame(named, MemoryStore.named("keeps-named-stores"));
        MemoryStore.named("keeps-named-stores").close();
    }
}
