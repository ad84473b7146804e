package io.zarrengine.zarr;

import io.zarrengine.bindings.HeapCalls;
import io.zarrengine.bindings.NativeAccess;
import io.zarrengine.bindings.NativeLibrary;
import io.zarrengine.bindings.machinecode.MachineCodeInflate;
import io.zarrengine.bindings.machinecode.MachineCodeLz4;
import io.zarrengine.bindings.machinecode.MachineCodeLz77;
import io.zarrengine.bindings.machinecode.MachineCodeRowCopy;
import io.zarrengine.bindings.machinecode.MachineCodeShuffle;
import io.zarrengine.bindings.machinecode.MachineCodeTransform;
import io.zarrengine.bindings.machinecode.MachineCodeZstd;
import io.zarrengine.uring.ReadBackend;
import io.zarrengine.zarr.codec.stream.StreamCodecs;
import io.zarrengine.zarr.pipeline.CodecSupport;
import java.util.List;
import java.util.Optional;

/**
 * An optional feature that makes reading faster, and whether this machine has it.
 *
 * @param name the feature, e.g. {@code "io_uring"}
 * @param available whether it is used
 * @param detail its version and features; or why it is missing, and the replacement
 */
public record Capability(String name, boolean available, String detail) {

    /** {@return the capabilities of this machine; detected once, then cached} */
    public static List<Capability> all() {
        return List.of(
                nativeAccess(),
                library(NativeLibrary.LIBURING),
                ioUring(),
                zstd(),
                lz4(),
                javaLibrary("commons-compress", StreamCodecs.hasBz2(), "bz2"),
                javaLibrary("xz", StreamCodecs.hasLzma(), "lzma"),
                unbound("zfpy", "libzfp"),
                unbound("pcodec", "pco"),
                vector(),
                machineCode(),
                heapTargets(),
                decoderCode("zstd", MachineCodeZstd.denial(), "libzstd, or aircompressor"),
                decoderCode("lz4", MachineCodeLz4.denial(), "liblz4, or Java"),
                decoderCode("deflate", MachineCodeInflate.denial(), "the JDK"),
                decoderCode("blosclz, snappy", MachineCodeLz77.denial(), "Java"),
                shuffleCode(),
                transformCode());
    }

    private static Capability nativeAccess() {
        Optional<String> denial = NativeAccess.denial();
        return new Capability(
                "native access",
                denial.isEmpty(),
                denial.map(why -> why + "; files are read by FileChannel, decoded in Java")
                        .orElse("granted"));
    }

    private static Capability library(NativeLibrary library) {
        return switch (library.status()) {
            case NativeLibrary.Status.Loaded loaded ->
                    new Capability(library.libraryName(), true, loaded.path().toString());
            case NativeLibrary.Status.Missing missing ->
                    new Capability(library.libraryName(), false, missing.reason());
        };
    }

    private static Capability ioUring() {
        boolean works = ReadBackend.unavailabilityCause(ReadBackend.Method.IO_URING).isEmpty();
        boolean preadv = ReadBackend.unavailabilityCause(ReadBackend.Method.PREADV).isEmpty();
        String instead = preadv ? "preadv" : "FileChannel";
        return new Capability(
                "io_uring",
                works,
                works
                        ? ReadBackend.uringFinding()
                        : ReadBackend.uringFinding() + "; " + instead + " on a pool is used");
    }

    private static Capability zstd() {
        Capability library = library(NativeLibrary.LIBZSTD);
        boolean isOurs = MachineCodeZstd.denial().isEmpty();
        String java =
                CodecSupport.hasJavaDecoders()
                        ? "aircompressor decodes in Java"
                        : "aircompressor-v3 is missing too: such chunks are refused";
        return decoder(library, CodecSupport.zstdVersion(), isOurs, java, "zstd");
    }

    private static Capability lz4() {
        Capability library = library(NativeLibrary.LIBLZ4);
        boolean isOurs = MachineCodeLz4.denial().isEmpty();
        return decoder(library, CodecSupport.lz4Version(), isOurs, "Java decodes", "lz4");
    }

    private static Capability decoder(
            Capability library,
            String version,
            boolean hasMachineCode,
            String otherwise,
            String codec) {
        if (library.available) {
            return new Capability(library.name, true, version + ", " + library.detail);
        }
        String instead = hasMachineCode ? "our machine code decodes" : otherwise;
        return new Capability(
                library.name,
                false,
                "%s; %s, writing %s is not possible".formatted(library.detail, instead, codec));
    }

    private static Capability heapTargets() {
        Optional<String> denial = HeapCalls.denial();
        return new Capability(
                "heap targets",
                denial.isEmpty(),
                denial.map(why -> why + "; Java writes them, more slowly")
                        .orElse("written by machine code where that is faster"));
    }

    private static Capability javaLibrary(String name, boolean isThere, String codec) {
        return new Capability(
                name,
                isThere,
                isThere
                        ? "decodes " + codec
                        : "not on the class path or module path; " + codec + " chunks are refused");
    }

    private static Capability unbound(String codec, String library) {
        return new Capability(
                codec,
                false,
                "needs "
                        + library
                        + ", which is not bound: such arrays are refused; of version 2, a"
                        + " CodecProvider may decode them");
    }

    private static Capability machineCode() {
        Optional<String> denial = MachineCodeRowCopy.denial();
        String mapped =
                MachineCodeRowCopy.exposure()
                        .map(why -> "; not of mapped files: " + why)
                        .orElse("");
        return new Capability(
                "machine code",
                denial.isEmpty(),
                denial.map(why ->
                                why
                                        + "; large targets are written through the caches, short rows"
                                        + " copied in Java")
                        .orElse(
                                "writes large targets around the caches, and copies short rows"
                                        + mapped));
    }

    private static Capability decoderCode(String format, Optional<String> denial, String others) {
        return new Capability(
                "machine code for " + format,
                denial.isEmpty(),
                denial.map(why -> why + "; decoded by " + others)
                        .orElse("decodes it; what it refuses goes to " + others));
    }

    private static Capability shuffleCode() {
        Optional<String> denial = MachineCodeShuffle.denial();
        return new Capability(
                "machine code for shuffle",
                denial.isEmpty(),
                denial.map(why -> why + "; bytes and bits are put together in Java")
                        .orElse("puts shuffled bytes and bits together"));
    }

    private static Capability transformCode() {
        Optional<String> denial = MachineCodeTransform.denial();
        return new Capability(
                "machine code for transforms",
                denial.isEmpty(),
                denial.map(why -> why + "; transforms are computed in Java")
                        .orElse("computes floats; means, logarithms and integers are Java's"));
    }

    private static Capability vector() {
        return new Capability("vector", CodecSupport.hasVectorUnit(), CodecSupport.vectorFinding());
    }
}
