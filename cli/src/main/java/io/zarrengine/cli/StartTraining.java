package io.zarrengine.cli;

import io.zarrengine.zarr.ArrayWriter;
import io.zarrengine.zarr.ZarrEngine;
import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.List;

/**
 * The run from which Java makes the cache that commands start with (JEP 514; {@code train_start} in
 * {@code bin/launch.sh}): the cache holds the classes that this run loads.
 */
final class StartTraining {
    private static final long[] SHAPE = {4, 256, 256};
    private static final long[] SHARD = {4, 128, 128};
    private static final long[] INNER = {1, 64, 64};

    private StartTraining() {}

    /** Runs commands on a small array, which it writes to the folder that is the argument. */
    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(arguments[0]);
        Path array = folder.resolve("array");
        write(array);
        String output = folder.resolve("read.npy").toString();
        String picture = folder.resolve("picture.png").toString();
        for (List<String> command :
                List.of(
                        List.of("info", array.toString()),
                        List.of("read", array.toString(), "--slice", "1:3", "--output", output),
                        List.of("render", array.toString(), "--slice", "0", "--output", picture),
                        List.of("read", folder.resolve("missing").toString()))) {
            run(command);
        }
    }

    private static void write(Path array) throws IOException {
        CodecSpec[] codecs = DemoSample.all().getFirst().codecs();
        ArrayMetadata metadata =
                ArrayMetadata.builder(NumericType.INT16, SHAPE)
                        .chunkShape(SHARD)
                        .codecs(List.of(CodecSpec.sharding(INNER, codecs)))
                        .build();
        try (ZarrEngine engine = ZarrEngine.open()) {
            ArrayWriter writer = engine.createArray(array, metadata);
            writer.writeAll((shard, elements) -> {
                for (long i = 0; i < elements.byteSize() / Short.BYTES; i++) {
                    elements.setAtIndex(ValueLayout.JAVA_SHORT_UNALIGNED, i, (short) i);
                }
            });
        }
    }

    private static void run(List<String> command) {
        PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
        String[] arguments = command.toArray(String[]::new);
        Main.run(
                Main.commandLine(new Main(), arguments).setOut(nowhere).setErr(nowhere), arguments);
    }
}
