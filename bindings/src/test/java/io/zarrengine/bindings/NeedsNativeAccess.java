package io.zarrengine.bindings;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.condition.DisabledIf;

/** Skips a test if the JVM denies native access. */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@DisabledIf("io.zarrengine.bindings.NeedsNativeAccess$Condition#isDenied")
@interface NeedsNativeAccess {
    /** Called by JUnit. */
    final class Condition {
        private Condition() {}

        static boolean isDenied() {
            return NativeAccess.denial().isPresent();
        }
    }
}
