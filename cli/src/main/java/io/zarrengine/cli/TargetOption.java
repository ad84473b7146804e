package io.zarrengine.cli;

import io.zarrengine.zarr.DeviceTensor;
import io.zarrengine.zarr.HostTensor;
import io.zarrengine.zarr.Selection;
import io.zarrengine.zarr.Target;
import io.zarrengine.zarr.ZarrArray;
import java.util.concurrent.CompletionException;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The option of subcommands that can read to a GPU. */
final class TargetOption {
    @Option(
            names = "--device",
            paramLabel = "cuda:N",
            description =
                    "Read to the memory of a GPU; doctor says whether one can be used. Elements of"
                            + " variable length go to the host all the same. Default: to the host.")
    private Target target;

    /** {@return the GPU; null for the host} */
    Target target() {
        return target;
    }

    /** {@return the GPU with the given name} */
    static Target parse(String word) {
        if (!word.matches("cuda:\\d{1,9}")) {
            throw new TypeConversionException("'" + word + "' is no GPU: the first is cuda:0");
        }
        return Target.cuda(Integer.parseInt(word.substring("cuda:".length())));
    }

    /** {@return the elements on the host, read by way of the GPU if one is set} */
    HostTensor read(ZarrArray array, Selection selection) {
        if (target == null) {
            return array.read(selection);
        }
        try (DeviceTensor tensor = read(array, selection, target)) {
            return tensor.toHost();
        }
    }

    /** Reads to a GPU and waits for it. */
    static DeviceTensor read(ZarrArray array, Selection selection, Target target) {
        try {
            return array.readAsync(selection, target).join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw e;
        }
    }
}
