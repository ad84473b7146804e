package io.zarrengine.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

final class ByteBudgetTest {
    private final ByteBudget budget = new ByteBudget(1000);

    @Test
    void countsWhatTheDriverRoundsTo() throws DeviceBudgetException {
        assertEquals(256, budget.take(1));
        assertEquals(256, budget.take(256));
        assertEquals(512, budget.usedBytes());
        budget.release(256);
        assertEquals(744, budget.availableBytes());
    }

    @Test
    void refusesTheByteTooMany() throws DeviceBudgetException {
        budget.take(512);
        DeviceBudgetException refusal =
                assertThrows(DeviceBudgetException.class, () -> budget.take(257));
        assertEquals(257, refusal.requestedBytes());
        assertEquals(488, refusal.availableBytes());
        assertEquals(
                "device memory: 257 bytes asked for, 488 left of a budget of 1000",
                refusal.getMessage());
        assertEquals(512, budget.usedBytes(), "a refusal takes nothing");
        budget.take(256);
    }

    @Test
    void aHugeRequestDoesNotOverflow() {
        assertThrows(DeviceBudgetException.class, () -> budget.take(Long.MAX_VALUE));
    }

    @Test
    void noBytesAreNoRequest() {
        assertThrows(IllegalArgumentException.class, () -> budget.take(0));
        assertThrows(IllegalArgumentException.class, () -> new ByteBudget(0));
    }
}
