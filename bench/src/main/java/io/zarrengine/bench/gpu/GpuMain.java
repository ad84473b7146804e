package io.zarrengine.bench.gpu;

import io.zarrengine.bench.report.Machine;
import io.zarrengine.cuda.CudaDevice;
import io.zarrengine.cuda.CudaRuntime;
import io.zarrengine.nvcomp.NvcompLibrary;
import io.zarrengine.uring.Caching;
import io.zarrengine.zarr.DeviceMetrics;
import io.zarrengine.zarr.Target;
import io.zarrengine.zarr.ZarrArray;
import io.zarrengine.zarr.ZarrEngine;
import io.zarrengine.zarr.ZarrEngineBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Measures how fast arrays of small inner chunks are read to a GPU, and how fast they could be.
 * Unit: GB/s of the elements that arrive. Limits, engine and peers take turns on the same files, in
 * one run.
 *
 * <p>Estimate: 16 workers read at 4 GB/s each and copy the bytes at 10 into the slots, so they hand
 * over 46 GB/s of encoded bytes; nvCOMP decodes 38 of them, so at a ratio of 1.7 a steady stream
 * runs at 60 GB/s. One read of 1 GB pays for the first slots and the last batch, about 3 ms of 20.
 *
 * <p>Arguments: {@code --folder=} for arrays, which stay there, {@code --report=} for results;
 * {@code --workers= --budget-mib= --planes= --rounds= --seconds=}; {@code --python= --peer=} of
 * TensorStore and CuPy; {@code --smoke}, an array so small that the run only finds bugs; names of
 * arrays.
 */
public final class GpuMain {
    private static final Set<GpuEncoding> ON_DRIVE =
            Collections.unmodifiableSet(EnumSet.of(GpuEncoding.ZSTD, GpuEncoding.NONE));

    private final GpuOptions options;

    private GpuMain(GpuOptions options) {
        this.options = options;
    }

    /** Runs everything; ends with status 1 and a line where there is no GPU. */
    public static void main(String[] arguments) throws IOException {
        Optional<String> cause = ZarrEngine.deviceUnavailabilityCause();
        if (cause.isPresent()) {
            IO.println("bench: needs a GPU: " + cause.get());
            System.exit(1);
        }
        GpuReport report = new GpuMain(parsed(arguments)).run();
        report.markdown().forEach(IO::println);
    }

    /** Parses the options; ends with status 2 and a line if they are invalid. */
    private static GpuOptions parsed(String... arguments) {
        try {
            return GpuOptions.parse(List.of(arguments));
        } catch (IllegalArgumentException e) {
            IO.println("bench: " + e.getMessage());
            System.exit(2);
            throw e;
        }
    }

    GpuReport run() throws IOException {
        Files.createDirectories(options.folder());
        Files.createDirectories(options.report());
        List<String> device = new ArrayList<>();
        Map<GpuEncoding, GpuLimits> limits = new EnumMap<>(GpuEncoding.class);
        for (GpuEncoding encoding : options.encodings()) {
            GpuArray array = new GpuArray(options.folder(), encoding, options.planes());
            array.make();
            limits.put(encoding, limits(array, device));
        }
        List<GpuResult> results = new ArrayList<>();
        GpuReport report = report(device, results);
        for (GpuEncoding encoding : options.encodings()) {
            results.add(result(encoding, limits.get(encoding)));
            report = report(device, results);
            Files.write(options.report().resolve("gpu.json"), report.json());
            Files.write(options.report().resolve("gpu.md"), report.markdown());
        }
        return report;
    }

    private GpuReport report(List<String> device, List<GpuResult> results) throws IOException {
        Machine machine = Machine.here(options.folder());
        return new GpuReport(LocalDate.now(ZoneOffset.UTC), machine, device, options, results);
    }

    /**
     * Measures the limits before the engine opens the device, because zstd is decoded in one stream
     * of a device at a time.
     */
    private GpuLimits limits(GpuArray array, List<String> about) throws IOException {
        try (CudaDevice device = CudaDevice.open(0)) {
            if (about.isEmpty()) {
                about.add(CudaRuntime.status() + ", " + NvcompLibrary.status());
                about.add(device.properties().toString());
            }
            return device.thread()
                    .call(() -> {
                        try (Pipeline pipeline = new Pipeline(device, array, options)) {
                            return pipeline.measure(options.limitPasses());
                        }
                    });
        }
    }

