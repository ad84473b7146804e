package io.zarrengine.zarr.pipeline;

import io.zarrengine.zarr.extension.CodecProvider;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.ChunkGrid;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The pipelines of an array's chunks: one for all chunks if the grid is regular. Threads: any. */
public final class ArrayPipeline {
    /** Most chunk shapes that are cached. */
    private static final int SHAPES_MAX = 1024;

    private final String document;
    private final ArrayMetadata array;
    private final ChunkGrid grid;
    private final boolean regular;
    private final CodecOptions options;
    private final ChunkPipeline largest;
    private final Map<List<Long>, ChunkPipeline> byShape = new ConcurrentHashMap<>();

    /**
     * Parses the pipelines of an array.
     *
     * @param document the metadata document, for messages
     * @param array the array
     * @param providers know codecs that are not built in
     * @throws io.zarrengine.zarr.errors.FormatException if a codec is not known, or the chain is
     *     not valid
     */
    public ArrayPipeline(String document, ArrayMetadata array, List<CodecProvider> providers) {
        this(document, array, new CodecOptions(providers, false));
    }

    private ArrayPipeline(String document, ArrayMetadata array, CodecOptions options) {
        this.options = options;
        this.document = document;
        this.array = array;
        this.grid = array.chunkGrid();
        this.regular = grid.isRegular();
        this.largest = PipelineParser.parse(document, array, grid.largestChunkShape(), options);
    }

    /**
     * {@return the pipelines for writing chunks: fields that only encoders need must be valid}
     *
     * @param document the metadata document, for messages
     * @param array the array
     * @param providers know codecs that are not built in
     * @throws io.zarrengine.zarr.errors.FormatException if a codec is not known, or the chain is
     *     not valid
     */
    public static ArrayPipeline forWriting(
            String document, ArrayMetadata array, List<CodecProvider> providers) {
        return new ArrayPipeline(document, array, new CodecOptions(providers, true));
    }

    /**
     * Parses the pipelines of an array with built-in codecs.
     *
     * @param document the metadata document, for messages
     * @param array the array
     * @throws io.zarrengine.zarr.errors.FormatException if a codec is not known, or the chain is
     *     not valid
     */
    public ArrayPipeline(String document, ArrayMetadata array) {
        this(document, array, List.of());
    }

    /** {@return the pipeline of the largest chunk; of all chunks if the grid is regular} */
    public ChunkPipeline largest() {
        return largest;
    }

    /** {@return the part of the largest chunk that lies in the array, in its encoded dimensions} */
    public long[] largestPart() {
        long[] shape = array.shape();
        long[] chunk = grid.largestChunkShape();
        return largest.order().stream().mapToLong(d -> Math.min(shape[d], chunk[d])).toArray();
    }

    /**
     * {@return the pipeline of a chunk}
     *
     * @param coordinates of the chunk in the grid
     * @throws io.zarrengine.zarr.errors.FormatException if its shape does not fit the codecs
     */
    public ChunkPipeline of(long[] coordinates) {
        if (regular) {
            return largest;
        }
        long[] shape = grid.chunkShape(coordinates);
        List<Long> key = Arrays.stream(shape).boxed().toList();
        ChunkPipeline known = byShape.get(key);
        if (known != null) {
            return known;
        }
        if (byShape.size() >= SHAPES_MAX) {
            byShape.clear();
        }
        ChunkPipeline parsed = PipelineParser.parse(document, array, shape, options);
        byShape.put(key, parsed);
        return parsed;
    }
}
