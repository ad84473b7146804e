package io.zarrengine.bindings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.bindings.NativeLibrary.Status;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the search with a library that every Linux has (libc) and with missing ones. */
@NeedsNativeAccess
final class NativeLibraryTest {
    private static final String NAME = "test-library";

    @AfterEach
    void clear() {
        System.clearProperty("io.zarrengine." + NAME);
        System.clearProperty("io.zarrengine." + NAME + ".path");
    }

    @Test
    void findsTheFileBehindASoname() {
        Status.Loaded loaded =
                assertInstanceOf(Status.Loaded.class, search("getpid", "libc.so.6").run());
        assertTrue(Files.isRegularFile(loaded.path()), loaded.toString());
    }

    @Test
    void triesTheNextSoname() {
        assertInstanceOf(
                Status.Loaded.class, search("getpid", "libnothere.so.9", "libc.so.6").run());
    }

    @Test
    void aMissingLibraryIsAReason() {
        assertEquals(
                "libnothere.so.9 cannot be opened; needed: a supply",
                reason(search("getpid", "libnothere.so.9")));
        assertEquals(
                "libnothere.so.9 or libnothere.so.8 cannot be opened; needed: a supply",
                reason(search("getpid", "libnothere.so.9", "libnothere.so.8")));
    }

    @Test
    void anOldLibraryIsAReason() {
        assertEquals(
                "libc.so.6 has no io_uring_setup; needed: a supply",
                reason(search("io_uring_setup", "libc.so.6")));
    }

    @Test
    void aConfiguredPathIsTheOnlyOneTried() {
        System.setProperty("io.zarrengine." + NAME + ".path", "/not/there.so");
        assertEquals(
                "-Dio.zarrengine.test-library.path=/not/there.so cannot be opened;"
                        + " needed: a supply",
                reason(search("getpid", "libc.so.6")));
    }

    @Test
    void aLibraryCanBeSwitchedOff() {
        System.setProperty("io.zarrengine." + NAME, "off");
        assertEquals(
                "switched off by -Dio.zarrengine.test-library=off",
                reason(search("getpid", "libc.so.6")));
    }

    @ParameterizedTest
    @MethodSource("io.zarrengine.bindings.NativeLibrary#all")
    void everyLibraryIsThereOrSaysWhyNot(NativeLibrary library) {
        assertNotEquals(library.isAvailable(), library.unavailabilityCause().isPresent());
        assertFalse(library.has("no_such_function"));
    }

    private static LibrarySearch search(String symbol, String... sonames) {
        return new LibrarySearch(NAME, symbol, "a supply", List.of(sonames));
    }

    private static String reason(LibrarySearch search) {
        return assertInstanceOf(Status.Missing.class, search.run()).reason();
    }
}
