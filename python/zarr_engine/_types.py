"""NumPy's data types and values for the engine's."""

from __future__ import annotations

import ast
import base64
import json
from typing import Any

import numpy as np

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
