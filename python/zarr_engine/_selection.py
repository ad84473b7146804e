"""Selections as numbers, for Java's CodedSelection.

A code is a list of whole numbers, or a NumPy array of int64 if it is long.
"""

from __future__ import annotations

import operator
from typing import Any, Sequence

import numpy as np

Code = Any

_DIMENSIONS, _BLOCKS, _POINTS, _BOXES, _MANY = range(5)
_SLICE, _INDEX, _LIST, _REST = range(4)
_NONE = -(2**63)
_MAX = 2**63 - 1


def _bound(bound: Any) -> int:
    if bound is None:
        return _NONE
    if type(bound) is int and -_MAX <= bound <= _MAX:
        return bound
    return max(-_MAX, min(_MAX, operator.index(bound)))  # as Python clips slices


def _index(index: Any) -> int:
    number = operator.index(index)
    if not -_MAX <= number <= _MAX:
        raise IndexError(f"index {number} is out of bounds")
    return number


def is_integer(part: Any) -> bool:
    """Returns whether a part of a selection is one position; a boolean is none."""
    if isinstance(part, np.ndarray):
        return part.ndim == 0 and part.dtype.kind in "iu"
    return isinstance(part, (int, np.integer)) and not isinstance(part, (bool, np.bool_))


def is_list(part: Any) -> bool:
    """Returns whether a part of a selection is an array of positions or a mask."""
    return isinstance(part, (list, np.ndarray)) and (isinstance(part, list) or part.ndim > 0)


def parts(key: Any, ndim: int) -> tuple:
    """Returns the parts of a selection, checked in number, without None."""
    key = key if isinstance(key, tuple) else (key,)
    named = [part for part in key if part is not None and part is not Ellipsis]
    if len(named) > ndim:
        raise IndexError(f"too many indices: the array has {ndim} dimensions, {len(named)} were indexed")
    if len(key) - len(named) > 1 and sum(part is Ellipsis for part in key) > 1:
        raise IndexError("an index can only have a single ellipsis ('...')")
    return tuple(part for part in key if part is not None)


def dimensions(key: tuple, shape: Sequence[int], kind: int = _DIMENSIONS) -> Code:
    """Codes slices, positions, lists and masks, one for each dimension; key is from parts()."""
    code: list[int] = [kind]
    arrays: list[np.ndarray] = []
    for at, part in enumerate(key):
        if type(part) is slice:
            code += (_SLICE, _bound(part.start), _bound(part.stop), _bound(part.step))
        elif part is Ellipsis:
            code.append(_REST)
        elif is_integer(part):
            code += (_INDEX, _index(part))
        elif is_list(part) and kind == _DIMENSIONS:
            dimension = at if all(p is not Ellipsis for p in key[:at]) else at - len(key) + len(shape)
            listed = of_list(part, shape[dimension], dimension)
            arrays += (np.array([*code, _LIST, listed.size], np.int64), listed)
            code = []
        else:
            raise IndexError(f"unsupported selection {part!r}: expected integers, slices" + (
                " or lists of integers or booleans" if kind == _DIMENSIONS else ""
            ))
    return np.concatenate([*arrays, np.array(code, np.int64)]) if arrays else code


def blocks(key: tuple, shape: Sequence[int]) -> Code:
    """Codes slices and positions that count chunks (shards, if the array is sharded)."""
    return dimensions(key, shape, _BLOCKS)


def of_list(part: Any, length: int, dimension: int) -> np.ndarray:
    """Returns the positions that a list or a mask names in a dimension."""
    array = np.asarray(part)
    if array.ndim != 1:
        raise IndexError(f"the list for dimension {dimension} has {array.ndim} dimensions, expected 1")
    if array.dtype == bool:
        if array.size != length:
            raise IndexError(f"a mask of {array.size} elements for dimension {dimension} of length {length}")
        return np.nonzero(array)[0].astype(np.int64)
    return _integers(array)


def _integers(array: np.ndarray) -> np.ndarray:
    if array.dtype.kind not in "iu" and array.size > 0:
        raise IndexError(f"the list has elements of type {array.dtype}, expected integers or booleans")
    return array.astype(np.int64)


def points(key: Any, shape: Sequence[int]) -> tuple[Code, tuple[int, ...]]:
    """Codes single elements. Returns the code and the shape of the result."""
    arrays, result = positions(key, shape)
    head = np.array([_POINTS, len(shape), arrays[0].size], np.int64)
    return np.concatenate([head, *arrays]), result


def positions(key: Any, shape: Sequence[int]) -> tuple[list[np.ndarray], tuple[int, ...]]:
    """Returns the positions of single elements in each dimension, and the shape that they have: of an array of
    positions for each dimension, or of one mask of the array's shape."""
    if not isinstance(key, tuple):
        key = (key,)
    if len(key) == 1 and is_list(key[0]):
        mask = np.asarray(key[0])
        if mask.dtype == bool:
            if mask.shape != tuple(shape):
                raise IndexError(f"a mask of shape {mask.shape} for an array of shape {tuple(shape)}")
            key = np.nonzero(mask)
    if len(key) != len(shape) or not all(is_integer(part) or is_list(part) for part in key):
        raise IndexError(
            f"unsupported selection of points: expected {len(shape)} integers or arrays of integers, or a mask"
        )
    arrays = np.broadcast_arrays(*(_integers(np.asarray(part)) for part in key))
    return [array.ravel() for array in arrays], arrays[0].shape


def many(keys: Any, shape: Sequence[int]) -> Code:
    """Codes several selections, that are read as one: a list of them, or an array of integers of the shape
    (selections, dimensions, 2) with the first position and the one after the last."""
    ndim = len(shape)
    if isinstance(keys, np.ndarray):
        if keys.dtype.kind not in "iu" or keys.shape[1:] != (ndim, 2):
            raise ValueError(f"boxes are {keys.dtype}{keys.shape}, expected integers of the shape (n, {ndim}, 2)")
        return np.concatenate([np.array([_BOXES, ndim], np.int64), keys.ravel().astype(np.int64)])
    boxes = _boxes(keys, ndim)
    if boxes is not None:
        return boxes
    codes: list[Any] = [np.array([_MANY], np.int64)]
    for key in keys:
        code = np.asarray(dimensions(parts(key, ndim), shape), np.int64)
        codes += (np.array([code.size], np.int64), code)
    return np.concatenate(codes)


def _boxes(keys: Sequence[Any], ndim: int) -> Code | None:
    """Codes selections that are all tuples of slices with both bounds and no step, or returns None."""
    try:
        if {len(key) for key in keys} != {ndim} or any(s.step is not None for key in keys for s in key):
            return None
        bounds = [bound for key in keys for s in key for bound in (s.start, s.stop)]
        return np.array([_BOXES, ndim, *bounds], np.int64) if None not in bounds else None
    except (AttributeError, TypeError, OverflowError):
        return None


def with_new_axes(key: Any, shape: tuple[int, ...], ndim: int) -> tuple[int, ...]:
    """Returns the shape of a result with an axis of length 1 for each None of the key."""
    key = key if isinstance(key, tuple) else (key,)
    if not any(part is Ellipsis for part in key):
        key = (*key, Ellipsis)
    lengths = list(shape)
    kept = sum(part is not None and part is not Ellipsis and not is_integer(part) for part in key)
    rest = len(shape) - kept
    result: list[int] = []
    for part in key:
        if part is None:
            result.append(1)
        elif part is Ellipsis:
            result += lengths[:rest]
            del lengths[:rest]
        elif not is_integer(part):
            result.append(lengths.pop(0))
    return tuple(result)
