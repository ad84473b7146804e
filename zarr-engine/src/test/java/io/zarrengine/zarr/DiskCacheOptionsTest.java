package io.zarrengine.zarr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.zarrengine.zarr.diskcache.DiskCacheOptions;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class DiskCacheOptionsTest {
    /** Fault: a folder with a colon loses its end, or a size is of another unit. */
    @ParameterizedTest
    @CsvSource({
        "/scratch/zarr, /scratch/zarr, 10737418240",
        "/scratch/zarr:3G, /scratch/zarr, 3221225472",
        "a:b:500M, a:b, 524288000",
        "x:1T, x, 1099511627776",
        "x:12, x:12, 10737418240"
    })
    void parses(String text, Path folder, long bytes) {
        DiskCacheOptions options = DiskCacheOptions.parse(text);
        assertEquals(folder, options.folder());
        assertEquals(bytes, options.bytesMax());
    }

    @Test
    void refusesNothing() {
        assertThrows(IllegalArgumentException.class, () -> DiskCacheOptions.parse("x:0G"));
    }
}
