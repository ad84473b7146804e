package io.zarrengine.http;

import io.zarrengine.http.Receiver.Receive;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/**
 * The requests under way for one read: none, one, or two, of which the first with an answer goes
 * on. Only one that goes on alone may write to the memory of the read, and none after it was
 * abandoned.
 *
 * <p>Threads: any; the state is guarded by this.
 */
final class Race {
    private Attempt first; // null if none is under way
    private Attempt second; // null unless two are
    private boolean isHedged; // a second one was sent
    private boolean isDecided; // an answer has begun

    /** Begins with one request; none is under way. */
    synchronized void begin(Attempt attempt) {
        first = attempt;
        isHedged = false;
        isDecided = false;
    }

    /** {@return whether a request is the only one so far, and has no answer yet} */
    synchronized boolean awaits(Attempt attempt) {
        return isAlone(attempt) && !isHedged && !isDecided;
    }

    /** {@return whether a second request is now under way beside one that is awaited} */
    synchronized boolean join(Attempt beside, Attempt hedge) {
        boolean joins = awaits(beside);
        if (joins) {
            second = hedge;
            isHedged = true;
        }
        return joins;
    }

    /** {@return whether a request is under way; then it goes on alone: it has an answer} */
    boolean wins(Attempt attempt) {
        Attempt other;
        synchronized (this) {
            if (!isUnderWay(attempt)) {
                return false;
            }
            other = attempt == first ? second : first;
            first = attempt;
            second = null;
            isDecided = true;
        }
        if (other != null) {
            other.cancel();
        }
        return true;
    }

    private boolean isUnderWay(Attempt attempt) {
        return attempt == first || attempt == second;
    }

    /** {@return whether another request goes on without this one, which has failed} */
    synchronized boolean goesOnWithout(Attempt attempt) {
        boolean goesOn = second != null && isUnderWay(attempt);
        if (goesOn) {
            first = attempt == first ? second : first;
            second = null;
        }
        return goesOn;
    }

    /** {@return whether a request that goes on alone was under way, which has ended} */
    synchronized boolean end(Attempt attempt) {
        boolean ends = isAlone(attempt);
        if (ends) {
            first = null;
        }
        return ends;
    }

    /** {@return whether requests were under way, which are now cancelled} */
    boolean abandon() {
        Attempt one;
        Attempt other;
        synchronized (this) {
            one = first;
            other = second;
            first = null;
            second = null;
        }
        if (one != null) {
            one.cancel();
        }
        if (other != null) {
            other.cancel();
        }
        return one != null;
    }

    /** {@return whether requests are under way, and nothing came since a time} */
    synchronized boolean isStalledSince(long nanos) {
        return first != null
                && first.progressNanos() - nanos < 0
                && (second == null || second.progressNanos() - nanos < 0);
    }

    /**
     * Takes bytes of a request.
     *
     * @return false if the request was abandoned: then nothing is written
     */
    boolean write(Attempt attempt, MemorySegment bytes, MemorySegment to, long at) {
        return change(attempt, () -> MemorySegment.copy(bytes, 0, to, at, bytes.byteSize()));
    }

    /** Has the memory of the read changed for a request, as {@link #write}. */
    synchronized boolean change(Attempt attempt, Runnable change) {
        boolean isWanted = isAlone(attempt);
        if (isWanted) {
            change.run();
        }
        return isWanted;
    }

    /** Has bytes of a request received, as {@link #write}; negative if it was abandoned. */
    synchronized int receive(Attempt attempt, Receive receive) throws IOException {
        return isAlone(attempt) ? receive.receive() : -1;
    }

    private boolean isAlone(Attempt attempt) {
        return attempt == first && second == null;
    }
}
