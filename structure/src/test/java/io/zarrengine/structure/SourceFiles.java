package io.zarrengine.structure;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreeScanner;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * The Java files below {@code src/main/java} of all modules, as the compiler parses them. A file
 * needs what its code names: constants and permitted subclasses too, but not types that only its
 * comments name.
 *
 * @param needs the files that each file needs; a file's name is that of its type, with the package
 */
record SourceFiles(Map<String, Set<String>> needs) {
    /** {@return the files of a project} */
    static SourceFiles of(Path project) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<CompilationUnitTree> units = new ArrayList<>();
        try (StandardJavaFileManager files =
                compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            var sources = files.getJavaFileObjectsFromPaths(paths(project));
            var task = (JavacTask) compiler.getTask(null, files, null, null, null, sources);
            task.parse().forEach(units::add);
        }
        Map<String, Set<String>> needs = new TreeMap<>();
        for (CompilationUnitTree unit : units) {
            Names names = new Names(unit.getPackageName().toString());
            names.scan(unit, null);
            needs.put(name(unit), names.found);
        }
        needs.forEach((file, needed) -> {
            needed.retainAll(needs.keySet());
            needed.remove(file);
        });
        return new SourceFiles(needs);
    }

    private static List<Path> paths(Path project) throws IOException {
        List<Path> paths = new ArrayList<>();
        try (Stream<Path> modules = Files.list(project)) {
            for (Path module : modules.sorted().toList()) {
                Path sources = module.resolve("src/main/java");
                if (Files.isDirectory(sources)) {
                    try (Stream<Path> files = Files.walk(sources)) {
                        files.filter(SourceFiles::holdsType).sorted().forEach(paths::add);
                    }
                }
            }
        }
        return paths;
    }

    private static boolean holdsType(Path file) {
        String name = file.getFileName().toString();
        return name.endsWith(".java") && !name.endsWith("-info.java");
    }

    private static String name(CompilationUnitTree unit) {
        String file = Path.of(unit.getSourceFile().getName()).getFileName().toString();
        return unit.getPackageName() + "." + file.substring(0, file.length() - ".java".length());
    }

    /** {@return the name of the package} */
    static String packageOf(String file) {
        return file.substring(0, file.lastIndexOf('.'));
    }

    /** {@return the name without the package} */
    static String typeOf(String file) {
        return file.substring(file.lastIndexOf('.') + 1);
    }

    /** Collects the types that a file names: by their simple name if they are in its package. */
    private static final class Names extends TreeScanner<Void, Void> {
        private final String packageName;
        private final Set<String> found = new TreeSet<>();

        Names(String packageName) {
            this.packageName = packageName;
        }

        @Override
        public Void visitIdentifier(IdentifierTree node, Void unused) {
            found.add(packageName + "." + node.getName());
            return null;
        }

        /** Visits names in imports and in code. */
        @Override
        public Void visitMemberSelect(MemberSelectTree node, Void unused) {
            if (node.getExpression() instanceof MemberSelectTree) {
                found.add(node.toString());
            }
            return super.visitMemberSelect(node, null);
        }
    }
}
