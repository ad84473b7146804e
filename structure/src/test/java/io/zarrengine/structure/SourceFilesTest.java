package io.zarrengine.structure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Catches a way of naming another file that is not found, or a comment that counts. */
final class SourceFilesTest {
    @TempDir private Path project;

    private void write(String module, String file, String code) throws IOException {
        Path path = project.resolve(module).resolve("src/main/java").resolve(file + ".java");
        Files.createDirectories(path.getParent());
        String name = file.substring(0, file.lastIndexOf('/')).replace('/', '.');
        Files.writeString(path, "package " + name + ";\n" + code);
    }

    @Test
    void findsWhatTheCodeOfAFileNames() throws IOException {
        write("one", "p/a/Base", "public sealed class Base permits Sub {}");
        write("one", "p/a/Sub", "final class Sub extends Base { int i = Limits.MAX; }");
        write(
                "one",
                "p/a/Limits",
                "/** {@link Sub}. */ class Limits { static final int MAX = 1; }");
        write("one", "p/a/Alone", "class Alone { String text = \"Sub\"; } // Sub");
        write("two", "p/b/User", "import p.a.Base; class User { Base base; }");
        write("two", "p/b/Other", "class Other { Object o = p.a.Base.class; Alone alone; }");
        Map<String, Set<String>> needs = SourceFiles.of(project).needs();
        assertEquals(
                Map.of(
                        "p.a.Alone", Set.of(),
                        "p.a.Base", Set.of("p.a.Sub"),
                        "p.a.Limits", Set.of(),
                        "p.a.Sub", Set.of("p.a.Base", "p.a.Limits"),
                        "p.b.Other", Set.of("p.a.Base"),
                        "p.b.User", Set.of("p.a.Base")),
                needs);
        assertEquals(List.of(Set.of("p.a.Base", "p.a.Sub")), Cycles.of(needs));
    }
}
