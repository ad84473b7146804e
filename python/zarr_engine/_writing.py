"""Assignment to selections of an array: one chunk of the grid after the other, on several threads.

A thread gathers a chunk (a shard, if the array is sharded) in memory and gives it to Java, which encodes and stores it.
Both do without the GIL. A chunk that lies in the caller's memory as it has to be is not gathered. A chunk of which only
a part is assigned is read first.
"""

from __future__ import annotations

import itertools
import math
import operator
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from . import _creating, _java, _selection
from ._errors import ZarrError

Index = Any  # of a NumPy array

_CHUNKS_BYTES_MAX = 1 << 30  # of all threads


class _Part(NamedTuple):
    """The part of a selection that is in one row of chunks, along one dimension."""

    chunk: int  # its position in the grid
    inside: Index  # positions in the chunk
    value: Index  # positions in what is assigned
    is_whole: bool  # whether it is all that the array has there


class _Assignment(NamedTuple):
    """What one chunk gets."""

    chunk: tuple[int, ...]
    inside: Index
    value: Index
    is_whole: bool


class Target(NamedTuple):
    """An array that is written."""

    handle: int
    shape: tuple[int, ...]
    chunks: tuple[int, ...]  # shards, if it is sharded
    dtype: np.dtype
    fill_value: Any
    read: Callable[[_selection.Code], np.ndarray]

    def threads(self, chunks: int) -> int:
        """Returns how many threads write a number of chunks."""
        bytes_ = max(1, math.prod(self.chunks) * self.dtype.itemsize)
        return max(1, min(chunks, _java.workers(), _CHUNKS_BYTES_MAX // bytes_))


def require_shape(folder: str, shape: tuple[int, ...]) -> None:
    """Refuses an array that another program has resized: what a chunk at the edge has beyond it would be lost."""
    document = _creating.read(folder)
    if not document:
        _creating.is_array(folder)  # Raises if it was deleted; others Java refuses.
    elif document.get("shape") != list(shape):
        raise ZarrError(f"{folder}: has had the shape {shape}, and was changed by another program: open it again")


def dimensions(target: Target, key: tuple, value: Any, fields: Any, axes: tuple = ()) -> None:
    """Assigns to slices, positions, lists and masks, one for each dimension; key is from _selection.parts(). axes: the
    key with its new axes."""
    resolved = _resolved(key, target.shape)
    lengths = tuple(len(part) for part in resolved if not isinstance(part, int))
    shape = _selection.with_new_axes(axes, lengths, len(target.shape)) if axes else lengths
    value = _broadcast(value, target, fields, shape)
    if axes:
        is_new = _selection.with_new_axes(axes, (0,) * len(lengths), len(target.shape))  # 1 for a new axis
        value = value[(*(0 if new else slice(None) for new in is_new), ...)]
    value = value[(*(np.newaxis if isinstance(part, int) else slice(None) for part in resolved), ...)]  # not a scalar
    parts = [_parts(*of) for of in zip(resolved, target.chunks, target.shape)]
    assignments = (
        _Assignment(
            tuple(part.chunk for part in one),
            _outer([part.inside for part in one]),
            _outer([part.value for part in one]),
            all(part.is_whole for part in one),
        )
        for one in itertools.product(*parts)
    )
    _assign(target, assignments, math.prod(map(len, parts)), value, fields)


def points(target: Target, key: Any, value: Any, fields: Any) -> None:
    """Assigns to single elements; the key is that of a read."""
    positions, shape = _selection.positions(key, target.shape)
    value = _broadcast(value, target, fields, shape).reshape(-1)
    positions = [_inside(array, length, at) for at, (array, length) in enumerate(zip(positions, target.shape))]
    chunks = [array // length for array, length in zip(positions, target.chunks)]
    order = np.lexsort(chunks[::-1])
    if not order.size:
        return
    changes = np.any([np.diff(array[order]) != 0 for array in chunks], axis=0)
    groups = np.split(order, np.nonzero(changes)[0] + 1)
    assignments = (
        _Assignment(
            tuple(int(array[group[0]]) for array in chunks),
            tuple(array[group] % length for array, length in zip(positions, target.chunks)),
            group,
            False,
        )
        for group in groups
    )
    _assign(target, assignments, len(groups), value, fields)


def blocks(key: tuple, shape: Sequence[int], chunks: Sequence[int]) -> tuple[slice, ...]:
    """Returns the slices of an array that whole chunks cover."""
    grid = [-(-length // chunk) for length, chunk in zip(shape, chunks)]
    resolved = _resolved(key, grid)
    if not all(isinstance(part, int) or isinstance(part, range) and part.step == 1 for part in resolved):
        raise IndexError("chunks are selected by positions and slices without a step")
    ranges = [range(part, part + 1) if isinstance(part, int) else part for part in resolved]
    return tuple(slice(part.start * chunk, part.stop * chunk) for part, chunk in zip(ranges, chunks))


def _resolved(key: tuple, shape: Sequence[int]) -> list[int | range | np.ndarray]:
    """Returns the positions that a selection has in each dimension."""
    missing = len(shape) - sum(part is not Ellipsis for part in key)
    rest = (slice(None),) * missing
    at = next((at for at, part in enumerate(key) if part is Ellipsis), len(key))
    return [_positions(part, shape[d], d) for d, part in enumerate((*key[:at], *rest, *key[at + 1 :]))]


def _positions(part: Any, length: int, dimension: int) -> int | range | np.ndarray:
    if isinstance(part, slice):
        return range(*part.indices(length))
    if _selection.is_integer(part):
        return int(_inside(np.array(operator.index(part), object), length, dimension))
    if _selection.is_list(part):
        return _inside(_selection.of_list(part, length, dimension), length, dimension)
    raise IndexError(f"unsupported selection {part!r}: expected integers, slices or lists of integers or booleans")


def _inside(positions: np.ndarray, length: int, dimension: int) -> np.ndarray:
    """Returns positions from 0; negative ones count from the end."""
    outside = (positions < -length) | (positions >= length)
    if np.any(outside):
        first = positions if positions.ndim == 0 else positions[outside][0]
        raise IndexError(f"index {first} is out of bounds for dimension {dimension} of length {length}")
    return np.where(positions < 0, positions + length, positions)


def _parts(positions: int | range | np.ndarray, chunk: int, length: int) -> list[_Part]:
    """Divides positions of a dimension by its chunks."""
    if isinstance(positions, int):
        at = positions % chunk
        return [_Part(positions // chunk, slice(at, at + 1), slice(0, 1), min(chunk, length) == 1)]
    if isinstance(positions, range):
        return _parts_of_range(positions, chunk, length)
    chunks = positions // chunk
    order = np.argsort(chunks, kind="stable")
    parts = []
    for group in np.split(order, np.nonzero(np.diff(chunks[order]))[0] + 1) if order.size else ():
        at = int(chunks[group[0]])
        inside = positions[group] - at * chunk
        parts.append(_Part(at, inside, group, np.unique(inside).size == min(chunk, length - at * chunk)))
    return parts


def _parts_of_range(positions: range, chunk: int, length: int) -> list[_Part]:
    ascending = positions if positions.step > 0 else positions[::-1]
    parts, begin, last = [], 0, len(positions) - 1
    while begin < len(positions):
        at = ascending[begin] // chunk
        end = len(range(ascending.start, min(ascending.stop, (at + 1) * chunk), ascending.step))
        inside = slice(ascending[begin] - at * chunk, ascending[end - 1] - at * chunk + 1, ascending.step)
        value = slice(begin, end)
        if positions.step < 0:
            value = slice(last - begin, last - end if last >= end else None, -1)
        parts.append(_Part(at, inside, value, end - begin == min(chunk, length - at * chunk)))
        begin = end
    return parts


def _outer(indexes: list[Index]) -> Index:
    """Returns an index for every combination of positions. NumPy would take several lists for points."""
    if sum(isinstance(index, np.ndarray) for index in indexes) < 2:
        return tuple(indexes)
    return np.ix_(*(index if isinstance(index, np.ndarray) else _numbers(index) for index in indexes))


def _numbers(index: slice) -> np.ndarray:
    step = index.step or 1
    return np.arange(index.start, -1 if index.stop is None else index.stop, step)


def _broadcast(value: Any, target: Target, fields: Any, shape: tuple[int, ...]) -> np.ndarray:
    """Returns what is assigned, as an array of the selection's shape that repeats it without a copy."""
    if fields is not None and target.dtype.names is None:
        raise IndexError(f"the field {fields!r} of elements that have no fields")
    dtype = target.dtype if fields is None else target.dtype[fields]
    if isinstance(value, np.generic):  # NumPy checks it, other than an array of it: int32 has no NaN.
        given = np.empty((), dtype)
        given[...] = value
    else:
        given = np.asarray(value) if hasattr(value, "dtype") else np.asarray(value, dtype)
    while given.ndim > len(shape) and given.shape[0] == 1:
        given = given[0]
    try:
        return np.broadcast_to(given, shape)
    except ValueError:
        raise ValueError(f"could not broadcast input array from shape {given.shape} into shape {shape}") from None


def _assign(target: Target, assignments: Iterator[_Assignment], count: int, value: np.ndarray, fields: Any) -> None:
    """Writes chunks. If one fails, or in the main thread Ctrl-C is pressed, those that are begun are finished."""
    lock = threading.Lock()
    failures: list[BaseException] = []

    def write_some() -> None:
        memory = np.empty(0, np.uint8)
        try:
            while not failures:
                with lock:
                    assignment = next(assignments, None)
                if assignment is None:
                    break
                memory = _write(target, assignment, value, fields, memory)
        except BaseException as e:
            failures.append(e)

    threads = [threading.Thread(target=write_some, name="zarr-engine-write") for _ in range(1, target.threads(count))]
    try:
        for thread in threads:
            thread.start()
        write_some()
        for thread in threads:
            thread.join()
    except BaseException as e:  # Ctrl-C, or the system refuses a thread
        failures.append(e)
        for thread in threads:
            if thread.ident is not None:
                thread.join()
    if failures:
        raise failures[0]


def _write(target: Target, to: _Assignment, value: np.ndarray, fields: Any, memory: np.ndarray) -> np.ndarray:
    """Writes a chunk. Returns the memory for the next one."""
    part = np.asarray(value[to.value])  # not a scalar
    stored = tuple(
        slice(0, min(chunk, length - at * chunk)) for at, chunk, length in zip(to.chunk, target.chunks, target.shape)
    )
    is_whole = to.is_whole and fields is None
    is_inner = all(kept.stop == chunk for kept, chunk in zip(stored, target.chunks))
    is_box = isinstance(to.inside, tuple) and all(isinstance(index, slice) for index in to.inside)
    if is_whole and is_inner and is_box and part.dtype == target.dtype and part.flags.c_contiguous:
        _give(target, to.chunk, part)
        return memory
    if not memory.size:
        memory = np.empty(target.chunks, target.dtype)
    if not is_inner:
        memory[...] = target.fill_value
    if not is_whole:
        # Another program may have written it.
        _java.call("refreshChunk", target.handle, list(to.chunk))
        box = tuple(
            slice(at * chunk, at * chunk + kept.stop) for at, chunk, kept in zip(to.chunk, target.chunks, stored)
        )
        memory[stored] = target.read(_selection.dimensions(box, target.shape))
    (memory if fields is None else memory[fields])[to.inside] = part
    _give(target, to.chunk, memory)
    return memory


def _give(target: Target, chunk: tuple[int, ...], elements: np.ndarray) -> None:
    _java.call("writeChunk", target.handle, list(chunk), elements.ctypes.data, elements.nbytes)
