package io.zarrengine.s3;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.objectstore.ObjectRead;
import io.zarrengine.zarr.objectstore.ServerContract;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The store on an S3 server that checks signatures. */
final class S3ServerTest extends ServerContract<S3Server, S3Store> {
    @Override
    protected S3Server startServer() throws IOException {
        return new S3Server();
    }

    @Override
    protected S3Store openStore() {
        return server.open();
    }

    /** The server answers 500 if the end is longer than the object. */
    @Override
    @ParameterizedTest(name = "{0} + {1}")
    @CsvSource({"0,1", "0,5000", "0,5001", "1,4999", "4990,100", "-1,1", "-5000,5000"})
    public void readsRanges(long offset, long length) throws Exception {
        super.readsRanges(offset, length);
    }

    /** The same is true of an object without bytes; so no range of it is asked for here. */
    @Override
    @Test
    public void readsWholeObjects() throws Exception {
        put("empty", new byte[0]);
        assertEquals(0, read("empty", 0, ObjectRead.WHOLE).length);
    }

    /** Folders of the server are files of the system, which it takes for broken objects. */
    @Override
    @Test
    public void saysWhatIsMissing() throws Exception {
        for (long offset : new long[] {0, -4}) {
            assertTrue(start("a/c/1", offset, 4).get().isMissing());
        }
    }

    /** The server does not tell the size in that case, so it is an error. */
    @Override
    @Test
    public void readsNothingBehindTheEnd() throws Exception {
        put("a", new byte[10]);
        var e = assertThrows(IOException.class, () -> read("a", 10, 5));
        assertTrue(e.getMessage().contains("InvalidRange"), e::getMessage);
    }

    private byte[] read(String key) throws Exception {
        return read(key, -2, 2);
    }

    /** Fault: a character is signed otherwise than it is sent. */
    @Test
    void signsEveryCharacterAsItIsSent() throws Exception {
        for (String key :
                List.of("a b", "c+d", "ü漢", "e%20f", "g#h", "i&j=k", "l?m", "n:o@p!$'()*,;~")) {
            put("x/" + key, new byte[] {1, 2, 3});
            assertArrayEquals(new byte[] {2, 3}, read("x/" + key), key);
        }
    }

    /** Fault: a name is changed, or the continuation is not asked for. */
    @Test
    void listsMoreThanAPage() throws Exception {
        TreeSet<String> names = new TreeSet<>(List.of("a b", "c+d", "ü漢", "i&j<k"));
        for (String name : names) {
            put("group/" + name + "/zarr.json", new byte[1]);
        }
        for (int i = 0; i < 1100; i++) {
            put("group/object" + i, new byte[1]);
            names.add("object" + i);
        }
        put("group-2/x", new byte[1]);
        assertEquals(names, new TreeSet<>(store.list("group/", 2000).orElseThrow()));
        assertEquals(4, store.list("group/", 4).orElseThrow().size());
        assertEquals(
                new TreeSet<>(List.of("group", "group-2")),
                new TreeSet<>(store.list("", 10).orElseThrow()));
        assertEquals(Optional.of(List.of()), store.list("none/", 10));
    }

    /** Fault: the error repeats the secret, or is taken for a missing object. */
    @Test
    void refusesWrongCredentials() throws Exception {
        put("a", new byte[1]);
        String secret = "another-secret";
        List<S3StoreBuilder> wrong =
                List.of(
                        server.builder().accessKey(S3Server.KEY, secret),
                        server.builder().accessKey("nobody", secret),
                        server.builder().anonymous());
        for (S3StoreBuilder builder : wrong) {
            reopen(builder.open());
            for (var e :
                    List.of(
                            assertThrows(IOException.class, () -> read("a")),
                            assertThrows(IOException.class, () -> store.list("", 10)))) {
                assertTrue(e.getMessage().contains("status 40"), e::getMessage);
                assertFalse((e + store.name()).contains(secret), e::getMessage);
            }
        }
    }

    /** Fault: nobody learns that the secret is wrong, and not the key that does not exist. */
    @Test
    void saysWhatTheServerRefuses() throws Exception {
        put("a", new byte[1]);
        reopen(server.builder().accessKey(S3Server.KEY, "another-secret").open());
        var e = assertThrows(IOException.class, () -> read("a"));
        assertTrue(e.getMessage().contains("SignatureDoesNotMatch"), e::getMessage);
    }
}
