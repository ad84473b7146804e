package io.zarrengine.zarr.store;

import io.zarrengine.zarr.metadata.ChunkKeyEncoding;
import java.io.IOException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Visits the files that have the names of chunks, whatever the shape of the array. Other folders
 * are not looked into: the array's may have much else in it.
 */
public final class ChunkFileVisitor extends SimpleFileVisitor<Path> {
    private final Path array;
    private final List<ChunkKeyEncoding> keys;
    private final int rank;
    private final Links links;
    private final Action action;

    /**
     * Folders that were looked into, with the number of names from the array's. Each is looked into
     * once, because folders that are linked with each other have an endless number of paths.
     */
    private final Set<Entered> entered = new HashSet<>();

    /** What becomes of symbolic links below the array's folder. That folder may always be one. */
    public enum Links {
        /** What they lead to is visited, as reads find it there. */
        FOLLOWED,

        /** They are visited themselves, if they are chunks or on the way to some. */
        TAKEN
    }

    /** What is done with a file or a link. */
    @FunctionalInterface
    public interface Action {
        /**
         * Takes a file or a link. It may delete it.
         *
         * @param path from the array's folder, with slashes; the key of the chunk if it is a file
         * @param attributes of the file
         * @throws IOException if that fails
         */
        void take(String path, BasicFileAttributes attributes) throws IOException;
    }

    private record Entered(Object folder, int depth) {}

    private ChunkFileVisitor(
            Path array, List<ChunkKeyEncoding> keys, int rank, Links links, Action action) {
        this.array = array;
        this.keys = keys;
        this.rank = rank;
        this.links = links;
        this.action = action;
    }

    /**
     * Visits the chunks in an array's folder.
     *
     * @param array the folder
     * @param keys how chunks may be named
     * @param rank number of dimensions
     * @param links below the folder
     * @param action takes the chunks
     * @throws IOException if a folder cannot be listed, or the action fails
     */
    public static void visit(
            Path array, List<ChunkKeyEncoding> keys, int rank, Links links, Action action)
            throws IOException {
        Path folder = array.toRealPath();
        Files.walkFileTree(
                folder,
                links == Links.FOLLOWED ? Set.of(FileVisitOption.FOLLOW_LINKS) : Set.of(),
                rank + 1, // no key has more names
                new ChunkFileVisitor(folder, keys, rank, links, action));
    }

    private String pathOf(Path file) {
        List<String> names = new ArrayList<>();
        array.relativize(file).forEach(name -> names.add(name.toString()));
        return String.join("/", names);
    }

    private boolean isChunk(String path) {
        return keys.stream().anyMatch(encoding -> encoding.isKeyOfRank(path, rank));
    }

    private boolean isChunkOrAbove(String path) {
        return keys.stream().anyMatch(encoding -> encoding.isKeyOrAbove(path, rank));
    }

    @Override
    public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
        if (folder.equals(array)) {
            return FileVisitResult.CONTINUE;
        }
        Object same = Objects.requireNonNullElse(attributes.fileKey(), folder);
        boolean isNew =
                isChunkOrAbove(pathOf(folder))
                        && entered.add(new Entered(same, folder.getNameCount()));
        return isNew ? FileVisitResult.CONTINUE : FileVisitResult.SKIP_SUBTREE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
        String path = pathOf(file);
        boolean isTaken =
                attributes.isSymbolicLink() // leads to nothing if links are followed
                        ? links == Links.TAKEN && isChunkOrAbove(path)
                        : attributes.isRegularFile() && isChunk(path);
        if (isTaken) {
            action.take(path, attributes);
        }
        return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
        boolean isHarmless =
                e instanceof NoSuchFileException // Others may delete it meanwhile.
                        || e instanceof FileSystemLoopException
                        || !isChunkOrAbove(pathOf(file));
        if (isHarmless) {
            return FileVisitResult.CONTINUE;
        }
        throw e;
    }
}
