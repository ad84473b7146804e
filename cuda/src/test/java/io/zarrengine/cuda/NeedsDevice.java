package io.zarrengine.cuda;

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
 * Marks tests that need a CUDA device. They are skipped if there is none, or fail with {@code
 * -Dio.zarrengine.gpu=required}.
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
            return switch (CudaRuntime.status()) {
                case CudaRuntime.Status.Usable usable ->
                        ConditionEvaluationResult.enabled(usable.toString());
                case CudaRuntime.Status.Unusable unusable -> missing(unusable.reason());
            };
        }

        private static ConditionEvaluationResult missing(String reason) {
            if ("required".equals(System.getProperty("io.zarrengine.gpu"))) {
                throw new IllegalStateException(reason);
            }
            return ConditionEvaluationResult.disabled(reason);
        }
    }
}
