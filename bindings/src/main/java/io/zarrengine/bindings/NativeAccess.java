package io.zarrengine.bindings;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Decides once whether this JVM lets {@code io.zarrengine.bindings} call native code.
 *
 * <p>{@code -Dio.zarrengine.native=off} denies it on purpose; {@code --illegal-native-access=deny}
 * without a grant denies it too.
 */
public final class NativeAccess {
    private static final boolean IS_OFF =
            System.getProperty("io.zarrengine.native", "on").equals("off");
    private static final String DENIAL = probe();
    private static final AtomicBoolean IS_LOGGED = new AtomicBoolean();

    private NativeAccess() {}

    /** {@return the reason why native code may not be called; empty if it may} */
    public static Optional<String> denial() {
        return Optional.ofNullable(DENIAL);
    }

    /**
     * Logs once that the engine uses slow paths, and the option to add, unless native access was
     * switched off on purpose.
     */
    public static void logDenial() {
        if (DENIAL != null && !IS_OFF && !IS_LOGGED.getAndSet(true)) {
            new FailSafeLogger("io.zarrengine")
                    .log(
                            System.Logger.Level.WARNING,
                            "files are read by FileChannel and decoded by Java alone, which is"
                                    + " several times slower: "
                                    + DENIAL);
        }
    }

    private static String probe() {
        if (IS_OFF) {
            return "switched off by -Dio.zarrengine.native=off";
        }
        try {
            MemorySegment.NULL.reinterpret(0); // restricted, and has no other effect
            return null;
        } catch (IllegalCallerException e) {
            return "native access is denied; add " + flag();
        }
    }

    private static String flag() {
        Module module = NativeAccess.class.getModule();
        return "--enable-native-access=" + (module.isNamed() ? module.getName() : "ALL-UNNAMED");
    }
}
