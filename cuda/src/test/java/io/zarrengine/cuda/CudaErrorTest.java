package io.zarrengine.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.bindings.NativeAccess;
import io.zarrengine.bindings.cudart.Cudart;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class CudaErrorTest {
    /** Catches a wrong number: the generated constants are checked against the vendor's header. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "OTHER")
    void numbersAreTheHeaders(CudaError error) throws ReflectiveOperationException {
        NativeAccess.denial().ifPresent(denial -> assumeTrue(false, denial));
        assertEquals(Cudart.class.getMethod(error.cName()).invoke(null), error.code());
        assertEquals(error, CudaError.of(error.code()));
    }

    @Test
    void aStickyErrorIsRecognised() {
        assertTrue(CudaError.of(700).isSticky());
        assertTrue(CudaError.of(719).isSticky());
        assertFalse(CudaError.of(2).isSticky());
        assertFalse(CudaError.of(600).isSticky());
    }

    @Test
    void anUnknownErrorKeepsItsNumber() {
        CudaException failure = new CudaException("cudaMemcpyAsync", "4 bytes", 4711);
        assertEquals(CudaError.OTHER, failure.error());
        assertEquals(4711, failure.code());
        assertEquals("cudaMemcpyAsync(4 bytes): a CUDA error (4711)", failure.getMessage());
    }

    @Test
    void theMessageNamesCallSubjectAndError() {
        assertEquals(
                "cudaHostRegister(4096 bytes): cudaErrorMemoryAllocation (2)",
                new CudaException("cudaHostRegister", "4096 bytes", 2).getMessage());
    }
}
