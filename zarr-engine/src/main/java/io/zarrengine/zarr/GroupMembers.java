package io.zarrengine.zarr;

import io.zarrengine.zarr.errors.ZarrException;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The members directly below a group, sorted by name.
 *
 * @param arrays the arrays that could be opened
 * @param groups the groups that could be opened
 * @param failures the nodes that could not be opened, with the reason
 */
public record GroupMembers(
        SortedMap<String, ZarrArray> arrays,
        SortedMap<String, ZarrGroup> groups,
        SortedMap<String, ZarrException> failures)
        implements AutoCloseable {
    /** Copies the maps. */
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
