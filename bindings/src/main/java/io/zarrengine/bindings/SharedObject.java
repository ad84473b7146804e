package io.zarrengine.bindings;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Finds the file that the dynamic loader chooses for a soname.
 *
 * <p>The generated bindings look symbols up in the libraries of their class loader, and only {@link
 * System#load} adds a library there, by its absolute path. The loader's own search ({@code
 * LD_LIBRARY_PATH}, its cache, the default folders) must choose that file; {@code dladdr} returns
 * it.
 */
final class SharedObject {
    private static final long PATH_BYTES_MAX = 4096; // PATH_MAX, linux/limits.h

    /** {@code Dl_info}, {@code dlfcn.h}. */
    static final StructLayout DL_INFO =
            MemoryLayout.structLayout(
                    ADDRESS.withName("dli_fname"),
                    ADDRESS.withName("dli_fbase"),
                    ADDRESS.withName("dli_sname"),
                    JAVA_LONG.withName("dli_saddr"));

    // int dladdr(const void *addr, Dl_info *info)
    private static final MethodHandle DLADDR = Downcalls.link("dladdr", Downcalls.SHAPE);

    private SharedObject() {}

    /**
     * Opens a library as dlopen(3) does, and closes it again unless {@code use} keeps it.
     *
     * @throws IllegalArgumentException if there is no such library
     */
    static Optional<Path> locate(String soname, String symbol) {
        try (Arena arena = Arena.ofConfined()) {
            return SymbolLookup.libraryLookup(soname, arena)
                    .find(symbol)
                    .map(address -> fileOf(address, arena));
        }
    }

    private static Path fileOf(MemorySegment address, Arena arena) {
        MemorySegment info = arena.allocate(DL_INFO);
        int found = dladdr(address, info);
        assert found != 0 : "a symbol just looked up belongs to a library";
        MemorySegment path = info.get(ADDRESS, 0);
        return Path.of(NativeHandle.string(path, PATH_BYTES_MAX)).toAbsolutePath();
    }

    private static int dladdr(MemorySegment address, MemorySegment info) {
        try {
            return (int) (long) DLADDR.invokeExact(address.address(), info, 0L, 0L, 0L, address);
        } catch (Throwable t) {
            throw Downcalls.unexpected("dladdr", t);
        }
    }
}
