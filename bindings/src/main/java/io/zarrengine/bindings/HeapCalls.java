package io.zarrengine.bindings;

import java.util.Optional;

/**
 * Decides whether native code may write to Java's heap in a {@code critical} call. The garbage
 * collector must not move the memory meanwhile. G1 of JDK 25 before 25.0.3 may move it, and the
 * written bytes are lost. {@code -Dio.zarrengine.heapcalls=off} denies it on other JDKs too. Java
 * code writes then.
 *
 * @see <a href="https://bugs.openjdk.org/browse/JDK-8377811">JDK-8377811</a>
 */
public final class HeapCalls {
    private static final String PROPERTY = "io.zarrengine.heapcalls";
    private static final Runtime.Version FIRST = Runtime.Version.parse("25-ea");
    private static final Runtime.Version MENDED = Runtime.Version.parse("25.0.3");

    private static final Optional<String> DENIAL =
            System.getProperty(PROPERTY, "on").equals("off")
                    ? Optional.of("switched off by -D" + PROPERTY + "=off")
                    : denial(Runtime.version());

    private HeapCalls() {}

    /** {@return the reason why native code may not write to the heap; empty if it may} */
    public static Optional<String> denial() {
        return DENIAL;
    }

    static Optional<String> denial(Runtime.Version version) {
        boolean isMended =
                version.compareToIgnoreOptional(FIRST) < 0
                        || version.compareToIgnoreOptional(MENDED) >= 0;
        return isMended
                ? Optional.empty()
                : Optional.of(
                        "G1 of JDK %s may move them meanwhile (JDK-8377811): use 25.0.3 or later"
                                .formatted(version));
    }
}
