package io.zarrengine.zarr.store;

import java.util.Set;

/** The file names of metadata documents. */
final class DocumentNames {
    static final String V3 = "zarr.json";
    static final String V2_ARRAY = ".zarray";
    static final String V2_GROUP = ".zgroup";
    static final String V2_ATTRIBUTES = ".zattrs";
    static final String V2_CONSOLIDATED = ".zmetadata";

    private static final Set<String> ALL =
            Set.of(V3, V2_ARRAY, V2_GROUP, V2_ATTRIBUTES, V2_CONSOLIDATED);

    private DocumentNames() {}

    /**
     * {@return whether a file is a metadata document, by its name}
     *
     * @param file its name or path with slashes
     */
    static boolean contain(String file) {
        return ALL.contains(file.substring(file.lastIndexOf('/') + 1));
    }
}
