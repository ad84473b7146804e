package io.zarrengine.gpu.transform;

import io.zarrengine.cuda.DeviceSlice;
import io.zarrengine.cuda.TransformParameters;
import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.device.DeviceComputation;
import io.zarrengine.zarr.transform.Overflow;
import io.zarrengine.zarr.transform.Program;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * One launch of a kernel: a channel of all samples.
 *
 * @param parameters describe the transform
 * @param samples their number
 * @param source the samples
 * @param targetOffset of the first result, in bytes
 */
public record TransformLaunch(
        TransformParameters parameters, long samples, DeviceSlice source, long targetOffset) {
    /**
     * {@return the launch of a channel}
     *
     * @param samples their number
     * @throws IllegalArgumentException if the kernel has no room for the transform
     */
    public static TransformLaunch of(DeviceComputation.Channel channel, long samples) {
        Program program = channel.program();
        TransformParameters parameters =
                new TransformParameters(
                        sourceType(program.source()),
                        TransformParameters.Type.valueOf(program.result().name()),
                        program.shape(),
                        program.overflow() == Overflow.WRAP,
                        program.isWhole());
        if (isTabled(program.source())) {
            parameters.table(numbersOfBytes(program.source()));
        }
        for (Program.Level level : program.levels()) {
            parameters.addLevel(level.starts(), level.strides(), level.factors());
            level.operations().forEach(operation -> add(operation, parameters));
        }
        parameters.setDistances(channel.sourceElements(), channel.targetElements());
        var source = channel.source();
        return new TransformLaunch(
                parameters,
                samples,
                new DeviceSlice(source.pointer(), source.byteSize()),
                channel.targetBegin() * program.result().byteSize());
    }

    private static void add(Program.Operation operation, TransformParameters parameters) {
        TransformParameters.Code code = TransformParameters.Code.valueOf(operation.code().name());
        double[] first = operation.first();
        double[] second = operation.second();
        if (first.length == 1) {
            parameters.addStep(code, first[0], second[0]);
        } else {
            double[] both =
                    DoubleStream.concat(DoubleStream.of(first), DoubleStream.of(second)).toArray();
            parameters.addStep(code, operation.axis(), first.length, parameters.table(both));
        }
    }

    private static TransformParameters.Type sourceType(NumericType type) {
        return isTabled(type)
                ? TransformParameters.Type.TABLED
                : TransformParameters.Type.valueOf(type.name());
    }

    /**
     * {@return whether a type of one byte has a table of its numbers: floats and short integers}
     */
    private static boolean isTabled(NumericType type) {
        return switch (type) {
            case INT8, UINT8 -> false;
            default -> type.byteSize() == 1;
        };
    }

    private static double[] numbersOfBytes(NumericType type) {
        return IntStream.range(0, TransformParameters.BYTE_TABLE)
                .mapToDouble(type::toDouble)
                .toArray();
    }
}