    private ZarrEngineBuilder engine(GpuEncoding encoding) {
        return ZarrEngine.builder()
                .workers(options.workers())
                .budgetBytes((long) options.budgetMib() << 20)
                .verifyChecksums(!encoding.holdsChecksums())
                .caching(Caching.BUFFERED);
    }

    private EngineRows rows(ZarrArray array, GpuArray files, GpuLimits limits) {
        int devices = ((CudaRuntime.Status.Usable) CudaRuntime.status()).devices();
        List<Target> targets = IntStream.range(0, devices).mapToObj(Target::cuda).toList();
        return new EngineRows(array, options, limits, files, targets);
    }

    /**
     * Returns no rows if the file system supports no direct reads, or for arrays whose rows would
     * be the same.
     */
    private List<GpuRow> aroundTheCache(
            GpuArray files, GpuEncoding encoding, GpuLimits limits, double ratio)
            throws IOException {
        if (!ON_DRIVE.contains(encoding)) {
            return List.of();
        }
        DriveReads opened;
        try {
            opened = DriveReads.open(files);
        } catch (IOException e) {
            IO.println(encoding.word() + ": nothing is read around the page cache: " + e);
            return List.of();
        }
        List<GpuRow> rows = new ArrayList<>();
        try (DriveReads drive = opened;
                DriveCopies copies = drive.openCopies()) {
            try (ZarrEngine engine = engine(encoding).caching(Caching.DIRECT).open();
                    ZarrArray array = engine.openArray(files.path())) {
                rows.add(
                        rows(array, files, limits)
                                .aroundTheCache("O_DIRECT", drive, copies, ratio));
            }
            if (encoding == GpuEncoding.NONE) {
                aroundTheHost(files, limits, drive, copies).ifPresent(rows::add);
            }
        }
        return rows;
    }

    /** Returns empty if GPUDirect Storage is missing or takes none of the files. */
    private Optional<GpuRow> aroundTheHost(
            GpuArray files, GpuLimits limits, DriveReads drive, DriveCopies copies)
            throws IOException {
        GpuEncoding encoding = GpuEncoding.NONE;
        ZarrEngine opened;
        try {
            opened = engine(encoding).io(ZarrEngine.Io.GDS).open();
        } catch (UnsupportedOperationException e) {
            IO.println(encoding.word() + ": " + e.getMessage());
            return Optional.empty();
        }
        try (ZarrEngine engine = opened;
                ZarrArray array = engine.openArray(files.path())) {
            GpuRow row = rows(array, files, limits).aroundTheCache("cuFile", drive, copies, 1);
            DeviceMetrics done = engine.deviceMetrics(0);
            boolean isAllDirect = done.bytesReadDirectly() > 0 && done.bytesCopied() == 0;
            IO.println(encoding.word() + ", cuFile: " + done);
            return Optional.of(row).filter(_ -> isAllDirect);
        }
    }

    /** Returns the peers' rates; none if no peer is measured. */
    private Map<String, Double> peers(GpuArray files) throws IOException {
        Map<String, Double> rates = new LinkedHashMap<>(CupyPeer.measure(options, files));
        if (options.python().isPresent()) {
            rates.putAll(PublishedResults.rates(files.encoding()));
        }
        return rates;
    }

    private GpuResult result(GpuEncoding encoding, GpuLimits limits) throws IOException {
        GpuArray files = new GpuArray(options.folder(), encoding, options.planes());
        try (ZarrEngine engine = engine(encoding).open();
                ZarrArray array = engine.openArray(files.path())) {
            EngineRows rows = rows(array, files, limits);
            double ratio =
                    (double) array.storedSize().uncompressedBytes() / array.storedSize().bytes();
            List<GpuRow> measured = new ArrayList<>(rows.measure());
            measured.addAll(aroundTheCache(files, encoding, limits, ratio));
            GpuResult result =
                    new GpuResult(
                            encoding,
                            ratio,
                            limits,
                            measured,
                            rows.hostMicrosPerChunk(),
                            rows.latency(),
                            DecoderAlone.measure(files),
                            rows.timeline(),
                            peers(files));
            IO.println(encoding.word() + ": " + engine.deviceMetrics(0));
            return result;
        }
    }
}
