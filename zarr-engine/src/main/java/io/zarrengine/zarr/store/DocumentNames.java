package io.zarrengine.zarr.store;

/** The file names of metadata documents. */
final class DocumentNames {
    static final String V3 = "zarr.json";
    static final String V2_ARRAY = ".zarray";
    static final String V2_GROUP = ".zgroup";
    static final String V2_ATTRIBUTES = ".zattrs";
    static final String V2_CONSOLIDATED = ".zmetadata";

    private DocumentNames() {}
}
