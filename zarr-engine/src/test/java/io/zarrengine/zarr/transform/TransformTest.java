package io.zarrengine.zarr.transform;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.errors.FormatException;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Transforms refuse what does not fit, and survive JSON. */
final class TransformTest {
    private static final Transform ALL =
            Transform.identity()
                    .missing(-999)
                    .scale(0.1, 3)
                    .normalize(1, new double[] {1, 2}, new double[] {3, 0.1})
                    .clip(Double.NEGATIVE_INFINITY, 1e300)
                    .log1p()
                    .isMissing()
                    .mean(1, 2)
                    .stride(3, 1)
                    .flip(1)
                    .permute(1, 0)
                    .cast(NumericType.BFLOAT16, Overflow.WRAP);

    @Test
    void readsTheJsonThatItWrote() {
        assertEquals(ALL.toJson(), Transform.parse(ALL.toJson()).toJson());
        assertEquals(ALL, Transform.parse(ALL.toJson()));
        assertEquals(
                "{\"steps\":[{\"step\":\"clip\",\"low\":\"-Infinity\",\"high\":1.0}]}",
                Transform.identity().clip(Double.NEGATIVE_INFINITY, 1).toJson());
    }

    @Test
    void namesTheStepThatIsWrongInJson() {
        for (String bad :
                List.of(
                        "{\"step\":\"blur\"}",
                        "{\"step\":\"scale\",\"factor\":1}",
                        "{\"step\":\"clip\",\"low\":2,\"high\":1}",
                        "{\"step\":\"mean\",\"factors\":[0]}",
                        "{\"step\":\"cast\",\"type\":\"complex64\",\"overflow\":\"WRAP\"}",
                        "{\"step\":\"cast\",\"type\":\"int8\",\"overflow\":\"ROUND\"}",
                        "{}")) {
            String json = "{\"steps\":[{\"step\":\"log1p\"}," + bad + "]}";
            FormatException e = assertThrows(FormatException.class, () -> Transform.parse(json));
            assertTrue(e.getMessage().startsWith("the transform: steps[1]"), e::getMessage);
        }
        assertThrows(FormatException.class, () -> Transform.parse("{}"));
    }

    @Test
    void refusesParametersAtOnce() {
        Transform none = Transform.identity();
        List<Supplier<Transform>> bad =
                List.of(
                        () -> none.scale(Double.NaN, 0),
                        () -> none.scale(1, Double.POSITIVE_INFINITY),
                        () -> none.normalize(0, 0),
                        () -> none.normalize(0, new double[2], new double[] {1}),
                        () -> none.normalize(-1, new double[1], new double[] {1}),
                        () -> none.clip(Double.NaN, 1),
                        () -> none.mean(2, 0),
                        () -> none.stride(-1),
                        () -> none.flip(1, 1),
                        () -> none.flip(-1),
                        () -> none.permute(0, 2),
                        () -> none.cast(NumericType.COMPLEX64),
                        () -> none.cast(NumericType.INT8).log1p());
        for (Supplier<Transform> each : bad) {
            assertThrows(IllegalArgumentException.class, each::get);
        }
    }

    @Test
    void refusesShapesAndTypesThatDoNotFit() {
        Transform none = Transform.identity();
        List<Transform> bad =
                List.of(
                        none.mean(2, 5),
                        none.mean(2),
                        none.stride(2),
                        none.flip(2),
                        none.permute(0),
                        none.normalize(0, new double[3], new double[] {1, 1, 1}),
                        none.normalize(2, new double[4], new double[] {1, 1, 1, 1}));
        for (Transform each : bad) {
            IllegalArgumentException e =
                    assertThrows(
                            IllegalArgumentException.class,
                            () -> Kernel.of(each, NumericType.INT16, new long[] {4, 6}));
            assertTrue(e.getMessage().startsWith("the step "), e::getMessage);
        }
        assertThrows(
                IllegalArgumentException.class,
                () -> none.log1p().typeAfter(NumericType.COMPLEX64));
        assertThrows(IllegalArgumentException.class, () -> none.typeAfter(NumericType.FLOAT8_E5M2));
        assertEquals(NumericType.INT16, none.flip(0).typeAfter(NumericType.INT16));
        assertEquals(NumericType.FLOAT32, none.log1p().typeAfter(NumericType.INT16));
        assertArrayEquals(new long[] {1, 2}, ALL.shapeAfter(new long[] {6, 2}));
    }

    @Test
    void takesTheAttributesOfCf() {
        ArrayMetadata packed =
                ArrayMetadata.builder(NumericType.INT16, 4)
                        .attributes(
                                Map.of(
                                        "scale_factor",
                                        0.01,
                                        "add_offset",
                                        List.of(273.15),
                                        "_FillValue",
                                        -32767,
                                        "missing_value",
                                        "NaN"))
                        .build();
        Transform expected = Transform.identity().missing(-32767).scale(0.01, 273.15);
        assertEquals(expected, Transform.cf(packed));
        ArrayMetadata plain = ArrayMetadata.builder(NumericType.INT16, 4).build();
        assertEquals(Transform.identity(), Transform.cf(plain));
        ArrayMetadata bad =
                ArrayMetadata.builder(NumericType.INT16, 4)
                        .attributes(Map.of("scale_factor", "ten"))
                        .build();
        assertThrows(IllegalArgumentException.class, () -> Transform.cf(bad));
    }

    @Test
    void takesAFillValueThatXarrayWroteInBase64() {
        ArrayMetadata metadata =
                ArrayMetadata.builder(NumericType.FLOAT32, 4)
                        .attributes(Map.of("_FillValue", "AAAAAAA4j8A=")) // -999.0
                        .build();
        assertEquals(Transform.identity().missing(-999), Transform.cf(metadata));
    }
}
