package io.zarrengine.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.zarrengine.zarr.datatype.DataTypes;
import io.zarrengine.zarr.errors.FormatException;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.ConsolidatedMetadata;
import io.zarrengine.zarr.metadata.Document;
import io.zarrengine.zarr.metadata.MetadataReader;
import io.zarrengine.zarr.metadata.MetadataV2Reader;
import io.zarrengine.zarr.metadata.NodeMetadata;
import io.zarrengine.zarr.pipeline.ArrayPipeline;
import java.util.Optional;

/**
 * Targets for documents. Input: the text. They may refuse one only with a {@link FormatException}.
 */
final class MetadataTargets {
    private static final String DOCUMENT = "fuzz";

    private MetadataTargets() {}

    static void version3(byte[] input) {
        refusing(() -> open(MetadataReader.read(DOCUMENT, input, DataTypes.builtIn())));
    }

    static void version2(byte[] input) {
        Document document = new Document(DOCUMENT, input);
        refusing(() -> open(MetadataV2Reader.readArray(document, Optional.empty())));
        refusing(() -> MetadataV2Reader.readGroup(document, Optional.empty()).attributesProblem());
        Document group = new Document(DOCUMENT, "{\"zarr_format\": 2}".getBytes(UTF_8));
        refusing(() -> MetadataV2Reader.readGroup(group, Optional.of(document)).attributes());
    }

    static void consolidatedVersion3(byte[] input) {
        refusing(() ->
                ConsolidatedMetadata.ofZarrJson(DOCUMENT, input, DataTypes.builtIn())
                        .ifPresent(MetadataTargets::openAll));
    }

    static void consolidatedVersion2(byte[] input) {
        refusing(() ->
                openAll(ConsolidatedMetadata.ofZmetadata(DOCUMENT, input, DataTypes.builtIn())));
    }

    private static void openAll(ConsolidatedMetadata metadata) {
        for (String name : metadata.names()) {
            refusing(() -> metadata.node(name).ifPresent(MetadataTargets::open));
        }
    }

    private static void open(NodeMetadata node) {
        if (node instanceof ArrayMetadata array) {
            ArrayPipeline pipelines = new ArrayPipeline(DOCUMENT, array);
            if (pipelines.largest().encodedBytesMax() < 0
                    || pipelines.largest().workspaceBytes(0) < 0) {
                throw new IllegalStateException("a size overflows");
            }
        }
    }

    private static void refusing(Runnable parse) {
        try {
            parse.run();
        } catch (FormatException e) {
            if (e.getMessage().isBlank()) {
                throw new IllegalStateException("refused without a reason", e);
            }
        }
    }
}
