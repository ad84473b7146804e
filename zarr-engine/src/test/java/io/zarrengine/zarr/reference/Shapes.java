package io.zarrengine.zarr.reference;

import java.util.List;

/** Positions in C order. */
final class Shapes {
    private Shapes() {}

    static int[] of(List<?> json) {
        return json.stream().mapToInt(ReferenceType::integer).toArray();
    }

    static int product(int[] shape) {
        int product = 1;
        for (int length : shape) {
            product *= length;
        }
        return product;
    }

    static int[] position(int index, int[] shape) {
        int[] position = new int[shape.length];
        int rest = index;
        for (int d = shape.length - 1; d >= 0; d--) {
            position[d] = rest % shape[d];
            rest /= shape[d];
        }
        return position;
    }

    static int index(int[] position, int[] shape) {
        int index = 0;
        for (int d = 0; d < shape.length; d++) {
            index = index * shape[d] + position[d];
        }
        return index;
    }

    /** Returns how many parts cover each dimension. */
    static int[] parts(int[] shape, int[] part) {
        int[] parts = new int[shape.length];
        for (int d = 0; d < shape.length; d++) {
            parts[d] = (shape[d] + part[d] - 1) / part[d];
        }
        return parts;
    }

    /** Returns the position in the whole of an element of a part, or null if it is outside. */
    static int[] inWhole(int[] part, int[] partShape, int[] inPart, int[] shape) {
        int[] origin = new int[shape.length];
        for (int d = 0; d < shape.length; d++) {
            origin[d] = part[d] * partShape[d];
        }
        return inWhole(origin, inPart, shape);
    }

    /** Returns the same for a part that begins at {@code origin}. */
    static int[] inWhole(int[] origin, int[] inPart, int[] shape) {
        int[] position = new int[shape.length];
        for (int d = 0; d < shape.length; d++) {
            position[d] = origin[d] + inPart[d];
            if (position[d] >= shape[d]) {
                return null;
            }
        }
        return position;
    }
}
