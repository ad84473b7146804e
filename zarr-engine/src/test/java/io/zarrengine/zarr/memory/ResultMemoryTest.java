package io.zarrengine.zarr.memory;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.bindings.NativeAccess;
import io.zarrengine.bindings.NativeMemory;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Memory that is handed out again, and never to two. */
final class ResultMemoryTest {
    private static final long KEPT = 64 << 10;

    private static long address(NativeMemory memory) {
        return memory.segment().address();
    }

    @Test
    void whatIsGivenBackIsUsedAgain() {
        assumeTrue(NativeAccess.denial().isEmpty());
        try (ResultMemory results = new ResultMemory(KEPT)) {
            NativeMemory first = results.allocate(5000);
            long at = address(first);
            first.close();
            try (NativeMemory second = results.allocate(6000)) {
                assertEquals(at, address(second));
                assertEquals(6000, second.segment().byteSize());
            }
        }
    }

    /** Else a result that is closed would show the next one's elements. */
    @Test
    void whatIsClosedCannotBeAccessed() {
        try (ResultMemory results = new ResultMemory(KEPT)) {
            NativeMemory first = results.allocate(5000);
            MemorySegment old = first.segment().asSlice(100);
            first.close();
            try (NativeMemory second = results.allocate(5000)) {
                second.segment().fill((byte) 1);
                assertThrows(IllegalStateException.class, () -> old.get(JAVA_BYTE, 0));
                assertThrows(IllegalStateException.class, first::close);
            }
        }
    }

    /** What is more than is kept is the machine's memory, as if nothing were kept. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#seeds")
    void nobodyGetsWhatSomebodyHas(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<NativeMemory> lent = new ArrayList<>();
        try (ResultMemory results = new ResultMemory(KEPT)) {
            for (int i = 0; i < 2000; i++) {
                if (lent.size() < 12 && random.nextInt(5) < 3) {
                    NativeMemory memory = results.allocate(random.nextLong(KEPT / 2));
                    memory.segment().fill((byte) address(memory));
                    lent.add(memory);
                } else if (!lent.isEmpty()) {
                    assertUntouched(lent.remove(random.nextInt(lent.size())));
                }
            }
        }
        lent.forEach(ResultMemoryTest::assertUntouched); // They outlive the engine.
    }

    private static void assertUntouched(NativeMemory memory) {
        byte[] content = memory.segment().toArray(JAVA_BYTE);
        for (byte value : content) {
            assertEquals((byte) address(memory), value);
        }
        memory.close();
    }

    @Test
    void moreThanTheMachineHasIsNotKept() {
        try (ResultMemory results = new ResultMemory(1L << 60);
                NativeMemory memory = results.allocate(5)) {
            assertEquals(5, memory.segment().byteSize());
        }
    }

    @Test
    void afterClosingNothingIsKept() {
        ResultMemory results = new ResultMemory(KEPT);
        NativeMemory before = results.allocate(5000);
        results.close();
        before.segment().fill((byte) 3);
        try (NativeMemory after = results.allocate(5000)) {
            assertNotEquals(address(before), address(after));
            before.close();
            after.segment().fill((byte) 4);
        }
        results.close();
    }
}
