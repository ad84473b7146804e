package io.zarrengine.zarr.pipeline;

import io.zarrengine.zarr.datatype.DataType;
import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.filter.ArrayFilter;
import io.zarrengine.zarr.filter.ArrayFilterRegistry;
import io.zarrengine.zarr.filter.BlockArrays;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Encodes and decodes a fill value by the filters of a chain. A missing inner chunk of a shard has
 * the fill value as encoded by the filters before the shard, not the array's.
 */
final class FillChain {
    private final List<ArrayFilter> filters = new ArrayList<>(); // each for one element
    private final List<DataType> types = new ArrayList<>(); // of each filter's decoded element
    private final BlockArrays arrays = new BlockArrays();
    private MemorySegment stored;
    private boolean isStorable = true;

    /**
     * Begins a chain.
     *
     * @param fill one element, in native byte order
     */
    FillChain(MemorySegment fill) {
        this.stored = fill;
    }

    /**
     * Adds a filter.
     *
     * @param step the filter's effect on a single element
     * @param type of its input when it encodes
     */
    void add(ArrayFilterRegistry.Step step, DataType type) {
        step.filter()
                .ifPresent(filter -> {
                    filters.add(filter);
                    types.add(type);
                });
        step.fill().ifPresent(encoder -> stored = encoded(encoder, step.stored(), stored));
    }

    private MemorySegment encoded(ArrayFilter encoder, DataType stored, MemorySegment element) {
        MemorySegment result = newElement(stored);
        try {
            encoder.decode(element, result, arrays);
        } catch (CodecException e) {
            isStorable = false;
        }
        return result;
    }

    private static MemorySegment newElement(DataType type) {
        return MemorySegment.ofArray(new byte[type.byteSize()]);
    }

    /** {@return the fill value as the last filter stores it} */
    MemorySegment stored() {
        return stored.asReadOnly();
    }

    /**
     * {@return the fill value as a read decodes it; empty if no filter changes elements, or a
     * filter cannot encode the fill value}
     */
    Optional<MemorySegment> decoded() {
        if (filters.isEmpty() || !isStorable) {
            return Optional.empty();
        }
        MemorySegment element = stored;
        for (int i = filters.size() - 1; i >= 0; i--) {
            MemorySegment decoded = newElement(types.get(i));
            try {
                filters.get(i).decode(element, decoded, arrays);
            } catch (CodecException e) { // A chunk with this value would fail too.
                return Optional.empty();
            }
            element = decoded;
        }
        return Optional.of(element.asReadOnly());
    }
}
