package io.zarrengine.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.bindings.NativeAccess;
import io.zarrengine.bindings.cufile.Cufile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the mapping of cuFile's numbers. */
final class GdsStatusTest {
    /** Catches a wrong number: the generated constants are checked against the vendor's header. */
    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"SYSTEM", "OTHER"})
    void numbersAreTheHeaders(GdsStatus status) throws ReflectiveOperationException {
        NativeAccess.denial().ifPresent(denial -> assumeTrue(false, denial));
        String name = "CU_FILE_" + status.name();
        assertEquals(Cufile.class.getMethod(name).invoke(null), status.code());
        assertEquals(status, GdsStatus.of(status.code()));
    }

    @Test
    void anUnknownNumberStaysInTheMessage() {
        assertEquals(GdsStatus.OTHER, GdsStatus.of(5999));
        assertEquals(GdsStatus.OTHER, GdsStatus.of(-2));
        GdsException failure = new GdsException("cuFileRead", "file", 5999, "");
        assertEquals("cuFileRead(file): unknown (5999)", failure.getMessage());
    }

    @Test
    void versionsAreWrittenAsNvidiaDoes() {
        assertEquals("1.15.1", GpuDirectStorage.version(1151));
    }
}
