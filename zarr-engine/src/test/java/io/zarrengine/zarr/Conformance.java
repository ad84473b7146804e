package io.zarrengine.zarr;

import io.zarrengine.zarr.metadata.JsonText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

/** The cases of {@code conformance/}, written by zarr-python and TensorStore. */
final class Conformance {
    /**
     * A case: one folder.
     *
     * @param folder the folder of the case
     * @param store the folder of its hierarchy, or a zip file of that folder
     * @param json its {@code case.json}
     */
    record Case(Path folder, Path store, Map<?, ?> json) {
        String name() {
            return (String) json.get("name");
        }

        /** {@return the path of the array in its store} */
        String path() {
            return json.get("path") instanceof String path ? path : "";
        }

        /** {@return the path of the array} */
        Path array() {
            return path().isEmpty() ? store : store.resolve(path());
        }

        /** {@return this case in a zip file in a folder, made unless it is there} */
        Case zipped(Path in, int method) throws IOException {
            return zipped(in, method, ZipEntry.STORED);
        }

        /** {@return this case in a zip file, with another method for chunks} */
        Case zipped(Path in, int method, int ofChunks) throws IOException {
            Path zip = in.resolve(folder.getFileName() + "-" + ofChunks + ".zip");
            if (!Files.exists(zip)) {
                ZipFiles.zip(store, zip, method, ofChunks);
            }
            return new Case(folder, zip, json);
        }

        /** Puts the files of this case into a store; {@return the key of the array} */
        String putInto(Puts store) throws Exception {
            String prefix = "case-" + folder.getFileName();
            try (Stream<Path> files = Files.walk(this.store).filter(Files::isRegularFile)) {
                for (Path file : (Iterable<Path>) files::iterator) {
                    String key = prefix + "/" + this.store.relativize(file);
                    store.put(key, Files.readAllBytes(file));
                }
            }
            return path().isEmpty() ? prefix : prefix + "/" + path();
        }

        List<Read> reads() {
            List<Read> reads = new ArrayList<>();
            for (Object read : (List<?>) json.get("reads")) {
                Map<?, ?> members = (Map<?, ?>) read;
                String expected = (String) members.get("expected");
                reads.add(new Read((List<?>) members.get("slice"), folder.resolve(expected)));
            }
            return reads;
        }

        @Override
        public String toString() {
            return name();
        }
    }

    /**
     * One read of a case.
     *
     * @param slice {@code [start, stop, step]} for each dimension
     * @param expected a {@code .npy} or {@code .json} file
     */
    record Read(List<?> slice, Path expected) {
        Selection selection() {
            List<String> parts = new ArrayList<>();
            for (Object part : slice) {
                List<?> numbers = (List<?>) part;
                parts.add(numbers.get(0) + ":" + numbers.get(1) + ":" + numbers.get(2));
            }
            return parts.isEmpty() ? Selection.all() : Selection.of(String.join(",", parts));
        }
    }

    /** Puts an object into a store. */
    interface Puts {
        void put(String key, byte[] bytes) throws Exception;
    }

    private Conformance() {}

    /** Returns all cases of a kind. Skips the test if the tree is missing. */
    static List<Case> cases(String kind) {
        return ConformanceArchives.unpacked(kind).stream().map(Conformance::read).toList();
    }

    /** Returns each eighth case of a kind, for servers that are slow. */
    static List<Case> someCases(String kind) {
        List<Case> all = cases(kind);
        return IntStream.range(0, all.size()).filter(i -> i % 8 == 0).mapToObj(all::get).toList();
    }

    private static Case read(Path folder) {
        return new Case(
                folder,
                folder.resolve("store"),
                (Map<?, ?>) JsonText.read(folder.resolve("case.json")));
    }
}
