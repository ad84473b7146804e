package io.zarrengine.bindings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.PaddingLayout;
import java.lang.foreign.StructLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Compares the layout of every struct in Java with the C compiler of this machine.
 *
 * <p>{@code native-headers/layouts.c} prints the C layouts. A field on only one side fails the test
 * too.
 */
@NeedsNativeAccess
final class BindingLayoutTest {
    @TempDir Path folder;

    @Test
    void generatedLayoutsEqualThoseOfTheCompiler() throws Exception {
        List<String> expected = new ArrayList<>();
        List<String> actual = new ArrayList<>();
        String library = "";
        for (String line : printedByTheCompiler()) {
            String[] words = line.split(" ");
            if (words[0].equals("library")) {
                library = words[1];
            } else if (!library.equals("libc")) {
                expected.add(line);
                if (words[0].equals("struct")) {
                    describe(words[1], generated(library, words[1]), actual);
                }
            }
        }
        assertEquals(String.join("\n", expected), String.join("\n", actual));
    }

    @Test
    void everyGeneratedStructIsCompared() throws Exception {
        List<String> printed = printedByTheCompiler();
        long compared = printed.stream().filter(line -> line.startsWith("struct")).count();
        long ofLibc = 4;
        try (Stream<Path> files = Files.walk(generatedSources())) {
            long structs = files.filter(BindingLayoutTest::isStruct).count();
            assertEquals(structs, compared - ofLibc);
        }
    }

    @Test
    void handwrittenLayoutsEqualThoseOfTheCompiler() throws Exception {
        List<String> expected =
                printedByTheCompiler().stream()
                        .skip(1)
                        .takeWhile(line -> !line.startsWith("library"))
                        .toList();
        long nameBytes = SharedObject.DL_INFO.select(PathElement.groupElement(0)).byteSize();
        assertEquals(
                List.of(
                        "struct iovec " + IoVector.LAYOUT.byteSize(),
                        "field iovec iov_base 0 8",
                        "field iovec iov_len 8 8",
                        "struct statx " + FileStatus.STRUCT_BYTES,
                        "field statx stx_uid " + FileStatus.OWNER_OFFSET + " 4",
                        "field statx stx_mode " + FileStatus.MODE_OFFSET + " 2",
                        "field statx stx_ino " + FileStatus.INODE_OFFSET + " 8",
                        "field statx stx_size " + FileStatus.SIZE_OFFSET + " 8",
                        "field statx stx_ctime " + FileStatus.CHANGED_OFFSET + " 16",
                        "field statx stx_mtime " + FileStatus.MODIFIED_OFFSET + " 16",
                        "field statx stx_dev_major " + FileStatus.DEVICE_MAJOR_OFFSET + " 4",
                        "field statx stx_dev_minor " + FileStatus.DEVICE_MINOR_OFFSET + " 4",
                        "struct sigaction " + SignalAction.STRUCT_BYTES,
                        "field sigaction sa_sigaction " + SignalAction.HANDLER_OFFSET + " 8",
                        "field sigaction sa_flags " + SignalAction.FLAGS_OFFSET + " 4",
                        "field ucontext_t uc_mcontext.gregs[REG_RIP] 168 8", // rows/sigbus.s
                        "struct Dl_info " + SharedObject.DL_INFO.byteSize(),
                        "field Dl_info dli_fname 0 " + nameBytes),
                expected);
    }

    private static void describe(String name, StructLayout layout, List<String> lines) {
        lines.add("struct " + name + " " + layout.byteSize());
        for (MemoryLayout member : layout.memberLayouts()) {
            if (!(member instanceof PaddingLayout)) {
                String field = member.name().orElseThrow();
                long offset = layout.byteOffset(PathElement.groupElement(field));
                lines.add("field " + name + " " + field + " " + offset + " " + member.byteSize());
            }
        }
    }

    private static StructLayout generated(String library, String struct)
            throws ReflectiveOperationException {
        Class<?> type = Class.forName("io.zarrengine.bindings." + library + "." + struct);
        return (StructLayout) type.getMethod("layout").invoke(null);
    }

    private List<String> printedByTheCompiler() throws Exception {
        Path source = ProjectFiles.find("native-headers/layouts.c");
        Path program = folder.resolve("layouts");
        assumeTrue(isOnThePath("gcc"), "gcc is not installed");
        run("gcc", "-o", program.toString(), source.toString());
        return run(program.toString());
    }

    private static List<String> run(String... command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), output);
        return output.lines().toList();
    }

    private static boolean isOnThePath(String program) {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(entry -> Files.isExecutable(Path.of(entry, program)));
    }

    private static Path generatedSources() {
        return ProjectFiles.find("bindings/src/generated/java");
    }

    /** Returns whether a generated file declares a struct, which has a layout(). */
    private static boolean isStruct(Path file) {
        try {
            return Files.isRegularFile(file)
                    && Files.readString(file).contains("GroupLayout layout()");
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
