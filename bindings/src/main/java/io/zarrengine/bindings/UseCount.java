package io.zarrengine.bindings;

import java.util.concurrent.atomic.AtomicInteger;

/** How many use something that ends with the last of them; the first is its owner. Threads: any. */
public final class UseCount {
    private final Object what;
    private final AtomicInteger users = new AtomicInteger(1);

    /**
     * Counts the owner.
     *
     * @param what it is that they use, as errors name it
     */
    public UseCount(Object what) {
        this.what = what;
    }

    /** {@return whether there is one more user: false if it has ended} */
    public boolean tryAdd() {
        return users.getAndUpdate(count -> count == 0 ? 0 : count + 1) > 0;
    }

    /**
     * Counts one more user.
     *
     * @throws IllegalStateException if it has ended
     */
    public void add() {
        if (!tryAdd()) {
            throw hasEnded();
        }
    }

    /**
     * {@return whether that was the last user, who ends it}
     *
     * @throws IllegalStateException if it has ended
     */
    public boolean removeIsLast() {
        int before = users.getAndUpdate(count -> count == 0 ? 0 : count - 1);
        if (before == 0) {
            throw hasEnded();
        }
        return before == 1;
    }

    /** {@return whether it has ended} */
    public boolean isZero() {
        return users.get() == 0;
    }

    private IllegalStateException hasEnded() {
        return new IllegalStateException(what + " is closed");
    }
}
