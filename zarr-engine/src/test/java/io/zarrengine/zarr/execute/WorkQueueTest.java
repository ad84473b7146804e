package io.zarrengine.zarr.execute;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.task.TaskRunner;
import io.zarrengine.zarr.task.WorkSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Workers wait while enough is under way to memory that sinks lend, and are woken afterwards. */
final class WorkQueueTest {
    private static final int WORKERS = 16;
    private static final long HALF = LentReads.DEPTH_BYTES / 2;

    private final List<String> started = new ArrayList<>();
    private int wakes;
    private final LentReads lentReads = new LentReads(WORKERS, () -> wakes++);
    private final LentReads.Window mine = lentReads.new Window();
    private final LentReads.Window others = lentReads.new Window();
    private final WorkQueue queue = new WorkQueue();

    /** Work of some parts. */
    private final class Work implements WorkSource {
        private final String name;
        private final boolean isToLentMemory;
        private int left;

        Work(String name, boolean isToLentMemory, int parts) {
            this.name = name;
            this.isToLentMemory = isToLentMemory;
            this.left = parts;
        }

        @Override
        public boolean isToLentMemory() {
            return isToLentMemory;
        }

        @Override
        public boolean startNext(TaskRunner runner) {
            if (left == 0) {
                return false;
            }
            left--;
            started.add(name);
            return true;
        }

        @Override
        public void fail(Throwable cause) {
            throw new AssertionError(cause);
        }
    }

    private void startAll() {
        while (queue.startNext(null, mine)) {
            // It is in the list.
        }
    }

    /** In two reads. */
    private void fill() {
        others.begin(HALF);
        others.begin(HALF);
    }

    private void empty() {
        others.arrived(HALF);
        others.arrived(HALF);
    }

    @Test
    void inTurnWhileThereIsRoom() {
        queue.addLast(new Work("lent", true, 2));
        queue.addLast(new Work("any", false, 1));
        startAll();
        assertEquals(List.of("lent", "lent", "any"), started);
        assertFalse(queue.hasStartable(mine));
        assertTrue(queue.isEmpty());
    }

    @Test
    void otherWorkDoesNotWaitForADrive() {
        queue.addLast(new Work("lent", true, 1));
        queue.addLast(new Work("any", false, 2));
        queue.addLast(new Work("lent too", true, 1));
        fill();
        startAll();
        assertEquals(List.of("any", "any"), started);
        assertFalse(queue.hasStartable(mine), "a worker would never sleep");
        assertFalse(queue.isEmpty());
        empty();
        assertTrue(queue.hasStartable(mine));
        startAll();
        assertEquals(List.of("any", "any", "lent", "lent too"), started);
    }

    @Test
    void whoHasEnoughOfHisOwnLeavesTheRestToOthers() {
        queue.addLast(new Work("lent", true, 1));
        long window = 1 << 20;
        mine.begin(window);
        assertFalse(queue.hasStartable(mine));
        assertTrue(queue.hasStartable(others));
        mine.arrived(window);
        assertTrue(queue.hasStartable(mine), "a drive does not wait for what is passed on");
        mine.begin(window / 2);
        assertFalse(queue.hasStartable(mine), "what has arrived takes memory");
        mine.free(window);
        assertTrue(queue.hasStartable(mine));
    }

    @Test
    void whoHasFarTooManyTakesNoOtherWorkEither() {
        mine.begin(2 << 20);
        assertTrue(mine.isOverfull());
        mine.arrived(2 << 20);
        assertTrue(mine.isOverfull());
        mine.free(1 << 20);
        assertFalse(mine.isOverfull());
    }

    @Test
    void howeverLongReadsAreOneBeginsBesideTheOther() {
        others.begin(8 * LentReads.DEPTH_BYTES);
        assertTrue(mine.hasRoom());
        mine.begin(1);
        assertFalse(others.hasRoom());
        assertFalse(mine.hasRoom());
    }

    @Test
    void whoWasHeldBackIsWokenWhenFewAreLeft() {
        queue.addLast(new Work("lent", true, 1));
        others.begin(HALF);
        others.begin(HALF - 1);
        others.begin(1);
        assertFalse(queue.hasStartable(mine));
        others.arrived(HALF);
        assertEquals(0, wakes, "those who read go on");
        others.arrived(1);
        assertEquals(1, wakes);
        others.arrived(HALF - 1);
        assertEquals(1, wakes, "nobody was held back since");
    }

    @Test
    void nobodyIsWokenWhoWasNotHeldBack() {
        fill();
        empty();
        assertEquals(0, wakes);
    }

    /** Workers look again at each read that ends: a long queue must not take longer than that. */
    @Test
    void behindManyThatWaitNobodyLooks() {
        for (int i = 0; i < 1000; i++) {
            queue.addLast(new Work("lent", true, 1));
        }
        queue.addLast(new Work("any", false, 1));
        fill();
        assertFalse(queue.hasStartable(mine));
        empty();
        startAll();
        assertEquals(1001, started.size());
    }
}
