package io.zarrengine.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.zarrengine.zarr.HostTensor;
import io.zarrengine.zarr.VariableLengthTensor;
import io.zarrengine.zarr.ZarrArray;
import io.zarrengine.zarr.ZarrEngine;
import io.zarrengine.zarr.datatype.VariableLengthType;
import io.zarrengine.zarr.objectstore.RequestMetrics;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code zarr-engine read}: reads one selection to a file, or many from a list of requests. */
@Command(
        name = "read",
        description = "Reads a part of an array to a file, or many parts from a list of requests.",
        mixinStandardHelpOptions = true)
final class ReadCommand implements Callable<Integer> {
    private static final String STANDARD_OUTPUT = "-";
    private static final String STANDARD_INPUT = "-";

    @Spec private CommandSpec spec;
    @Mixin private EngineOptions engineOptions;
    @Mixin private TargetOption device;

    @Parameters(
            arity = "0..1",
            paramLabel = "PATH",
            description = "The array's folder, a path into a zip file, or a URL.")
    private NodeLocation path;

    @Option(
            names = "--slice",
            paramLabel = "S",
            defaultValue = "...",
            description =
                    "start:stop:step, an index or a list of indexes such as [0,5,-1] for each"
                            + " dimension, separated by commas; ... for the rest."
                            + " Default: everything.")
    private String slice;

    @Option(
            names = "--output",
            paramLabel = "F",
            description =
                    "F.npy, F.raw (the elements alone), or - for .npy to standard output; of"
                            + " strings and other elements of variable length, F.json, or - for"
                            + " a JSON list to standard output.")
    private String output;

    @Option(
            names = "--requests",
            paramLabel = "FILE",
            description =
                    "One JSON object a line: {\"path\": ARRAY, \"slice\": S, \"output\": F}."
                            + " Answers one JSON object a line, in order. - for standard input.")
    private Path requests;

    @Override
    public Integer call() throws IOException {
        boolean single = path != null && output != null && requests == null;
        boolean list = path == null && output == null && requests != null;
        if (!single && !list) {
            throw new ParameterException(
                    spec.commandLine(), "Give PATH and --output, or --requests alone.");
        }
        try (ZarrEngine engine = engineOptions.open(device.target() != null)) {
            if (list) {
                return answerAll(engine) ? 0 : 1;
            }
            // Standard output may be the terminal, too.
            boolean isQuiet = output.equals(STANDARD_OUTPUT);
            try (Progress _ = Progress.of(engine, isQuiet ? null : spec.commandLine().getErr())) {
                read(engine, path, slice, output);
            }
            return 0;
        }
    }

    private void read(ZarrEngine engine, NodeLocation array, String slice, String output)
            throws IOException {
        try (ZarrArray opened = array.openArray(engine)) {
            if (opened.dataType() instanceof VariableLengthType) {
                readVariableLength(opened, slice, output);
            } else {
                readFixedSize(opened, slice, output);
            }
        }
    }

    private void readFixedSize(ZarrArray array, String slice, String output) throws IOException {
        boolean toFile = !output.equals(STANDARD_OUTPUT);
        if (toFile) {
            ResultFile.check(Path.of(output), ResultFile.NPY, ResultFile.RAW);
        }
        try (HostTensor tensor = device.read(array, Main.selection(slice))) {
            if (toFile) {
                ResultFile.write(Path.of(output), tensor);
            } else {
                print(out -> NpyWriter.write(tensor, out));
            }
        }
    }

    private static void readVariableLength(ZarrArray array, String slice, String output)
            throws IOException {
        boolean toFile = !output.equals(STANDARD_OUTPUT);
        if (toFile) {
            refuseFixedSizeFormat(array, output);
            ResultFile.check(Path.of(output), ResultFile.JSON);
        }
        try (VariableLengthTensor tensor = array.readVariableLength(Main.selection(slice))) {
            if (toFile) {
                ResultFile.replace(Path.of(output), out -> JsonList.write(tensor, out));
            } else {
                print(out -> JsonList.write(tensor, out));
            }
        }
    }

    private static void refuseFixedSizeFormat(ZarrArray array, String output) {
        if (output.endsWith(ResultFile.NPY) || output.endsWith(ResultFile.RAW)) {
            throw new IllegalArgumentException(
                    array.path()
                            + ": its elements ("
                            + array.dataType().typeName()
                            + ") have a variable length, which "
                            + output
                            + " cannot hold: name an output that ends in "
                            + ResultFile.JSON);
        }
    }

    /** Prints a result. A print stream reports no errors, so it is checked for them. */
    private static void print(ResultFile.Content content) throws IOException {
        PrintStream out = System.out; // Allowed: the result goes to standard output
        content.writeTo(out);
        if (out.checkError()) {
            throw new IOException("the standard output cannot be written");
        }
    }

    /** Returns whether all requests were served. A failed request does not stop the others. */
    private boolean answerAll(ZarrEngine engine) throws IOException {
        boolean allServed = true;
        PrintWriter out = spec.commandLine().getOut();
        try (BufferedReader lines = readerOf(requests)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (!line.isBlank()) {
                    RequestMetrics before = engine.metrics().stores();
                    String problem = answer(engine, line);
                    RequestMetrics done = engine.metrics().stores().since(before);
                    out.println(CommandJson.answer(problem, RequestReport.numbers(done)));
                    out.flush();
                    allServed &= problem == null;
                }
            }
        }
        return allServed;
    }

    /**
     * Opens the list of requests. Invalid UTF-8 becomes a replacement character, so it affects only
     * its own line.
     */
    private static BufferedReader readerOf(Path file) throws IOException {
        boolean isStandard = file.toString().equals(STANDARD_INPUT);
        InputStream lines = isStandard ? System.in : Files.newInputStream(file);
        return new BufferedReader(new InputStreamReader(lines, UTF_8));
    }

    /** Returns the problem, or null. */
    private String answer(ZarrEngine engine, String line) {
        try {
            ReadRequestLine request = ReadRequestLine.parse(line);
            if (request.output().equals(STANDARD_OUTPUT)) {
                throw new IllegalArgumentException(
                        "the answers go to standard output: name a file");
            }
            read(engine, NodeLocation.parse(request.path()), request.slice(), request.output());
            return null;
        } catch (IOException | RuntimeException e) {
            // One bad request must not stop the others.
            return Main.message(e);
        }
    }
}
