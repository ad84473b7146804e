package io.zarrengine.zarr.errors;

/** Something about an array, a store or the engine; never a bug of the caller. */
public abstract sealed class ZarrException extends RuntimeException
        permits BudgetExceededException,
                ClosedException,
                CorruptChunkException,
                DecoderMissingException,
                DeviceLostException,
                DeviceUnavailableException,
                EngineFailedException,
                FormatException,
                MissingChunkException,
                NodeNotFoundException,
                OutOfMemoryException,
                StoreException {
    private static final long serialVersionUID = 1L;

    ZarrException(String message, Throwable cause) {
        super(message, cause);
    }
}
