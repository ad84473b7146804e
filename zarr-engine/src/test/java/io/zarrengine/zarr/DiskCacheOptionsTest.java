package io.zarrengine.zarr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.zarrengine.zarr.diskcache.DiskCacheOptions;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class DiskCacheOptionsTest {
    /** Fault: a folder with a colon loses its end, or a size is of another unit. */
    @ParameterizedTest
    @CsvSource({
        "/scratch/zarr, /scratch/zarr, 10737418240, PT0S",
        "/scratch/zarr:3G, /scratch/zarr, 3221225472, PT0S",
        "a:b:500M, a:b, 524288000, PT0S",
        "x:1T, x, 1099511627776, PT0S",
        "x:1T:7d, x, 1099511627776, PT168H",
        "x:1T:12h, x, 1099511627776, PT12H",
        "x:1T:5m, x, 1099511627776, PT5M",
        "x:12/y, x:12/y, 10737418240, PT0S"
    })
    void parses(String text, Path folder, long bytes, Duration maxAge) {
        DiskCacheOptions options = DiskCacheOptions.parse(text);
        assertEquals(folder, options.folder());
        assertEquals(bytes, options.bytesMax());
        assertEquals(maxAge, options.maxAge());
    }

    /** Fault: a misspelt size names another folder, of the default size. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "x:0G",
                "x:12",
                "x:200g",
                "x:200GB",
                "x:1.5T",
                "x: 5G",
                "x:16777217T",
                "x:7d",
                "x:1G:7",
                "x:1G:7w"
            })
    void refusesSizesThatMeanNothing(String text) {
        assertThrows(IllegalArgumentException.class, () -> DiskCacheOptions.parse(text));
    }
}
