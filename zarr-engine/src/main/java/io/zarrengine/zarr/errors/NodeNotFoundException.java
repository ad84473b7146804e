package io.zarrengine.zarr.errors;

/** A path contains neither an array nor a group. */
public final class NodeNotFoundException extends ZarrException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param path the path to open
     * @param problem the missing file or folder
     */
    public NodeNotFoundException(String path, String problem) {
        super(path + ": " + problem, null);
    }
}
