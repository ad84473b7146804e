package io.zarrengine.bindings;

import java.lang.foreign.SymbolLookup;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The native libraries, all optional. Each is available, or there is a reason why not.
 *
 * <p>A library is searched on first use, and the result is cached. No method throws for a missing
 * library. The search, in order:
 *
 * <ol>
 *   <li>{@code -Dio.zarrengine.<name>=off} hides it;
 *   <li>{@code -Dio.zarrengine.<name>.path=FILE} selects a file, and nothing else is tried;
 *   <li>the sonames below, as dlopen(3) finds them.
 * </ol>
 *
 * <p>The generated package of a library may be used only after {@link #isAvailable()} returned
 * true, and a function that not every release has only after {@link #has}.
 */
public final class NativeLibrary {
    /** io_uring, 2.3 and later. */
    public static final NativeLibrary LIBURING =
            new NativeLibrary(
                    "liburing",
                    "io_uring_setup",
                    "2.3 or later, Debian: liburing2",
                    "liburing.so.2");

    /** Zstandard, 1.4 and later. */
    public static final NativeLibrary LIBZSTD =
            new NativeLibrary(
                    "libzstd", "ZSTD_compress2", "1.4 or later, Debian: libzstd1", "libzstd.so.1");

    /** LZ4, 1.9 and later. */
    public static final NativeLibrary LIBLZ4 =
            new NativeLibrary(
                    "liblz4",
                    "LZ4_decompress_safe",
                    "1.9 or later, Debian: liblz4-1",
                    "liblz4.so.1");

    /** The CUDA runtime, 13. */
    public static final NativeLibrary CUDART =
            new NativeLibrary(
                    "cudart",
                    "cudaLibraryLoadData",
                    "13.x, from the CUDA toolkit",
                    "libcudart.so.13",
                    "/usr/local/cuda-13/lib64/libcudart.so.13",
                    "/usr/local/cuda/lib64/libcudart.so.13");

    /** cuFile, NVIDIA's GPUDirect Storage. */
    public static final NativeLibrary CUFILE =
            new NativeLibrary(
                    "cufile",
                    "cuFileSetParameterBool",
                    "of CUDA 13, NVIDIA's nvidia-cufile",
                    "libcufile.so.0",
                    "/usr/local/cuda-13/lib64/libcufile.so.0",
                    "/usr/local/cuda/lib64/libcufile.so.0");

    /** nvCOMP, 5.0 to 6.x; its users check the version. */
    public static final NativeLibrary NVCOMP =
            new NativeLibrary(
                    "nvcomp",
                    "nvcompGetProperties",
                    "5.0 to 6.x, NVIDIA's nvidia-libnvcomp-cu13",
                    "libnvcomp.so.6",
                    "libnvcomp.so.5",
                    "libnvcomp.so");

    /** The result of the search. */
    public sealed interface Status {
        /**
         * The library may be called.
         *
         * @param path of the file
         */
        record Loaded(Path path) implements Status {}

        /**
         * The library may not be called.
         *
         * @param reason and remedy, on one line
         */
        record Missing(String reason) implements Status {}
    }

    private static final List<NativeLibrary> ALL =
            List.of(LIBURING, LIBZSTD, LIBLZ4, CUDART, CUFILE, NVCOMP);

    private final LibrarySearch search;
    private Status status; // guarded by this

    private NativeLibrary(String libraryName, String symbol, String supply, String... sonames) {
        this.search = new LibrarySearch(libraryName, symbol, supply, List.of(sonames));
    }

    /** {@return every library, in the order above} */
    public static List<NativeLibrary> all() {
        return ALL;
    }

    /** {@return the name in properties and reports, e.g. {@code "liburing"}} */
    public String libraryName() {
        return search.libraryName();
    }

    /** {@return the file, or the reason why there is none} */
    public synchronized Status status() {
        if (status == null) {
            status = search.run();
        }
        return status;
    }

    /** {@return whether the library's generated bindings may be used} */
    public boolean isAvailable() {
        return status() instanceof Status.Loaded;
    }

    /** {@return the reason why the library may not be used; empty if it may} */
    public Optional<String> unavailabilityCause() {
        return status() instanceof Status.Missing missing
                ? Optional.of(missing.reason())
                : Optional.empty();
    }

    /**
     * {@return whether the library exports a function; also false if the library is missing}
     *
     * @param function its C name
     */
    public boolean has(String function) {
        return isAvailable() && SymbolLookup.loaderLookup().find(function).isPresent();
    }
}
