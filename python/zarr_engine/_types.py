"""NumPy's data types and values for the engine's."""

from __future__ import annotations

import ast
import base64
import json
from typing import Any

import numpy as np

_NAMES_OF_TEXT = ("str", "string")

TEXT = np.dtypes.StringDType() if hasattr(np.dtypes, "StringDType") else np.dtype(object)


def of(description: dict[str, Any]) -> np.dtype:
    """Returns the NumPy type of the elements in memory, in native byte order. Types of ml_dtypes (bfloat16, float8)
    are unsigned integers of their width where that package is not installed."""
    if not description["numpy"]:
        return TEXT if description["type"] == "string" else np.dtype(object)
    dtype = np.dtype(ast.literal_eval(description["numpy"]))
    if dtype.kind == "u" and not description["type"].startswith("uint"):
        try:
            import ml_dtypes
        except ImportError:
            return dtype
        special = getattr(ml_dtypes, description["type"], None)
        if special is not None and np.dtype(special).itemsize == dtype.itemsize:
            return np.dtype(special)
    return dtype


def to_json(dtype: Any) -> tuple[Any, np.dtype | None]:
    """Returns the data type of version 3 for what NumPy or zarr-python call a type, and its NumPy type in native byte
    order; None for a name that NumPy does not know."""
    if isinstance(dtype, dict):
        return dtype, None
    if isinstance(dtype, str) and dtype in _NAMES_OF_TEXT:
        dtype = str
    try:
        numpy_type = np.dtype(dtype)
    except TypeError:
        if isinstance(dtype, str):
            return dtype, None  # Java knows whether it is one.
        raise
    if numpy_type == TEXT or dtype is str or numpy_type.hasobject:
        raise TypeError(f"elements of type {numpy_type} have a variable length: they cannot be written yet, only read")
    if numpy_type.itemsize == 0:
        raise ValueError(f'dtype is {dtype!r}, without the length of an element: expected such as "U8"')
    return _to_json(numpy_type), _packed(numpy_type)


def _packed(dtype: np.dtype) -> np.dtype:
    """Returns a type in native byte order, without room between its fields."""
    if dtype.names is None:
        return dtype.newbyteorder("=")
    return np.dtype([(name, _packed(dtype[name])) for name in dtype.names])


def _to_json(dtype: np.dtype) -> Any:
    if dtype.names is not None:
        fields = [[name, _to_json(dtype[name])] for name in dtype.names]
        return {"name": "structured", "configuration": {"fields": fields}}
    if dtype.subdtype is not None:
        raise TypeError(f"fields of type {dtype}, an array, cannot be written")
    match dtype.kind:
        case "m" | "M":
            unit, scale = np.datetime_data(dtype)
            kind = "numpy.datetime64" if dtype.kind == "M" else "numpy.timedelta64"
            return {"name": kind, "configuration": {"unit": unit, "scale_factor": scale}}
        case "U":
            return {"name": "fixed_length_utf32", "configuration": {"length_bytes": dtype.itemsize}}
        case "S":
            return {"name": "null_terminated_bytes", "configuration": {"length_bytes": dtype.itemsize}}
        case "V" if dtype.type is np.void:
            return {"name": "raw_bytes", "configuration": {"length_bytes": dtype.itemsize}}
    return dtype.name


def fill_value(description: dict[str, Any], dtype: np.dtype) -> Any:
    """Returns the element for missing data as a NumPy scalar, a str, or for other elements of variable length what
    a read returns; None if version 2 names none."""
    if not description["has_fill"]:
        return None
    content = base64.b64decode(description["fill"])
    if dtype is TEXT or dtype == object:
        return element(description, content)
    return np.frombuffer(content, dtype)[0]


def element(description: dict[str, Any], content: bytes) -> Any:
    """Returns an element of variable length."""
    match description["type"]:
        case "string":
            return content.decode()
        case "bytes":
            return content
        case "object":
            return json.loads(content) if content else None
        case _:
            return np.frombuffer(content, ast.literal_eval(description["item"]))
