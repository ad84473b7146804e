package io.zarrengine.http;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.URI;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Only one of the requests of a read may write. */
final class RaceTest {
    private final Race race = new Race();
    private final Attempt first = attempt();
    private final Attempt second = attempt();
    private final MemorySegment target = MemorySegment.ofArray(new byte[1]);

    private static Attempt attempt() {
        return new Attempt(null, null, URI.create("http://host/"), null);
    }

    private static AtomicInteger cancelled(Attempt attempt) {
        AtomicInteger count = new AtomicInteger();
        attempt.cancelBy(count::incrementAndGet);
        return count;
    }

    private boolean writes(Attempt attempt) {
        MemorySegment one = MemorySegment.ofArray(new byte[] {1});
        return race.write(attempt, one, target.fill((byte) 0), 0) && target.get(JAVA_BYTE, 0) == 1;
    }

    /** Fault: both write, or the slow one does when its answer comes later. */
    @Test
    void onlyTheWinnerWrites() throws IOException {
        AtomicInteger cancelled = cancelled(first);
        race.begin(first);
        assertTrue(race.join(first, second));
        assertFalse(writes(first) || writes(second));
        assertTrue(race.wins(second));
        assertEquals(1, cancelled.get());
        assertFalse(race.wins(first));
        assertFalse(writes(first));
        assertEquals(-1, race.receive(first, () -> 1));
        assertTrue(writes(second));
        assertEquals(1, race.receive(second, () -> 1));
        assertFalse(race.end(first));
        assertTrue(race.end(second));
        assertFalse(writes(second));
    }

    /** Fault: a failure of one request ends the other. */
    @Test
    void oneGoesOnWithoutTheOther() {
        race.begin(first);
        assertFalse(race.goesOnWithout(first));
        race.join(first, second);
        assertTrue(race.goesOnWithout(first));
        assertFalse(race.wins(first));
        assertTrue(writes(second));
        assertFalse(race.goesOnWithout(second));
        assertFalse(race.join(second, first), "a third one");
    }

    /** Fault: a request whose body comes is hedged, or one that was repeated meanwhile. */
    @Test
    void onlyWhoWaitsIsHedged() {
        race.begin(first);
        race.wins(first);
        assertFalse(race.join(first, second));
        race.begin(second);
        assertFalse(race.join(first, attempt()));
        assertTrue(race.join(second, first));
        assertFalse(race.join(second, attempt()), "a third one");
    }

    @Test
    void abandonsBoth() {
        AtomicInteger one = cancelled(first);
        AtomicInteger other = cancelled(second);
        race.begin(first);
        race.join(first, second);
        assertTrue(race.abandon());
        assertEquals(2, one.get() + other.get());
        assertFalse(writes(first) || writes(second) || race.wins(first) || race.abandon());
    }

    /** Fault: the second request is abandoned because the first one has stalled. */
    @Test
    void isStalledIfBothAre() {
        long now = System.nanoTime();
        assertFalse(race.isStalledSince(now + 1));
        race.begin(first);
        assertTrue(race.isStalledSince(now + 1));
        second.isSentNow();
        race.join(first, second);
        assertFalse(race.isStalledSince(second.progressNanos()));
        assertTrue(race.isStalledSince(second.progressNanos() + 1));
    }
}
