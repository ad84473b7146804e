package io.zarrengine.cli;

import io.zarrengine.zarr.HostTensor;
import io.zarrengine.zarr.Selection;
import io.zarrengine.zarr.ZarrArray;
import io.zarrengine.zarr.ZarrEngine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code zarr-engine render}: draws a two-dimensional slice as a picture. */
@Command(
        name = "render",
        description = "Draws a two-dimensional slice as a PNG picture.",
        mixinStandardHelpOptions = true)
final class RenderCommand implements Callable<Integer> {
    @Spec private CommandSpec spec;
    @Mixin private EngineOptions engineOptions;

    @Parameters(paramLabel = "PATH", description = "As for read.")
    private NodeLocation path;

    @Option(
            names = "--slice",
            paramLabel = "S",
            required = true,
            description = "As for read; all but two dimensions must have length 1.")
    private String slice;

    @Option(names = "--output", paramLabel = "F.png", required = true, description = "The file.")
    private Path output;

    @Option(
            names = "--colormap",
            paramLabel = "NAME",
            defaultValue = "VIRIDIS",
            description = "gray, viridis, inferno or rdbu. Default: viridis.")
    private Colormap colormap = Colormap.VIRIDIS;

    @Option(
            names = "--range",
            paramLabel = "LO,HI",
            converter = RangeConverter.class,
            description = "The values at the ends of the colormap. Default: all of them.")
    private Picture.Range range;

    @Override
    public Integer call() throws IOException {
        ResultFile.check(output, ".png");
        Picture picture = read(Main.selection(slice));
        Picture.Range ends = range == null ? picture.fullRange() : range;
        ResultFile.replace(output, out -> picture.writePng(colormap, ends, out));
        return 0;
    }

    /** Parses two finite numbers separated by a comma. */
    static final class RangeConverter implements ITypeConverter<Picture.Range> {
        @Override
        public Picture.Range convert(String text) {
            String[] ends = text.split(",", -1);
            if (ends.length != 2) {
                throw new TypeConversionException("takes two numbers: LO,HI");
            }
            return new Picture.Range(finite(ends[0]), finite(ends[1]));
        }

        private static double finite(String text) {
            try {
                double number = Double.parseDouble(text);
                if (Double.isFinite(number)) {
                    return number;
                }
            } catch (NumberFormatException e) {
                // Reported below.
            }
            throw new TypeConversionException("'" + text + "' is no number");
        }
    }

    /** Reads the picture; refuses a selection that is not two-dimensional before reading it. */
    private Picture read(Selection selection) {
        try (ZarrEngine engine = engineOptions.open();
                Progress _ = Progress.of(engine, spec.commandLine().getErr());
                ZarrArray array = path.openArray(engine)) {
            Picture.sizeOf(array.dataType(), array.shapeOf(selection));
            try (HostTensor tensor = array.read(selection)) {
                return Picture.of(tensor);
            }
        }
    }
}
