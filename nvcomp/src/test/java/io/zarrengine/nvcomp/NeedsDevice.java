package io.zarrengine.nvcomp;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Marks tests that need nvCOMP and a CUDA device. They are skipped if one is missing, or fail with
 * {@code -Dio.zarrengine.gpu=required}.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Tag("gpu")
@ExtendWith(NeedsDevice.Condition.class)
@interface NeedsDevice {
    /** The condition that JUnit evaluates. */
    final class Condition implements ExecutionCondition {
        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            String cause = NvcompLibrary.unavailabilityCause();
            if (cause.isEmpty()) {
                return ConditionEvaluationResult.enabled(NvcompLibrary.status().toString());
            }
            if ("required".equals(System.getProperty("io.zarrengine.gpu"))) {
                throw new IllegalStateException(cause);
            }
            return ConditionEvaluationResult.disabled(cause);
        }
    }
}
