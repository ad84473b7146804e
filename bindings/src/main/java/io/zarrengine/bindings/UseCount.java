package io.zarrengine.bindings;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * A count of the users of an object that ends with its last user. The first user is the owner.
 * Threads: any.
 */
public final class UseCount {
    private final Object what;
    private final AtomicInteger users = new AtomicInteger(1);

    /**
     * Counts the owner.
     *
     * @param what names the object in errors
     */
    public UseCount(Object what) {
        this.what = what;
    }

    /** {@return whether a user was added; false if the object has ended} */
    public boolean tryAdd() {
        return users.getAndUpdate(count -> count == 0 ? 0 : count + 1) > 0;
    }

    /**
     * Counts one more user.
     *
     * @throws IllegalStateException if the object has ended
     */
    public void add() {
        if (!tryAdd()) {
            throw hasEnded();
        }
    }

    /**
     * {@return whether the removed user was the last one, which must end the object}
     *
     * @throws IllegalStateException if the object has ended
     */
    public boolean removeIsLast() {
        int before = users.getAndUpdate(count -> count == 0 ? 0 : count - 1);
        if (before == 0) {
            throw hasEnded();
        }
        return before == 1;
    }

    /** {@return whether the object has ended} */
    public boolean isZero() {
        return users.get() == 0;
    }

    private IllegalStateException hasEnded() {
        return new IllegalStateException(what + " is closed");
    }
}
