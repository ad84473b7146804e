"""Python's exceptions for Java's."""

from __future__ import annotations

import os


class ZarrError(Exception):
    """An array, a store or the engine failed: damaged chunks, invalid metadata, missing libraries. The message
    names the file and the chunk. The subclasses below are also Python's own exceptions."""


class NodeNotFoundError(ZarrError, FileNotFoundError):
    """A path holds neither an array nor a group."""


class StoreError(ZarrError, OSError):
    """A file cannot be read."""


class NodeExistsError(StoreError, FileExistsError):
    """A path holds an array or a group already."""


class OutOfMemoryError(ZarrError, MemoryError):
    """The engine's budget, or the memory of the machine or of a GPU, is too small. The message says what would be
    enough."""


class ClosedError(ZarrError, ValueError):
    """The array is closed, or Python is about to end."""


class ForkError(ZarrError, RuntimeError):
    """The process is a fork of one that has used zarr_engine."""


_KINDS = {
    "io.zarrengine.zarr.errors.NodeNotFoundException": NodeNotFoundError,
    "io.zarrengine.zarr.errors.StoreException": StoreError,
    "io.zarrengine.zarr.errors.BudgetExceededException": OutOfMemoryError,
    "io.zarrengine.zarr.errors.OutOfMemoryException": OutOfMemoryError,
    "java.lang.OutOfMemoryError": OutOfMemoryError,
    "io.zarrengine.zarr.errors.ClosedException": ClosedError,
    "io.zarrengine.zarr.errors.ZarrException": ZarrError,
    "java.lang.IndexOutOfBoundsException": IndexError,
    "java.lang.IllegalArgumentException": ValueError,
    "java.nio.file.InvalidPathException": ValueError,
    "java.lang.UnsupportedOperationException": TypeError,
}


def translated(error: BaseException) -> Exception:
    """Returns Python's exception for one of Java's, with its message. Java's stack trace is a note on it if the
    environment variable ZARR_ENGINE_JAVA_TRACES is set."""
    kind = next((_KINDS[c.__name__] for c in type(error).__mro__ if c.__name__ in _KINDS), ZarrError)
    message = str(error.getMessage())
    exception = kind(message if kind is not ZarrError or error.getMessage() is not None else str(error))
    if os.environ.get("ZARR_ENGINE_JAVA_TRACES"):
        exception.add_note(str(error.stacktrace()))
    return exception
