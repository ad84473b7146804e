"""NumPy arrays on the engine's memory, and memory of the caller's."""

from __future__ import annotations

import weakref
from typing import Any, Sequence

import numpy as np

from . import _device, _java

HOST = -1  # the device of results in host memory


class _Memory:
    """The memory of a result in host memory. Owner: the array made of it, and its views; then it is freed."""

    __slots__ = ("__array_interface__", "__weakref__", "_handle", "_lent")

    def __init__(self, handle: int, address: int, bytes_: int, lent: Lent | None):
        self._handle = handle
        self._lent = lent  # keeps the caller's memory
        self.__array_interface__ = {"version": 3, "data": (address, False), "shape": (bytes_,), "typestr": "|u1"}

    @property
    def nbytes(self) -> int:
        return self.__array_interface__["shape"][0]

    def __del__(self) -> None:
        _java.free(self._handle)


class Lent:
    """Memory of the caller's that holds results: an array, or a list of arrays, on the host or on one GPU."""

    def __init__(self, memory: Any, device: str | None):
        self._keeps = tuple(memory) if isinstance(memory, (list, tuple)) else (memory,)
        places = [_place(part) for part in self._keeps]
        devices = sorted({number for number, _, _ in places})
        wanted = devices[:1] if device is None else [_device.number_of(device)]
        if devices != wanted or not devices:
            found = " and ".join("the host" if number == HOST else f"cuda:{number}" for number in devices)
            problem = f"on {found}" if found else "an empty list"
            raise ValueError(f"memory is {problem}, expected {device or 'one device'}")
        self.device: int = devices[0]
        self._ranges = sorted((address, address + length) for _, address, length in places)
        if any(end > begin for (_, end), (begin, _) in zip(self._ranges, self._ranges[1:])):
            raise ValueError("memory has parts that overlap")
        self._in_use: weakref.WeakValueDictionary[int, Any] = weakref.WeakValueDictionary()  # by address
        self._streams: list[Any] = []  # kept open, because loaders name them

    def use(self, address: int, result: Any) -> None:
        """Notes a result, whose part of the memory is in use until it is collected."""
        self._in_use[address] = result

    def free(self) -> list[int]:
        """Returns the address and the size in bytes of each part that no result uses."""
        free = []
        used = sorted((address, result.nbytes) for address, result in self._in_use.items())
        for at, end in self._ranges:
            for address, length in (*(part for part in used if at <= part[0] < end), (end, 0)):
                free += (at, address - at)
                at = address + length
        return free

    def stream(self) -> int:
        """Returns the stream whose work so far comes before writing, as _device.stream_of()."""
        if self.device == HOST:
            return _device.NO_STREAM
        stream = _device.stream_of(self._keeps[0])
        self._streams.append(_device.current_of_cupy(stream))
        return stream


def _place(memory: Any) -> tuple[int, int, int]:
    """Returns the device, the address and the size in bytes of memory of the caller's, of any type."""
    if _device.is_on_device(memory):
        return _device.place(memory)
    array = shared(memory, "memory")
    if not array.flags.c_contiguous or not array.flags.writeable:
        raise ValueError("memory is read-only or not C-contiguous")
    if array.dtype.hasobject:  # Elements in their place would be taken for addresses.
        raise TypeError(f"memory has elements of type {array.dtype}, which refer to other memory")
    return HOST, array.ctypes.data, array.nbytes


def array(numbers: Sequence[int], dtype: np.dtype, lent: Lent | None = None) -> np.ndarray:
    """Returns the array of a result: (handle, address, device, lengths...), on the engine's memory, or on what the
    caller has lent for it."""
    handle, address, _, *shape = numbers
    bytes_ = dtype.itemsize
    for length in shape:
        bytes_ *= length
    if bytes_ == 0:
        _java.free(handle)
        return np.empty(shape, dtype)
    memory = _Memory(handle, address, bytes_, lent)
    if lent is not None:
        lent.use(address, memory)
    return np.asarray(memory).view(dtype).reshape(shape)


def shared(out: Any, name: str) -> np.ndarray:
    """Returns an array on the caller's memory."""
    array = np.asarray(out)
    if array is not out and not np.shares_memory(array, np.asarray(out)):
        raise TypeError(f"{name} is a {type(out).__name__}, whose memory NumPy cannot share")
    return array


def target(out: Any, dtype: np.dtype) -> list[int]:
    """Returns the address, the size in bytes and the shape of the caller's memory, or raises what is wrong with
    it."""
    array = shared(out, "out")
    if array.dtype != dtype:
        raise TypeError(f"out has elements of type {array.dtype}, the array {dtype}")
    if not array.flags.c_contiguous:
        raise ValueError("out is not C-contiguous: read into a new array and assign that")
    if not array.flags.writeable:
        raise ValueError("out is read-only")
    return [array.ctypes.data, array.nbytes, *array.shape]


def split(result: np.ndarray, shapes: Sequence[int]) -> list[np.ndarray]:
    """Divides a result of one dimension into arrays of the given shapes, each its rank and then its lengths."""
    arrays, at, element = [], 0, 0
    while at < len(shapes):
        shape = shapes[at + 1 : at + 1 + shapes[at]]
        count = int(np.prod(shape, dtype=np.int64))
        arrays.append(result[element : element + count].reshape(shape))
        at += 1 + shapes[at]
        element += count
    return arrays


def elements(numbers: Sequence[int], make: Any) -> tuple[list[Any], tuple[int, ...]]:
    """Returns the elements of variable length of a result: (handle, address of offsets, address of bytes,
    lengths...), and their shape. The result is freed."""
    handle, offsets_at, content_at, *shape = numbers
    try:
        count = int(np.prod(shape, dtype=np.int64))
        offsets = _bytes(offsets_at, (count + 1) * 8).view(np.int64).tolist()
        content = _bytes(content_at, offsets[-1]).tobytes()
        return [make(content[a:b]) for a, b in zip(offsets, offsets[1:])], tuple(shape)
    finally:
        _java.free(handle)


def _bytes(address: int, length: int) -> np.ndarray:
    if length == 0:
        return np.empty(0, np.uint8)
    return np.asarray(_Lent(address, length))


class _Lent:
    """Memory that someone else frees."""

    __slots__ = ("__array_interface__",)

    def __init__(self, address: int, length: int):
        self.__array_interface__ = {"version": 3, "data": (address, True), "shape": (length,), "typestr": "|u1"}
