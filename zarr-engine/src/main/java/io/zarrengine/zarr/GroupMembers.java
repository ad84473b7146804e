package io.zarrengine.zarr;

import io.zarrengine.zarr.errors.ZarrException;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What lies directly below a group, by name, sorted.
 *
 * @param arrays that could be opened
 * @param groups that could be opened
 * @param failures of the nodes that could not: why not
 */
public record GroupMembers(
        SortedMap<String, ZarrArray> arrays,
        SortedMap<String, ZarrGroup> groups,
        SortedMap<String, ZarrException> failures)
        implements AutoCloseable {
    /** Takes the maps over. */
    public GroupMembers {
        arrays = Collections.unmodifiableSortedMap(new TreeMap<>(arrays));
        groups = Collections.unmodifiableSortedMap(new TreeMap<>(groups));
        failures = Collections.unmodifiableSortedMap(new TreeMap<>(failures));
    }

    /** Closes the arrays. */
    @Override
    public void close() {
        arrays.values().forEach(ZarrArray::close);
    }
}
