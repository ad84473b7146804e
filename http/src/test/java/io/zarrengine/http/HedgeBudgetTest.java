package io.zarrengine.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

final class HedgeBudgetTest {
    private final HedgeBudget budget = new HedgeBudget();

    private int payable() {
        int count = 0;
        while (count < 1000 && budget.pay()) {
            count++;
        }
        return count;
    }

    private void earn(int requests) {
        for (int i = 0; i < requests; i++) {
            budget.earn();
        }
    }

    /** Fault: a server that is overloaded gets each request twice. */
    @Test
    void isFivePercent() {
        assertEquals(10, payable());
        earn(19);
        assertEquals(0, payable());
        earn(1);
        assertEquals(1, payable());
        earn(100);
        assertEquals(5, payable());
    }

    /** Fault: a storm is paid for by a day without slow requests. */
    @Test
    void savesNoMore() {
        earn(1_000_000);
        assertEquals(10, payable());
    }
}
