import io.zarrengine.zarr.HostTensor;
import io.zarrengine.zarr.Selection;
import io.zarrengine.zarr.ZarrArray;
import io.zarrengine.zarr.ZarrEngine;
import io.zarrengine.zarr.errors.ZarrException;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Reads single elements, which the command cannot. For each line {@code array TAB output TAB
 * indexes;indexes;...} it writes the elements at the indexes of each dimension to the output, as
 * they are in memory. Prints refused requests.
 */
public final class ReadPoints {
    private ReadPoints() {}

    /** Argument: the file of lines. */
    public static void main(String[] arguments) throws IOException {
        try (ZarrEngine engine = ZarrEngine.open()) {
            for (String line : Files.readAllLines(Path.of(arguments[0]))) {
                String[] parts = line.split("\t");
                try {
                    Files.write(Path.of(parts[1]), read(engine, Path.of(parts[0]), parts[2]));
                } catch (ZarrException | IllegalArgumentException | IndexOutOfBoundsException e) {
                    System.err.println(line + ": " + e.getMessage());
                }
            }
        }
    }

    private static byte[] read(ZarrEngine engine, Path path, String points) {
        long[][] indexes =
                Arrays.stream(points.split(";"))
                        .map(list -> Arrays.stream(list.split(",")))
                        .map(list -> list.mapToLong(Long::parseLong).toArray())
                        .toArray(long[][]::new);
        try (ZarrArray array = engine.openArray(path);
                HostTensor tensor = array.read(Selection.points(indexes))) {
            return tensor.segment().toArray(ValueLayout.JAVA_BYTE);
        }
    }
}
