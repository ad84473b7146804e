package io.zarrengine.zarr.reference;

import io.zarrengine.zarr.json.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.SplittableRandom;

/** A folder with an array of random content. */
record RandomStore(Path folder, String document, ReferenceArray array) {
    static RandomStore write(Path folder, SplittableRandom random) throws IOException {
        Map<String, Object> json = new RandomDocument(random).next();
        String text = ReferenceJson.text(json);
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        Files.createDirectories(folder);
        Files.write(folder.resolve(json.containsKey("codecs") ? "zarr.json" : ".zarray"), bytes);
        ReferenceArray array = ReferenceArray.parse((Map<?, ?>) Json.parse("document", bytes));
        RandomElements elements = new RandomElements(random, computes(text));
        int[] chunks = array.chunks();
        for (int i = 0; i < Shapes.product(chunks); i++) {
            if (random.nextInt(5) > 0) {
                int[] chunk = Shapes.position(i, chunks);
                Path file = array.chunkFile(folder, chunk);
                Files.createDirectories(file.getParent());
                Files.write(file, array.chain(chunk).random(random, elements));
            }
        }
        return new RandomStore(folder, text, array);
    }

    private static boolean computes(String document) {
        return document.matches(
                "(?s).*\"(numcodecs.)?(delta|astype|fixedscaleoffset|quantize|bitround|scale_offset|cast_value)\".*");
    }
}
