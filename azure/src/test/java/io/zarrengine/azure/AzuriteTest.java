package io.zarrengine.azure;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.objectstore.ObjectRead;
import io.zarrengine.zarr.objectstore.ServerContract;
import java.io.IOException;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The store on Azurite, with a shared key unless a test says otherwise. */
final class AzuriteTest extends ServerContract<Azurite, AzureStore> {
    @Override
    protected Azurite startServer() throws Exception {
        return new Azurite();
    }

    @Override
    protected AzureStore openStore() {
        return server.builder().sharedKey(Azurite.KEY).open();
    }

    /** Azurite answers a range of an empty blob with "bytes 0--1/0"; so none is asked for here. */
    @Override
    @Test
    public void readsWholeObjects() throws Exception {
        put("a/zarr.json", new byte[] {1, 2});
        assertArrayEquals(new byte[] {1, 2}, read("a/zarr.json", 0, ObjectRead.WHOLE));
        put("empty", new byte[0]);
        assertEquals(0, read("empty", 0, ObjectRead.WHOLE).length);
    }

    /** Fault: a second page is not asked for, or a name with special characters is changed. */
    @Test
    void listsByPages() throws Exception {
        TreeSet<String> names = new TreeSet<>(List.of("a b", "c+d", "ü漢", "e%20f", "g#h", "i&j<k"));
        for (String name : names) {
            put("group/" + name + "/zarr.json", new byte[1]);
        }
        for (int i = 0; i < 7; i++) {
            put("group/object" + i, new byte[1]);
            names.add("object" + i);
        }
        put("group-2/x", new byte[1]);
        assertEquals(names, new TreeSet<>(store.list("group/", 1000).orElseThrow()));
        assertEquals(names, new TreeSet<>(store.list("group/", 13).orElseThrow()));
        assertEquals(4, store.list("group/", 4).orElseThrow().size());
        assertEquals(List.of("group", "group-2"), sorted(store.list("", 10)));
        assertEquals(Optional.of(List.of()), store.list("none/", 10));
    }

    private static List<String> sorted(Optional<List<String>> names) {
        return new ArrayList<>(new TreeSet<>(names.orElseThrow()));
    }

    @Test
    void readsAndListsBySharedAccessSignature() throws Exception {
        put("a b/c+d", new byte[] {5, 6, 7});
        String sas = AzureTestSupport.sas(OffsetDateTime.now(ZoneOffset.UTC).plusHours(1));
        reopen(server.builder().sas(sas).open());
        assertArrayEquals(new byte[] {6, 7}, read("a b/c+d", -2, 2));
        assertEquals(Optional.of(List.of("c+d")), store.list("a b/", 10));
        assertFalse(store.name().contains("sig="), store.name());
    }

    /** Fault: the error repeats the secret, or is taken for a missing chunk. */
    @ParameterizedTest
    @ValueSource(strings = {"key", "sas", "none", "token"})
    void refusesWrongCredentials(String kind) throws Exception {
        put("a", new byte[1]);
        String secret =
                kind.equals("sas")
                        ? AzureTestSupport.sas(OffsetDateTime.now(ZoneOffset.UTC).minusHours(1))
                        : "c2VjcmV0c2VjcmV0";
        AzureStoreBuilder builder = server.builder();
        reopen(
                switch (kind) {
                    case "key" -> builder.sharedKey(secret).open();
                    case "sas" -> builder.sas(secret).open();
                    case "token" -> builder.token(() -> secret).open();
                    default -> builder.anonymous().open();
                });
        for (var e :
                List.of(
                        assertThrows(IOException.class, () -> read("a", 0, 1)),
                        assertThrows(IOException.class, () -> store.list("", 10)))) {
            String expected = kind.equals("key") ? "forbidden, AuthorizationFailure" : "status 40";
            // Azurite has containers only for those with credentials.
            assertTrue(e.getMessage().contains(expected) || kind.equals("none"), e::getMessage);
            assertFalse((e + store.name()).contains(secret), e::getMessage);
            assertFalse((e + store.name()).contains("sig="), e::getMessage);
        }
    }
}
