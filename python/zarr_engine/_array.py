"""An array: reads to NumPy arrays, to memory of the caller, and to GPUs; writes what NumPy can assign."""

from __future__ import annotations

import asyncio
import concurrent.futures
import copy
import json
import math
import threading
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from . import _async, _codecs, _java, _memory, _selection, _types, _whole, _writing
from ._device import NO_STREAM, DeviceArray, number_of, stream_of, target
from ._index import Index, is_points, pop_fields, with_fields
from ._node import Info, Node, Origin

_PATIENCE_MS = 100  # how long a pressed Ctrl-C waits


class Array(Node):
    """An array, with the names and the behaviour of a zarr-python array. Threads: any.

    Selections work as in zarr-python; slices may also have negative steps, and None adds an axis. Results are new
    NumPy arrays in C order and native byte order. They lie in the engine's memory, which is freed when the last
    of their views is collected.
    """

    def __init__(self, description: dict[str, Any], origin: Origin, path: str = ""):
        super().__init__(description, origin, path)
        self._shape: tuple[int, ...] = tuple(description["shape"])
        self._dtype = _types.of(description)
        self._is_variable = not description["numpy"]

    @property
    def shape(self) -> tuple[int, ...]:
        """The length of each dimension, in elements; assigning resizes the array."""
        return self._shape

    @shape.setter
    def shape(self, new_shape: int | Iterable[int]) -> None:
        self.resize(new_shape)

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self._shape)

    @property
    def dtype(self) -> np.dtype:
        """The NumPy type of the elements, in native byte order; StringDType for strings, object for other elements
        of variable length."""
        return self._dtype

    @property
    def size(self) -> int:
        """The number of elements."""
        return math.prod(self._shape)

    @property
    def itemsize(self) -> int:
        """The size of an element, in bytes."""
        return self._dtype.itemsize

    @property
    def nbytes(self) -> int:
        """The size of all elements, in bytes."""
        return self.size * self.itemsize

    @property
    def chunks(self) -> tuple[int, ...]:
        """The shape of a chunk, in elements; of an inner chunk, if the array is sharded."""
        return tuple(self._description["chunks"])

    @property
    def shards(self) -> tuple[int, ...] | None:
        """The shape of a shard, in elements; None if the array is not sharded."""
        shards = self._description["shards"]
        return None if shards is None else tuple(shards)

    @property
    def cdata_shape(self) -> tuple[int, ...]:
        """The number of chunks along each dimension; of inner chunks, if the array is sharded."""
        if self.shards is None:
            return tuple(self._description["grid_shape"])
        return tuple(-(-length // chunk) for length, chunk in zip(self._shape, self.chunks))

    @property
    def nchunks(self) -> int:
        """The number of chunks; of inner chunks, if the array is sharded."""
        return math.prod(self.cdata_shape)

    @property
    def nchunks_initialized(self) -> int:
        """The number of chunks that are stored. Lists the array's folder: raises StoreError if its store has no lists.
        Counts all inner chunks of a shard that is stored."""
        stored = _java.call("storedSize", self._handle)[0]
        return stored * (1 if self.shards is None else math.prod(self.shards) // math.prod(self.chunks))

    @property
    def fill_value(self) -> Any:
        """The element that missing chunks have; None if an array of version 2 names none, and they have zeros."""
        return _types.fill_value(self._description, self._dtype)

    @property
    def dimension_names(self) -> tuple[str | None, ...] | None:
        """The name of each dimension, if they have names."""
        names = self._description.get("dimension_names")
        return None if names is None else tuple(names)

    @property
    def metadata(self) -> dict[str, Any]:
        """A copy of the document zarr.json, as JSON has it; of an array of version 2, translated to version 3. Raises
        ZarrError if its attributes are not valid."""
        fill = {} if self._description["has_fill"] else {"fill_value": None}
        return copy.deepcopy(self._description["document"]) | {"attributes": self.attrs.asdict()} | fill

    @property
    def filters(self) -> tuple[dict[str, Any], ...]:
        """The codecs from elements to elements, in the order of encoding, with "name" and "configuration" as in
        version 3; in an array of version 2 all those that it calls filters."""
        return self._codecs.filters

    @property
    def serializer(self) -> dict[str, Any] | None:
        """The codec from elements to bytes; of inner chunks, if the array is sharded; None in version 2."""
        return self._codecs.serializer

    @property
    def compressors(self) -> tuple[dict[str, Any], ...]:
        """The codecs from bytes to bytes, in the order of encoding; if the array is sharded, those of inner chunks,
        then those of the shard."""
        return self._codecs.compressors

    @property
    def order(self) -> str:
        """The order of the elements of a stored chunk: "F" or "C" in version 2, else "C". Results are in C order."""
        return self._codecs.order

    @property
    def _codecs(self) -> _codecs.Codecs:
        codecs = copy.deepcopy(self._description["document"]["codecs"])
        return _codecs.divided(codecs, self._description["fields_of_codecs"])

    @property
    def info(self) -> Info:
        """Format, shape, type, fill value, shards, chunks and codecs, in lines of text."""
        return Info(self._description["info"])

    def info_complete(self) -> Info:
        """The same, and the number of chunks and of bytes that are stored. Lists the array's folder."""
        stored = f"{self.nchunks_initialized} of {self.nchunks} chunks, {self.nbytes_stored()} bytes"
        return Info(f"{self.info}\n  {'stored':12} {stored}")

    def warm_up(self, selections: list[Any], seconds: float = 5) -> None:
        """Reads selections again and again, and throws the elements away, until that gets no faster or the time is
        over: for services, whose first requests would else wait for the compiler of Java, for files to be opened and
        for caches. A store gets the requests of all these reads.

        selections: a list as for read(), what the service will read; as much as some of its requests together.
        seconds: the time after which no further read begins; 5 are enough for 2 cores.

        Raises what read() raises; ValueError if there is no selection or no time. Ctrl-C ends it.
        """
        if not isinstance(selections, (list, tuple, np.ndarray)):
            raise TypeError(f"selections are {selections!r}, expected a list of selections")
        if self._is_variable:
            raise TypeError("elements of variable length are not warmed up")
        if not seconds > 0:
            raise ValueError(f"seconds is {seconds!r}, expected more than 0")
        selections = selections if isinstance(selections, np.ndarray) else list(selections)
        code = _java.longs(_selection.many(selections, self._shape))
        patiently(_java.call("warmUp", self._handle, code, float(seconds)))

    def nbytes_stored(self) -> int:
        """Returns the size of the chunk files on disk, in bytes."""
        return _java.call("storedSize", self._handle)[1]

    def __getitem__(self, key: Any) -> Any:
        """Reads a selection: slices, positions, None and Ellipsis as in NumPy; one list of positions or booleans; a
        list for each dimension, as vindex; a mask of the array's shape; names of fields of a structured type."""
        fields, key = pop_fields(key)
        return with_fields(self._item(key), fields)

    def _item(self, key: Any) -> Any:
        if is_points(key, self.ndim):
            return self._points(key)
        if isinstance(key, tuple) and sum(_selection.is_list(part) for part in key) > 1:
            raise IndexError("several lists beside slices: use oindex for every combination, or vindex for points")
        return self._dimensions(key)

    @property
    def oindex(self) -> Index:
        """Reads, or assigns to, every combination of positions: array.oindex[[0, 2], :, mask]."""
        return Index(self._dimensions, self._set_dimensions)

    @property
    def vindex(self) -> Index:
        """Reads, or assigns to, single elements: array.vindex[[0, 2], [1, 5]], or array.vindex[mask]."""
        return Index(self._points, self._set_points)

    @property
    def blocks(self) -> Index:
        """Reads, or assigns to, whole chunks (shards, if the array is sharded): array.blocks[0, 1:3]."""
        return Index(self._blocks, self._set_blocks)

    def _dimensions(self, key: Any) -> Any:
        parts = _selection.parts(key, self.ndim)
        result = self._read(_selection.dimensions(parts, self._shape))
        has_new_axes = key is None or type(key) is tuple and any(part is None for part in key)
        return result.reshape(_selection.with_new_axes(key, result.shape, self.ndim)) if has_new_axes else result

    def _points(self, key: Any) -> np.ndarray:
        code, shape = _selection.points(key, self._shape)
        return self._read(code).reshape(shape)

    def _blocks(self, key: Any) -> np.ndarray:
        return self._read(_selection.blocks(_selection.parts(key, self.ndim), self._shape))

    def __setitem__(self, key: Any, value: Any) -> None:
        """Assigns to a selection, as it is read; values are cast and broadcast as NumPy does. Whole chunks (shards, if
        the array is sharded) are written on several threads. A chunk of which a part is assigned is read, changed and
        written: of several threads or processes that do so with the same chunk at once, the last one wins. Other
        processes, and arrays that were opened by another path, as of a symbolic link, see the new data when they open
        the array again. Memory: up to 1 GiB of chunks, or one chunk, and up to five times that while they are
        encoded. Raises ZarrError if another program has resized the array since it was opened."""
        fields, key = pop_fields(key)
        if is_points(key, self.ndim):
            self._set_points(key, value, fields)
        elif isinstance(key, tuple) and sum(_selection.is_list(part) for part in key) > 1:
            raise IndexError("several lists beside slices: use oindex for every combination, or vindex for points")
        else:
            self._set_dimensions(key, value, fields)

    def _set_dimensions(self, key: Any, value: Any, fields: Any = None) -> None:
        has_new_axes = key is None or type(key) is tuple and any(part is None for part in key)
        parts = _selection.parts(key, self.ndim)
        axes = (key if isinstance(key, tuple) else (key,)) if has_new_axes else ()
        _writing.dimensions(self._target(), parts, value, fields, axes)

    def _set_points(self, key: Any, value: Any, fields: Any = None) -> None:
        _writing.points(self._target(), key, value, fields)

    def _set_blocks(self, key: Any, value: Any, fields: Any = None) -> None:
        target = self._target()
        slices = _writing.blocks(_selection.parts(key, self.ndim), self._shape, target.chunks)
        _writing.dimensions(target, slices, value, fields)

    def _target(self) -> _writing.Target:
        self._require_writable()
        if self._is_variable:
            raise TypeError(f"{self.location}: elements of variable length cannot be written yet, only read")
        handle = self._handle  # It may be closed.
        _writing.require_shape(self.location, self._shape)
        chunks = self.shards or self.chunks
        return _writing.Target(handle, self._shape, chunks, self._dtype, self.fill_value, self._read)

    def resize(self, new_shape: int | Iterable[int]) -> None:
        """Changes the shape. Chunks outside of it are deleted. Those at the edge stay as they are until they are
        written: elements that were cut off are there again if the array grows before. Other new elements have the
        fill value. Other objects of this array keep the old shape, and refuse to be written, until it is opened again.
        Reads in other threads, and loaders, that use this object may raise ClosedError. Ctrl-C waits for the end."""
        self._require_writable()
        shape = _whole.numbers([new_shape] if isinstance(new_shape, (int, np.integer)) else new_shape, "new_shape", 0)
        with concurrent.futures.ThreadPoolExecutor(1) as thread:  # Ctrl-C does not part it from the new shape.
            thread.submit(self._resize, shape).result()

    def _resize(self, shape: list[int]) -> None:
        handle = self._handle
        description = json.loads(str(_java.call("resize", handle, shape)))
        Array.__init__(self, description, self._origin, self._path)
        _java.close(handle)

    def append(self, data: Any, axis: int = 0) -> tuple[int, ...]:
        """Adds elements at the end of a dimension. Returns the new shape. Not safe for several programs at once."""
        self._target()
        data = np.asarray(data)  # before the array grows, because it may be this array, or fail
        axis = np.lib.array_utils.normalize_axis_index(axis, self.ndim)
        begin, shape = self._shape[axis], list(data.shape)
        shape[axis : axis + 1] = [begin + length for length in shape[axis : axis + 1]]
        others = [*self._shape[:axis], *self._shape[axis + 1 :]]
        if data.ndim != self.ndim or shape[:axis] + shape[axis + 1 :] != others:
            raise ValueError(
                f"data of the shape {data.shape} is not appended along dimension {axis} to the shape {self._shape}: the"
                " numbers of dimensions and the other lengths must be equal"
            )
        data = data.astype(self._dtype, copy=False)
        self.resize(shape)
        self[(slice(None),) * axis + (slice(begin, None),)] = data
        return self._shape

    def set_basic_selection(self, selection: Any, value: Any, *, fields: Any = None) -> None:
        """Assigns to slices and positions, as zarr-python's method."""
        self._set_dimensions(selection, value, fields)

    def set_orthogonal_selection(self, selection: Any, value: Any, *, fields: Any = None) -> None:
        """Assigns to every combination of positions, as oindex."""
        self._set_dimensions(selection, value, fields)

    def set_coordinate_selection(self, selection: Any, value: Any, *, fields: Any = None) -> None:
        """Assigns to single elements, as vindex."""
        self._set_points(selection, value, fields)

    def set_mask_selection(self, mask: Any, value: Any, *, fields: Any = None) -> None:
        """Assigns to the elements where a mask of the array's shape is true."""
        self._set_points(np.asarray(mask, bool), value, fields)

    def set_block_selection(self, selection: Any, value: Any, *, fields: Any = None) -> None:
        """Assigns to whole chunks, as blocks."""
        self._set_blocks(selection, value, fields)

    def get_basic_selection(self, selection: Any = ..., *, out: Any = None, fields: Any = None) -> Any:
        """Reads slices and positions, as zarr-python's method."""
        return with_fields(self.read(selection, out=out), fields)

    def get_orthogonal_selection(self, selection: Any, *, out: Any = None, fields: Any = None) -> Any:
        """Reads every combination of positions, as oindex."""
        return self.get_basic_selection(selection, out=out, fields=fields)

    def get_coordinate_selection(self, selection: Any, *, fields: Any = None) -> Any:
        """Reads single elements, as vindex."""
        return with_fields(self._points(selection), fields)

    def get_mask_selection(self, mask: Any, *, fields: Any = None) -> Any:
        """Reads the elements where a mask of the array's shape is true."""
        return with_fields(self._points(np.asarray(mask, bool)), fields)

    def get_block_selection(self, selection: Any, *, fields: Any = None) -> Any:
        """Reads whole chunks, as blocks."""
        return with_fields(self._blocks(selection), fields)

    def read(self, selection: Any = ..., *, out: Any = None, device: str | None = None) -> Any:
        """Reads one selection, or many in one call, which is much faster than one by one.

        selection: as for oindex; or a list of these; or an array of integers of the shape (n, ndim, 2), with the
            first position and the one after the last for each of n boxes and each dimension.
        out: where the elements go: a C-contiguous NumPy array, or a tensor in host memory that NumPy can share,
            of the array's type and the result's shape; or an array on a GPU that has __cuda_array_interface__. This
            is written after the work that is queued in its stream (torch: the current one), and is complete when
            the read ends.
        device: "cuda:0" for a new array on a GPU.

        Returns out; or a NumPy array; or for a device a DeviceArray. The result of many selections of one shape
        has this shape behind a first dimension that counts them. If their shapes differ, the result is a list of
        arrays (in an array out or on a device: one dimension, one selection after another).
        """
        code, is_many = self._code(selection)
        if out is not None or device is not None:
            return self._read_to(code, out, device, is_many)
        return self._split(code, self._read(code)) if is_many else self._read(code)

    async def aread(self, selection: Any = ..., *, out: Any = None, device: str | None = None) -> Any:
        """Reads as read() does, without blocking the event loop. Cancelling the task cancels the read, which may
        write to out a little longer."""
        code, is_many = self._code(selection)
        if self._is_variable:
            return await asyncio.to_thread(self.read, selection, out=out, device=device)
        to, place = self._place(out, device)
        stream = _stream(out, to)
        numbers = await _async.finished(
            lambda: _java.call("begin", self._handle, _java.longs(code), to, place, stream, True), keeps=out
        )
        return self._result(code, numbers, out, is_many)

    def _code(self, selection: Any) -> tuple[Any, bool]:
        """Codes one selection or many. A list is many, unless it lists positions."""
        is_boxes = isinstance(selection, np.ndarray) and selection.ndim == 3
        is_many = is_boxes or (
            isinstance(selection, list) and any(not _selection.is_integer(part) for part in selection)
            and not all(isinstance(part, (bool, np.bool_)) for part in selection)
        )
        if is_many:
            if self._is_variable:
                raise TypeError("elements of variable length are read one selection at a time")
            return _selection.many(selection, self._shape), True
        return _selection.dimensions(_selection.parts(selection, self.ndim), self._shape), False

    def _read(self, code: Any) -> np.ndarray:
        """Reads to new memory."""
        if self._is_variable:
            numbers = _java.numbers("readVariableLength", self._handle, _java.longs(code))
            make = lambda content: _types.element(self._description, content)  # noqa: E731
            return _of_elements(*_memory.elements(numbers, make), self._dtype)
        return _memory.array(self._read_host(code, []), self._dtype)

    def _read_host(self, code: Any, place: list[int]) -> list[int]:
        """Reads to host memory. In the main thread, long reads wait in Python, so that Ctrl-C ends them."""
        is_main = threading.get_ident() == threading.main_thread().ident
        numbers = _java.numbers("read", self._handle, _java.longs(code), place, is_main)
        return numbers if numbers[0] >= 0 else patiently(-numbers[0])

    def _place(self, out: Any, device: str | None) -> tuple[int, list[int]]:
        """Returns the device of a read, and the address, the size and the shape of out."""
        if out is None:
            return _memory.HOST if device is None else number_of(device), []
        if hasattr(out, "__cuda_array_interface__"):
            return target(out, self._dtype, device)
        if device is not None:
            raise ValueError(f"out is in host memory, but device is {device}: give one of them")
        return _memory.HOST, _memory.target(out, self._dtype)

    def _read_to(self, code: Any, out: Any, device: str | None, is_many: bool) -> Any:
        if self._is_variable:
            raise TypeError("elements of variable length are read to new host memory only")
        to, place = self._place(out, device)
        if to == _memory.HOST:
            numbers = self._read_host(code, place)
        else:
            stream = _stream(out, to)
            numbers = patiently(_java.call("begin", self._handle, _java.longs(code), to, place, stream, False))
        return self._result(code, numbers, out, is_many)

    def _result(self, code: Any, numbers: list[int], out: Any, is_many: bool) -> Any:
        if out is not None:
            return out
        if numbers[2] != _memory.HOST:
            return DeviceArray(numbers, self._dtype, self._description["type"] == "bfloat16")
        result = _memory.array(numbers, self._dtype)
        return self._split(code, result) if is_many else result

    def _split(self, code: Any, result: np.ndarray) -> Any:
        """Divides the result of selections of different shapes."""
        if result.ndim != 1:
            return result
        shapes = _java.numbers("shapes", self._handle, _java.longs(code))
        return _memory.split(result, shapes)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        if copy is False:
            raise ValueError("an array on disk cannot be used as a NumPy array without a copy")
        result = self[...]
        return result if dtype is None else result.astype(dtype, copy=False)

    def __len__(self) -> int:
        if not self._shape:
            raise TypeError("len() of an array without dimensions")
        return self._shape[0]

    def __repr__(self) -> str:
        return f"<zarr_engine.Array {self.location} shape={self._shape} dtype={self._dtype}>"


def _stream(out: Any, device: int) -> int:
    return NO_STREAM if out is None or device == _memory.HOST else stream_of(out)


def _free(numbers: list[int]) -> None:
    _java.free(numbers[0])


def patiently(ticket: int, late: Callable[[list[int]], None] = _free) -> list[int]:
    """Waits for a read, and lets Python see its signals meanwhile. If one raises, the read is cancelled, and has
    ended when this raises; late gets a result that came nevertheless."""
    try:
        while not _java.call("waitFor", ticket, _PATIENCE_MS):
            pass
    except BaseException:
        _java.cancel(ticket)
        try:
            late(_java.call("finish", ticket)[:])
        except Exception:
            pass  # The read was cancelled.
        raise
    return _java.numbers("finish", ticket)


def _of_elements(elements: list[Any], shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
    if dtype != object:
        return np.array(elements, dtype).reshape(shape)
    array = np.empty(len(elements), object)
    array[:] = elements if not elements or not isinstance(elements[0], np.ndarray) else None
    for i, element in enumerate(elements):
        array[i] = element
    return array.reshape(shape)
