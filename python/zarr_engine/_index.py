"""What stands in the brackets of an array: names of fields, and positions as zarr-python tells them apart."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _selection


class Index:
    """A way to read and to change an array by indexing."""

    def __init__(self, read: Any, write: Any):
        self._read = read
        self._write = write

    def __getitem__(self, key: Any) -> Any:
        fields, key = pop_fields(key)
        return with_fields(self._read(key), fields)

    def __setitem__(self, key: Any, value: Any) -> None:
        fields, key = pop_fields(key)
        self._write(key, value, fields)


def pop_fields(key: Any) -> tuple[Any, Any]:
    """Separates names of fields from the positions, as in array["x", 0:2] and array[["x", "y"]]."""
    if isinstance(key, str):
        return key, ...
    if isinstance(key, list) and key and all(isinstance(part, str) for part in key):
        return key, ...
    if isinstance(key, tuple):
        fields = [part for part in key if isinstance(part, str)]
        if fields:
            rest = tuple(part for part in key if not isinstance(part, str))
            return fields[0] if len(fields) == 1 else fields, rest or ...
    return None, key


def with_fields(result: np.ndarray, fields: Any) -> np.ndarray:
    if fields is None:
        return result
    if result.dtype.names is None:
        raise IndexError(f"the field {fields!r} of elements that have no fields")
    return np.ascontiguousarray(result[fields]).reshape(result.shape)


def is_points(key: Any, ndim: int) -> bool:
    """Returns whether a key names single elements, as zarr-python decides: a mask of all dimensions, or a position
    or a list for each dimension, with at least two lists."""
    if isinstance(key, np.ndarray) and key.dtype == bool and key.ndim == ndim and ndim != 1:
        return True
    if isinstance(key, np.ndarray) and ndim == 1 and key.ndim > 1:
        return True
    if not isinstance(key, tuple) or len(key) != ndim:
        return False
    lists = sum(_selection.is_list(part) for part in key)
    return lists > 0 and all(_selection.is_list(part) or _selection.is_integer(part) for part in key)
