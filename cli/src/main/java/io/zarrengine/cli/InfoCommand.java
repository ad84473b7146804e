package io.zarrengine.cli;

import io.zarrengine.zarr.StoredSize;
import io.zarrengine.zarr.ZarrArray;
import io.zarrengine.zarr.ZarrEngine;
import io.zarrengine.zarr.ZarrGroup;
import io.zarrengine.zarr.ZarrNode;
import io.zarrengine.zarr.datatype.VariableLengthType;
import io.zarrengine.zarr.errors.StoreException;
import io.zarrengine.zarr.errors.ZarrException;
import io.zarrengine.zarr.metadata.MetadataWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code zarr-engine info}: shows an array's metadata, or a group's tree. */
@Command(
        name = "info",
        description = "Shows the metadata of an array, or the tree below a group.",
        mixinStandardHelpOptions = true)
final class InfoCommand implements Callable<Integer> {
    /** Groups nest a few levels; a loop of links nests without end. */
    private static final int DEPTH_MAX = 32;

    private final Set<Path> listed = new HashSet<>(); // groups, by their real paths

    @Spec private CommandSpec spec;

    @Parameters(
            paramLabel = "PATH",
            description = "The folder of an array or a group, a path into a zip file, or a URL.")
    private NodeLocation path;

    @Option(names = "--json", description = "One JSON object.")
    private boolean json;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        out.print(describe());
        out.flush();
        return 0;
    }

    /** {@return all of the output} Standard output may be the terminal that shows progress. */
    private String describe() {
        StringWriter text = new StringWriter();
        PrintWriter out = new PrintWriter(new PrintableWriter(text));
        // It reads no chunks. Linking C and probing io_uring would take longer than all it does.
        try (ZarrEngine engine = ZarrEngine.builder().workers(1).io(ZarrEngine.Io.CHANNEL).open();
                Progress _ = Progress.of(engine, spec.commandLine().getErr());
                ZarrNode node = path.open(engine)) {
            if (json) {
                text.append(CommandJson.lines(describe(node, 0))).append(System.lineSeparator());
            } else {
                switch (node) {
                    case ZarrArray array -> new ArrayText(array).print(out);
                    case ZarrGroup group -> {
                        int format = group.metadata().zarrFormat();
                        out.println(group.path().normalize() + "/  zarr format " + format);
                        printTree(group, "", out, 0);
                        printAttributes(group, out);
                    }
                }
            }
            out.flush();
        }
        return text.toString();
    }

    private void printTree(ZarrGroup group, String indent, PrintWriter out, int depth) {
        List<String> names = members(group, depth);
        for (int i = 0; i < names.size(); i++) {
            boolean last = i == names.size() - 1;
            String name = names.get(i);
            String head = indent + (last ? "└── " : "├── ") + name;
            String below = indent + (last ? "    " : "│   ");
            try (ZarrNode node = group.open(name)) {
                switch (node) {
                    case ZarrArray array ->
                            out.println(head + "  " + ArrayText.brief(array) + hint(node));
                    case ZarrGroup inner -> {
                        out.println(head + "/" + hint(node));
                        printTree(inner, below, out, depth + 1);
                    }
                }
            } catch (ZarrException e) { // The rest of the tree is still shown.
                out.println(head + "  (" + e.getMessage() + ")");
            }
        }
    }

    private static String hint(ZarrNode node) {
        return node.metadata()
                .attributesProblem()
                .map(problem -> "  (attributes cannot be read: " + problem + ")")
                .orElse("");
    }

    /**
     * Returns the members of a group; none if it was listed before, because links may lead back to
     * it.
     */
    private List<String> members(ZarrGroup group, int depth) {
        return depth < DEPTH_MAX && listed.add(realPath(group)) ? group.names() : List.of();
    }

    /** Returns the real path of a group. A group from consolidated metadata may have no folder. */
    private static Path realPath(ZarrGroup group) {
        try {
            return group.path().toRealPath();
        } catch (IOException e) {
            return group.path().normalize();
        }
    }

    private static void printAttributes(ZarrGroup group, PrintWriter out) {
        group.metadata()
                .attributesProblem()
                .ifPresentOrElse(
                        problem -> out.println("  attributes cannot be read: " + problem),
                        () ->
                                group.attributes()
                                        .forEach((name, value) ->
                                                out.println(
                                                        "  "
                                                                + name
                                                                + ": "
                                                                + CommandJson.line(value))));
    }

    private Map<String, Object> describe(ZarrNode node, int depth) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("path", node.path().normalize().toString());
        node.metadata()
                .attributesProblem()
                .ifPresent(problem -> object.put("attributes_unknown", problem));
        switch (node) {
            case ZarrArray array -> {
                object.putAll(MetadataWriter.toMap(array.metadata()));
                // The other members are in the form of version 3.
                object.put("zarr_format", array.metadata().zarrFormat());
                putStoredSize(array, object);
            }
            case ZarrGroup group -> {
                object.put("zarr_format", group.metadata().zarrFormat());
                object.put("node_type", "group");
                if (group.metadata().attributesProblem().isEmpty()) {
                    object.put("attributes", group.attributes());
                }
                List<Object> members = new ArrayList<>();
                for (String name : members(group, depth)) {
                    members.add(describeMember(group, name, depth + 1));
                }
                object.put("members", members);
            }
        }
        return object;
    }

    /** Adds the stored size. If it is unknown, the rest is still shown. */
    private static void putStoredSize(ZarrArray array, Map<String, Object> object) {
        boolean isFixed = !(array.dataType() instanceof VariableLengthType);
        Long uncompressedBytes = isFixed ? array.metadata().byteSize() : null;
        try {
            StoredSize stored = array.storedSize();
            object.put("stored_bytes", stored.bytes());
            object.put("stored_files", stored.files());
            object.put("uncompressed_bytes", uncompressedBytes);
            object.put("ratio", isFixed ? stored.ratio() : null);
            object.put("warnings", ArrayText.warnings(array, stored));
        } catch (StoreException e) {
            object.put("stored_unknown", e.getMessage());
            object.put("uncompressed_bytes", uncompressedBytes);
        }
    }

    private Map<String, Object> describeMember(ZarrGroup group, String name, int depth) {
        try (ZarrNode node = group.open(name)) {
            return describe(node, depth);
        } catch (ZarrException e) {
            return Map.of("path", group.path() + "/" + name, "error", e.getMessage());
        }
    }
}
