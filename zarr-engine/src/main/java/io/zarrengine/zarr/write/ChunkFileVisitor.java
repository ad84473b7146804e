package io.zarrengine.zarr.write;

import io.zarrengine.zarr.metadata.ChunkKeyEncoding;
import java.io.IOException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Visits the files that have the names of chunks, whatever the shape of the array. Other folders
 * are not looked into: the array's may have much else in it.
 */
final class ChunkFileVisitor extends SimpleFileVisitor<Path> {
    private static final Pattern ON_THE_WAY = Pattern.compile("c|[0-9]+");

    private final Path array;
    private final ChunkKeyEncoding keys;
    private final long[] endless;
    private final Action action;

    /** What is done with a chunk. */
    @FunctionalInterface
    interface Action {
        /** Takes the key of a chunk that is stored. */
        void take(String key) throws IOException;
    }

    private ChunkFileVisitor(Path array, ChunkKeyEncoding keys, int rank, Action action) {
        this.array = array;
        this.keys = keys;
        this.endless = new long[rank];
        Arrays.fill(endless, Long.MAX_VALUE);
        this.action = action;
    }

    /** Visits the chunks in an array's folder; the action may delete them. */
    static void visit(Path array, ChunkKeyEncoding keys, int rank, Action action)
            throws IOException {
        int depth = keys.key(new long[rank]).split("/").length;
        Files.walkFileTree(
                array,
                EnumSet.of(FileVisitOption.FOLLOW_LINKS), // The chunks may be on another disk.
                depth,
                new ChunkFileVisitor(array, keys, rank, action));
    }

    private boolean mayHoldChunks(Path folder) {
        return folder.equals(array)
                || ON_THE_WAY.matcher(folder.getFileName().toString()).matches();
    }

    @Override
    public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
        return mayHoldChunks(folder) ? FileVisitResult.CONTINUE : FileVisitResult.SKIP_SUBTREE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
        List<String> names = new ArrayList<>();
        array.relativize(file).forEach(name -> names.add(name.toString()));
        String key = String.join("/", names);
        if (attributes.isRegularFile() && keys.isKey(key, endless)) {
            action.take(key);
        }
        return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
        if (e instanceof NoSuchFileException || !mayHoldChunks(file)) {
            return FileVisitResult.CONTINUE; // Others may delete it meanwhile.
        }
        throw e;
    }
}
