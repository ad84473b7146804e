package io.zarrengine.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests the arguments of a comparison. */
final class ArgumentsTest {
    private static final Set<String> NAMES = Set.of("quick", "rounds", "folder");

    @Test
    void namesHaveValuesAndTheRestAreWords() {
        Arguments arguments =
                Arguments.parse(List.of("sat zstd", "--quick", "--folder=a=b", "vol"), NAMES);
        assertTrue(arguments.has("quick"));
        assertFalse(arguments.has("rounds"));
        assertEquals("7", arguments.get("rounds", "7"));
        assertEquals(Path.of("a=b"), arguments.path("folder"));
        assertEquals(List.of("sat zstd", "vol"), arguments.words());
    }

    /** A misspelt option would measure the wrong thing for an hour. */
    @Test
    void aNameThatThereIsNotIsRefused() {
        assertThrows(
                IllegalArgumentException.class,
                () -> Arguments.parse(List.of("--round=3", "sat"), NAMES));
        assertThrows(
                IllegalArgumentException.class,
                () -> Arguments.parse(List.of(), NAMES).path("folder"));
    }
}
