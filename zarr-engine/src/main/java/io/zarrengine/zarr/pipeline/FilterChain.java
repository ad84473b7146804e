package io.zarrengine.zarr.pipeline;

import io.zarrengine.zarr.codec.Workspace;
import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.filter.ArrayFilter;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Undoes the filters of a chain, in memory of a {@link Workspace}. */
public final class FilterChain {
    private FilterChain() {}

    /**
     * Decodes the elements of a chunk.
     *
     * @param filters in the order of encoding
     * @param stored the output of the last filter
     * @param decodedBytes the size of the elements
     * @param workspace of the calling thread
     * @return the elements in native byte order, valid until the workspace is used again
     * @throws CodecException if they are not valid
     */
    public static MemorySegment decode(
            List<ArrayFilter> filters, MemorySegment stored, long decodedBytes, Workspace workspace)
            throws CodecException {
        if (filters.isEmpty()) {
            return stored;
        }
        if (stored.byteSize() != filters.getLast().encodedBytes()) {
            throw new CodecException(
                    filters.getLast().name(),
                    "gets "
                            + stored.byteSize()
                            + " bytes, expected "
                            + filters.getLast().encodedBytes());
        }
        MemorySegment from = stored;
        for (int i = filters.size() - 1; i >= 0; i--) {
            long bytes = i == 0 ? decodedBytes : filters.get(i - 1).encodedBytes();
            MemorySegment to = workspace.filtered(i % 2, bytes);
            filters.get(i).decode(from, to, workspace.blockArrays());
            from = to;
        }
        return from;
    }
}
