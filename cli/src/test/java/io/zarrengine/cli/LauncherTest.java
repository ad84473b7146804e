package io.zarrengine.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the launchers up to the start of Java: bin/launch.sh with a script in Java's place. */
final class LauncherTest {
    @TempDir private Path folder;

    /** Runs the launcher with only these environment variables; returns Java's arguments. */
    private List<String> launch(Map<String, String> environment) throws Exception {
        Process process = start(environment);
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertEquals(0, process.waitFor(), output);
        return List.of(output.strip().split(" "));
    }

    private Process start(Map<String, String> environment) throws IOException {
        String call = "launch \"" + java() + "\" \"" + folder.resolve("jars") + "\" info";
        return bash(environment, "launch.sh", call);
    }

    /** Starts bash, which sources a script of {@code bin/} and runs a command. */
    private static Process bash(Map<String, String> environment, String name, String command)
            throws IOException {
        Path root = Path.of(System.getProperty("io.zarrengine.project", "..")).toAbsolutePath();
        Path script = root.resolve("bin").resolve(name);
        assumeTrue(Files.exists(script) && Files.exists(Path.of("/bin/bash")), "no launcher");
        ProcessBuilder builder =
                new ProcessBuilder(
                        "/bin/bash",
                        "-c",
                        "set -euo pipefail; source \"$0\"; " + command,
                        script.toString());
        builder.environment().clear();
        builder.environment().put("PATH", "/usr/bin:/bin");
        builder.environment().putAll(environment);
        return builder.redirectErrorStream(true).start();
    }

    /** Creates the script; it prints its arguments and the locale. */
    private Path java() throws IOException {
        Path java = folder.resolve("java");
        Files.writeString(java, "#!/bin/sh\necho \"locale=$LC_ALL\" \"$@\"\n");
        Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwx------"));
        return java;
    }

    /** Java opens files with non-ASCII names only in a UTF-8 locale. */
    @Test
    void theLocaleIsOneOfUtf8() throws Exception {
        assertEquals("locale=C.UTF-8", launch(Map.of()).getFirst());
        assertEquals("locale=C.UTF-8", launch(Map.of("LC_ALL", "C")).getFirst());
        assertEquals("locale=", launch(Map.of("LANG", "C.UTF-8")).getFirst());
    }

    /** A service, a cron job or a container may have no HOME. */
    @Test
    void startsWithoutAnyEnvironment() throws Exception {
        assertEquals("info", launch(Map.of()).getLast());
    }

    @Test
    void scriptsAndTheCommandShareOneCacheFolder() throws Exception {
        String home = folder.resolve("home").toString();
        String cache = folder.resolve("cache").toString();
        for (Map<String, String> environment :
                List.of(
                        Map.of("HOME", home),
                        Map.of("HOME", home, "XDG_CACHE_HOME", cache),
                        Map.of("HOME", home, "XDG_CACHE_HOME", ""),
                        Map.of("HOME", home, "XDG_CACHE_HOME", "not/absolute"))) {
            Process process = bash(environment, "paths.sh", "find_cache; echo \"$cache\"");
            String found = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
            assertEquals(CacheFolder.path(environment, "/nowhere"), Path.of(found));
        }
    }

    @Test
    void startsWithTheCacheBesideTheJars() throws Exception {
        Path jars = Files.createDirectories(folder.resolve("jars"));
        Files.createFile(jars.resolve("a.jar"));
        assertFalse(launch(Map.of()).toString().contains("AOT"));
        Path cache = Files.createFile(jars.resolve("start.aot"));
        assertFalse(launch(Map.of()).toString().contains("AOT")); // Java failed to write it
        Files.writeString(cache, "a cache");
        List<String> words = launch(Map.of());
        String option = "-XX:AOTCache=" + cache;
        assertTrue(words.contains(option), words::toString);
        Files.writeString(jars.resolve("start.folder"), jars + "\n");
        assertTrue(launch(Map.of()).contains(option));
        Files.writeString(jars.resolve("start.folder"), "/elsewhere\n"); // Java would die of it
        assertFalse(launch(Map.of()).contains(option));
    }

    /** Java takes an empty element as the current folder, with any classes in it. */
    @Test
    void theClassPathIsMadeOfTheJarsAlone() throws Exception {
        Path jars = Files.createDirectories(folder.resolve("jars"));
        Files.createFile(jars.resolve("a.jar"));
        Files.createFile(jars.resolve("b.jar"));
        List<String> words = launch(Map.of());
        String expected = jars.resolve("a.jar") + ":" + jars.resolve("b.jar");
        assertEquals(expected, words.get(words.indexOf("-cp") + 1));
    }

    /** Happens to root with another user's HOME. */
    @Test
    void aCacheFolderOfAnotherUserIsRefused() throws IOException {
        Path cache = Files.createDirectories(folder.resolve("cache"));
        CacheFolder.checkOwner(cache.resolve("zarr-engine"));
        assumeTrue(System.getProperty("user.name").equals("root"), "only root can give it away");
        Files.setAttribute(cache, "unix:uid", 12345);
        assertThrows(IOException.class, () -> CacheFolder.checkOwner(cache.resolve("zarr-engine")));
    }

    @Test
    void withoutVariablesTheUserDatabaseSaysWhereTheCacheIs() throws IOException {
        Path expected = Path.of("/home/someone/.cache/zarr-engine");
        assertEquals(expected, CacheFolder.path(Map.of(), "/home/someone"));
        assertEquals(expected, CacheFolder.path(Map.of("HOME", ""), "/home/someone"));
        assertThrows(IOException.class, () -> CacheFolder.path(Map.of(), "?"));
    }
}
