package io.zarrengine.zarr.errors;

/** No array or group exists at a path. */
public final class NodeNotFoundException extends ZarrException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param path the path that was to be opened
     * @param problem the missing files
     */
    public NodeNotFoundException(String path, String problem) {
        super(path + ": " + problem, null);
    }
}
