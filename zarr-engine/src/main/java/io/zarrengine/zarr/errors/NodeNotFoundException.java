package io.zarrengine.zarr.errors;

/** There is no array and no group at a path. */
public final class NodeNotFoundException extends ZarrException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param path what was opened
     * @param problem what is missing there
     */
    public NodeNotFoundException(String path, String problem) {
        super(path + ": " + problem, null);
    }
}
