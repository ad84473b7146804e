package io.zarrengine.gpu.tuning;

/** An idle device takes the slots that are full; a busy one waits until the batch is full. */
final class FixedLaunchRule implements LaunchRule {
    private final View view;

    FixedLaunchRule(View view) {
        this.view = view;
    }

    @Override
    public boolean endsBefore(int next) {
        return false;
    }

    @Override
    public boolean isFirst() {
        return view.launched() == 0 && view.chunks() > 0;
    }

    @Override
    public boolean isDue(boolean isHandedOver, boolean isAwaited) {
        return isFirst();
    }

    /** {@return false} Workers seal a slot that is full or old, or whose read ends. */
    @Override
    public boolean takesBegunSlots() {
        return false;
    }
}
