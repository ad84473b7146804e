"""A codec pipeline for zarr-python 3: arrays in folders are read by the engine, without a change of the program.

>>> zarr.config.set({"codec_pipeline.path": "zarr_engine.zarr.EnginePipeline"})

or with the environment variable ZARR_CODEC_PIPELINE__PATH. What the engine does not read, and all writing, stays
zarr-python's: other stores, version 2, strings, lists of positions, forked processes, and what is damaged.
"""

from __future__ import annotations

import collections
import dataclasses
import os
from collections.abc import Iterable
from typing import Any

import numpy as np
from zarr.core.buffer import cpu
from zarr.core.codec_pipeline import BatchedCodecPipeline
from zarr.storage import LocalStore, StorePath

from . import open_array
from ._array import Array
from ._errors import ZarrError

_SOURCES_MAX = 256
_VERSIONS_MAX = 1 << 16
_SHORT_BYTES = 1 << 20  # To wait for a smaller result takes less time than to hand it over.

_Version = tuple[int, int, int] | None


class _Source:
    """An array that is open, and the versions of the files that it has read. Threads: zarr-python's event loop."""

    def __init__(self, folder: str):
        self._folder = folder
        self._array: Array | None = None
        self._versions: dict[str, _Version] = {}

    def array(self, files: list[str]) -> Array | None:
        """Returns the array, opened again if a file was replaced; None if the engine cannot read it."""
        versions = {file: _version(file) for file in (f"{self._folder}/zarr.json", *files)}
        known = self._versions
        is_changed = any(known.get(file, now) != now for file, now in versions.items())
        if not known or is_changed or len(known) > _VERSIONS_MAX:
            self._versions = {}
            try:
                self._array = open_array(self._folder)
            except ZarrError:
                self._array = None
        self._versions |= versions
        return self._array


def _version(file: str) -> _Version:
    try:
        status = os.stat(file)
    except OSError:
        return None
    return status.st_ino, status.st_mtime_ns, status.st_size


_sources: collections.OrderedDict[str, _Source] = collections.OrderedDict()


def _source(chunk: str, ndim: int) -> tuple[_Source, str] | None:
    """Returns the array of a chunk's file, and its folder."""
    for depth in (1, ndim, ndim + 1):  # c.0.0 or 0.0, 0/0, c/0/0; the nearest document is the array's
        folder = chunk.rsplit("/", depth)[0]
        if folder in _sources:
            _sources.move_to_end(folder)
            return _sources[folder], folder
        if os.path.exists(f"{folder}/zarr.json"):
            _sources[folder] = _Source(folder)
            if len(_sources) > _SOURCES_MAX:
                _sources.popitem(last=False)
            return _sources[folder], folder
    return None


@dataclasses.dataclass(frozen=True)
class EnginePipeline(BatchedCodecPipeline):
    """Reads boxes of local arrays through the engine, and all else as zarr-python does."""

    async def read(self, batch_info: Iterable[Any], out: Any, drop_axes: tuple[int, ...] = ()) -> Any:
        batch = list(batch_info)
        try:
            is_read = await _read(batch, out)
        except ZarrError:  # In a forked process; or zarr-python says what is wrong, as its callers expect.
            is_read = False
        return None if is_read else await super().read(batch, out, drop_axes)


async def _read(batch: list[Any], out: Any) -> bool:
    """Reads a batch if its chunks are those of a box. Returns whether it did."""
    if not batch or not isinstance(batch[0][0], StorePath):
        return False
    if type(batch[0][0].store) is not LocalStore:  # A subclass may change what it reads.
        return False
    root, chunk_shape = str(batch[0][0].store.root), batch[0][1].shape
    files = [f"{root}/{getter.path}" for getter, *_ in batch]
    found = _source(files[0], len(chunk_shape))
    result = out.as_numpy_array() if isinstance(out, cpu.NDBuffer) else None
    if found is None or result is None or not result.flags.c_contiguous or not result.flags.writeable:
        return False
    source, folder = found
    box = _box([file[len(folder) + 1 :] for file in files], [inside for _, _, inside, *_ in batch], chunk_shape)
    if box is None or np.prod(box[:, 1] - box[:, 0]) != result.size:
        return False
    array = source.array(files)
    if array is None or array.dtype != result.dtype or result.dtype.kind in "OT":
        return False
    if (array.shards or array.chunks) != tuple(chunk_shape) or array.zarr_format != 3:
        return False
    # Another program may have replaced the document since zarr-python read it.
    if np.any(box[:, 1] > array.shape) or not _is_same(array.fill_value, batch[0][1].fill_value):
        return False
    selection = tuple(slice(int(begin), int(end)) for begin, end in box)
    target = result.reshape([part.stop - part.start for part in selection])
    if target.nbytes < _SHORT_BYTES:
        array.read(selection, out=target)
    else:
        await array.aread(selection, out=target)
    return True


def _is_same(element: np.generic, other: Any) -> bool:
    return element.tobytes() == np.asarray(other, element.dtype).tobytes()


def _box(keys: list[str], insides: list[Any], chunk_shape: tuple[int, ...]) -> np.ndarray | None:
    """Returns the first position and the one after the last in each dimension, if the parts of chunks are boxes."""
    bounds = np.empty((len(keys), len(chunk_shape), 2), np.int64)
    for at, (key, inside) in enumerate(zip(keys, insides)):
        numbers = key.replace(".", "/").removeprefix("c").strip("/")
        inside = inside if isinstance(inside, tuple) else (inside,)
        chunk = [int(number) for number in numbers.split("/")] if numbers else []
        if len(inside) != len(chunk) or len(chunk) != len(chunk_shape):
            return None
        for d, part in enumerate(inside):
            begin = chunk[d] * chunk_shape[d]
            if isinstance(part, slice) and part.step in (None, 1):
                bounds[at, d] = begin + part.start, begin + part.stop
            elif isinstance(part, (int, np.integer)):
                bounds[at, d] = begin + part, begin + part + 1
            else:
                return None
    return np.stack([bounds[..., 0].min(0), bounds[..., 1].max(0)], axis=-1)
