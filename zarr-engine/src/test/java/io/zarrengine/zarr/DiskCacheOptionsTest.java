package io.zarrengine.zarr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.zarrengine.zarr.diskcache.DiskCacheOptions;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class DiskCacheOptionsTest {
    /** Fault: a folder with a colon loses its end, or a size is of another unit. */
    @ParameterizedTest
    @CsvSource({
        "/scratch/zarr, /scratch/zarr, 10737418240",
        "/scratch/zarr:3G, /scratch/zarr, 3221225472",
        "a:b:500M, a:b, 524288000",
        "x:1T, x, 1099511627776",
        "x:12/y, x:12/y, 10737418240"
    })
    void parses(String text, Path folder, long bytes) {
        DiskCacheOptions options = DiskCacheOptions.parse(text);
        assertEquals(folder, options.folder());
        assertEquals(bytes, options.bytesMax());
    }

    /** Fault: a misspelt size names another folder, of the default size. */
    @ParameterizedTest
    @ValueSource(strings = {"x:0G", "x:12", "x:200g", "x:200GB", "x:1.5T", "x: 5G", "x:16777217T"})
    void refusesSizesThatMeanNothing(String text) {
        assertThrows(IllegalArgumentException.class, () -> DiskCacheOptions.parse(text));
    }
}
