package io.zarrengine.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests sizes: three digits, decimal units, and no "1000 kB". */
final class ArrayTextTest {
    @ParameterizedTest
    @CsvSource({
        "0, 0 B",
        "1, 1 B",
        "999, 999 B",
        "1000, 1.00 kB",
        "9994, 9.99 kB",
        "9996, 10.0 kB",
        "99949, 99.9 kB",
        "99951, 100 kB",
        "999499, 999 kB",
        "999500, 1.00 MB",
        "268435456, 268 MB",
        "1000000000, 1.00 GB",
        "1234567890123, 1.23 TB",
        "1000000000000000, 1.00 PB",
        "9223372036854775807, 9.22 EB",
    })
    void bytes(long bytes, String text) {
        assertEquals(text, ArrayText.bytes(bytes));
    }
}
