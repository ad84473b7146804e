package io.zarrengine.zarr.transform;

import io.zarrengine.bindings.machinecode.MachineCodeTransform;
import io.zarrengine.bindings.machinecode.MachineCodeTransform.Code;
import io.zarrengine.bindings.machinecode.MachineCodeTransform.NumberType;
import io.zarrengine.bindings.machinecode.MachineCodeTransform.Operation;
import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.place.NonTemporalTargets;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Computes a program by machine code ({@link MachineCodeTransform}), with the results of Java.
 *
 * @param code the program, prepared
 * @param start distance of position 0 from the sample's first element, in elements
 * @param type of the elements
 * @param result type of the results
 */
record MachineRows(MachineCodeTransform code, long start, NumericType type, NumericType result) {
    /** {@return the program as machine code; empty if that cannot compute it} */
    static Optional<MachineRows> of(Program program) {
        Optional<NumberType> type = type(program.source());
        Optional<NumberType> result = type(program.result());
        if (MachineCodeTransform.denial().isPresent()
                || program.levels().size() > 1 // means of boxes
                || type.isEmpty()
                || result.isEmpty()
                || program.result().kind() != NumericType.Kind.FLOAT
                || program.shape().length > MachineCodeTransform.DIMENSIONS_MAX
                || Arrays.stream(program.shape()).anyMatch(length -> length == 0)) {
            return Optional.empty();
        }
        Program.Level level = program.levels().getFirst();
        List<Program.Operation> steps = level.operations();
        if (steps.size() > MachineCodeTransform.OPERATIONS_MAX
                || !steps.stream().allMatch(MachineRows::takes)) {
            return Optional.empty();
        }
        MachineCodeTransform code =
                new MachineCodeTransform(
                        type.get(),
                        result.get(),
                        program.shape(),
                        level.strides(),
                        steps.stream().map(MachineRows::operation).toList());
        long start = Arrays.stream(level.starts()).sum();
        return Optional.of(new MachineRows(code, start, program.source(), program.result()));
    }

    private static Optional<NumberType> type(NumericType type) {
        return Optional.ofNullable(
                switch (type) {
                    case INT8 -> NumberType.INT8;
                    case UINT8 -> NumberType.UINT8;
                    case INT16 -> NumberType.INT16;
                    case UINT16 -> NumberType.UINT16;
                    case INT32 -> NumberType.INT32;
                    case UINT32 -> NumberType.UINT32;
                    case FLOAT16 -> NumberType.FLOAT16;
                    case BFLOAT16 -> NumberType.BFLOAT16;
                    case FLOAT32 -> NumberType.FLOAT32;
                    case FLOAT64 -> NumberType.FLOAT64;
                    default -> null;
                });
    }

    private static boolean takes(Program.Operation step) {
        return switch (step.code()) {
            case LOG1P -> false;
            case CLIP -> Double.doubleToRawLongBits(step.second()[0]) != Long.MIN_VALUE; // -0.0
            default -> true;
        };
    }

    private static Operation operation(Program.Operation step) {
        Code code =
                switch (step.code()) {
                    case MISSING -> Code.MISSING;
                    case SCALE -> Code.SCALE;
                    case NORMALIZE -> Code.DIVIDE;
                    case NORMALIZE_BY_INVERSE -> Code.MULTIPLY;
                    case CLIP -> Code.CLIP;
                    case IS_MISSING -> Code.IS_MISSING;
                    case LOG1P -> throw new AssertionError(step);
                };
        return new Operation(code, step.axis(), step.first(), step.second());
    }

    /** {@return whether machine code may read one segment and write the other} */
    static boolean mayUse(MemorySegment source, MemorySegment target) {
        return source.isNative() && target.isNative() && !source.isMapped() && !target.isMapped();
    }

    /** As {@link Kernel#run}. */
    void run(MemorySegment source, long base, MemorySegment target, long to, long begin, long end) {
        code.run(
                source,
                (base + start) * type.byteSize(),
                target,
                to * result.byteSize(),
                begin,
                end,
                NonTemporalTargets.contain(target));
    }
}
