package io.zarrengine.zarr.store;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.zarrengine.zarr.errors.StoreException;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Errors about a URL name the URL, not a path below the current folder. */
final class LocalPathsTest {
    @ParameterizedTest
    @CsvSource({
        "hdfs://host/a/b.zarr, hdfs",
        "ftp://host, ftp",
        "reference+s3://bucket/a, reference+s3",
    })
    void aUrlOfAStoreIsNamed(String url, String kind) {
        StoreException e =
                assertThrows(StoreException.class, () -> LocalPaths.require(Path.of(url)));
        assertEquals(
                url
                        + ": a store of the kind "
                        + kind
                        + " cannot be read or written yet; folders, zip files, and file:, http:,"
                        + " https:, s3:, gs:, az:, abfs: and memory: URLs can be read",
                e.getMessage());
    }

    /** Fault: who passes a URL as a path does not hear how to open it. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://example.org/a.zarr",
                "http://h/a",
                "memory://m/a",
                "s3://b/a",
                "gs://b/a",
                "abfss://c@h/a"
            })
    void aUrlThatCanBeReadSaysHow(String url) {
        StoreException e =
                assertThrows(StoreException.class, () -> LocalPaths.require(Path.of(url)));
        assertEquals(
                url + ": is a URL: open(URI.create(...)) reads it; it cannot be written",
                e.getMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {"file:///a/b", "file:/a/b"})
    void aFileUriSaysHowItBecomesAPath(String uri) {
        StoreException e =
                assertThrows(StoreException.class, () -> LocalPaths.require(Path.of(uri)));
        assertEquals(
                "file:///a/b: is a URI: Path.of(URI.create(...)) makes a path of it",
                e.getMessage());
    }

    /** Drives of Windows have one letter; names may have colons that end no scheme. */
    @ParameterizedTest
    @ValueSource(strings = {"", "a", "C:/a", "a:b", "a/s3:/b", "/s3:/b", "2024:/a", "../s3:/b"})
    void anythingElseIsAPath(String path) {
        assertDoesNotThrow(() -> LocalPaths.require(Path.of(path)));
    }
}
