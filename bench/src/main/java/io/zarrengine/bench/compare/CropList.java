package io.zarrengine.bench.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.StringJoiner;

/**
 * The boxes of an array that all contenders read, as lines of a file: {@code 0:4,128:256},
 * half-open.
 *
 * @param lines one for each box
 */
public record CropList(List<String> lines) {
    public CropList {
        lines = List.copyOf(lines);
    }

    /** {@return boxes at random places in the array, moved as the alignment requires} */
    public static CropList random(
            long[] shape, long[] crop, long[] alignment, int count, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            long[] offset = new long[shape.length];
            for (int d = 0; d < shape.length; d++) {
                long places = (shape[d] - crop[d]) / alignment[d] + 1;
                offset[d] = random.nextLong(places) * alignment[d];
            }
            lines.add(line(offset, crop));
        }
        return new CropList(lines);
    }

    /** {@return all boxes of a grid, in C order} */
    static CropList grid(long[] shape, long[] cell) {
        List<String> lines = new ArrayList<>();
        long[] offset = new long[shape.length];
        int d;
        do {
            lines.add(line(offset, cell));
            for (d = shape.length - 1; d >= 0; d--) {
                offset[d] += cell[d];
                if (offset[d] < shape[d]) {
                    break;
                }
                offset[d] = 0;
            }
        } while (d >= 0);
        return new CropList(lines);
    }

    private static String line(long[] offset, long[] crop) {
        StringJoiner line = new StringJoiner(",");
        for (int d = 0; d < offset.length; d++) {
            line.add(offset[d] + ":" + (offset[d] + crop[d]));
        }
        return line.toString();
    }

    void write(Path file) throws IOException {
        Files.createDirectories(file.getParent());
        Files.write(file, lines);
    }
}
