package io.zarrengine.bindings;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks the list of releases whose garbage collector moves memory that native code writes to. */
final class HeapCallsTest {
    @ParameterizedTest
    @CsvSource({
        "24.0.2, true",
        "25-ea+36, false",
        "25, false",
        "25+36-LTS, false",
        "25.0.1+8-LTS, false",
        "25.0.2+10-LTS, false",
        "25.0.2.1+1-LTS, false",
        "25.0.3+9-LTS, true",
        "25.0.4, true",
        "26, true",
        "26.0.1, true",
    })
    void areKnown(String version, boolean isSound) {
        assertEquals(isSound, HeapCalls.denial(Runtime.Version.parse(version)).isEmpty(), version);
    }
}
