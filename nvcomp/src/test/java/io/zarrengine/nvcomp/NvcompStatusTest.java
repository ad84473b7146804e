package io.zarrengine.nvcomp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.bindings.NativeAccess;
import io.zarrengine.bindings.nvcomp.Nvcomp;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class NvcompStatusTest {
    /** Catches a wrong number: the generated constants are checked against the vendor's header. */
    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"SUCCESS", "NOT_REACHED", "OTHER"})
    void numbersAreTheHeaders(NvcompStatus status) throws ReflectiveOperationException {
        NativeAccess.denial().ifPresent(denial -> assumeTrue(false, denial));
        String name =
                Arrays.stream(status.name().split("_"))
                        .map(word -> word.charAt(0) + word.substring(1).toLowerCase(Locale.ROOT))
                        .collect(Collectors.joining());
        assertEquals(Nvcomp.class.getMethod("nvcompError" + name).invoke(null), status.code());
        assertEquals(status, NvcompStatus.of(status.code()));
    }

    @Test
    void anUnknownStatusKeepsItsNumber() {
        assertEquals(NvcompStatus.OTHER, NvcompStatus.of(22));
        assertEquals(NvcompStatus.OTHER, NvcompStatus.of(-2));
        NvcompException failure = new NvcompException("nvcompBatchedZstd", "3 chunks", 22);
        assertEquals(22, failure.code());
        assertEquals("nvcompBatchedZstd(3 chunks): OTHER (22)", failure.getMessage());
    }
}
