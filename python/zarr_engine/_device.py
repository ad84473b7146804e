"""Arrays on a GPU, for torch, CuPy, JAX and others."""

from __future__ import annotations

import ctypes
import math
import re
import sys
from typing import Any, Sequence

import numpy as np

from . import _java

_CPU, _CUDA = 1, 2  # devices in DLPack
_CODES = {"i": 0, "u": 1, "f": 2, "c": 5, "b": 6}  # types in DLPack
_BFLOAT = 4

NO_STREAM = -1
_DEFAULT_STREAM, _PER_THREAD_STREAM = 1, 2  # in DLPack, as in CUDA


def number_of(device: str) -> int:
    """Returns the number of a device like "cuda:0"."""
    match = re.fullmatch(r"cuda(?::(\d+))?", str(device))
    if match is None:
        raise ValueError(f'device is {device!r}, expected "cuda:0" or another number')
    return int(match[1] or 0)


def target(out: Any, dtype: np.dtype, device: str | None) -> tuple[int, list[int]]:
    """Returns the device of the caller's array on a GPU, and its address, size in bytes and shape."""
    address, shape, found = _interface(out, "out")
    if found != dtype and not (found.itemsize == dtype.itemsize and dtype.kind == "V"):
        raise TypeError(f"out has elements of type {found}, the array {dtype}")
    number = number_of(device) if device is not None else _device_of(out)
    return number, [address, math.prod(shape) * dtype.itemsize, *shape]


def is_on_device(array: Any) -> bool:
    """Returns whether an array of the caller's is on a GPU."""
    return array.is_cuda if _is_of_torch(array) else hasattr(array, "__cuda_array_interface__")


def place(memory: Any) -> tuple[int, int, int]:
    """Returns the device, the address and the size in bytes of an array on a GPU, of any type."""
    if _is_of_torch(memory):  # Its interface lacks some types, and refuses tensors that require gradients.
        if not memory.is_contiguous():
            raise ValueError("memory is not C-contiguous")
        return memory.get_device(), memory.data_ptr(), memory.numel() * memory.element_size()
    address, shape, dtype = _interface(memory, "memory")
    return _device_of(memory), address, math.prod(shape) * dtype.itemsize


def _interface(array: Any, name: str) -> tuple[int, tuple[int, ...], np.dtype]:
    """Returns the address, the shape and the type of an array on a GPU, or raises what is wrong with it."""
    interface = array.__cuda_array_interface__
    shape, dtype = tuple(interface["shape"]), np.dtype(interface["typestr"])
    address, is_read_only = interface["data"]
    strides = interface.get("strides")
    if strides is not None and tuple(strides) != _strides(shape, dtype.itemsize):
        raise ValueError(f"{name} is not C-contiguous")
    if is_read_only:
        raise ValueError(f"{name} is read-only")
    return address, shape, dtype


def stream_of(out: Any) -> int:
    """Returns the stream whose work comes before a read to the caller's array: the one that the array names, torch's
    current one, else the default stream; -1 if there is none to wait for."""
    if _is_of_torch(out):
        return _torch_stream(out)
    stream = out.__cuda_array_interface__.get("stream", _DEFAULT_STREAM)
    if stream == _PER_THREAD_STREAM:
        _await_stream_of_thread()
        stream = None
    return NO_STREAM if stream is None else int(stream)


def _is_of_torch(array: Any) -> bool:
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(array, torch.Tensor)


def _torch_stream(tensor: Any) -> int:
    return sys.modules["torch"].cuda.current_stream(tensor.device).cuda_stream


def _await_stream_of_thread() -> None:
    """Waits for CUDA's default stream of this thread, which means another stream in the engine's threads."""
    cupy = sys.modules.get("cupy")
    if cupy is None:
        raise ValueError(
            "the array names CUDA's default stream of each thread, cudaStreamPerThread, for which the engine's threads"
            " cannot wait: synchronize it, and give the array with None for its stream"
        )
    cupy.cuda.runtime.streamSynchronize(_PER_THREAD_STREAM)


def current_of_cupy(stream: int) -> Any:
    """Returns CuPy's current stream if it is this one: CuPy closes a stream that nobody holds, and CUDA stops the
    process that names a closed stream."""
    cupy = sys.modules.get("cupy")
    current = None if cupy is None else cupy.cuda.get_current_stream()
    return current if current is not None and current.ptr == stream else None


def _device_of(out: Any) -> int:
    if hasattr(out, "__dlpack_device__"):
        return int(out.__dlpack_device__()[1])
    return 0


def _strides(shape: tuple[int, ...], itemsize: int) -> tuple[int, ...]:
    return tuple(itemsize * math.prod(shape[d + 1 :]) for d in range(len(shape)))


class DeviceArray:
    """The result of a read to a GPU: torch.from_dlpack, cupy.from_dlpack and jax.dlpack.from_dlpack take it without a
    copy. Its elements are complete, in C order. Its GPU memory is freed when the array, and all arrays that
    were made of it, are collected, and used again after the work that is queued then in the streams in which
    from_dlpack was called. Who uses it in other streams, or in CUDA's default stream of each thread, waits for that
    work before. The streams must not be closed before; those of torch, JAX and CuPy are not."""

    def __init__(self, numbers: Sequence[int], dtype: np.dtype, is_bfloat16: bool = False, keeps: Any = None):
        self._handle, self._pointer, self._device = numbers[:3]
        self.shape: tuple[int, ...] = tuple(numbers[3:])
        self.dtype = dtype
        self._is_bfloat16 = is_bfloat16
        self._keeps = keeps  # the caller's memory
        self._streams: list[Any] = []  # kept open until the memory is freed

    @property
    def device(self) -> str:
        """The device, like "cuda:0"."""
        return f"cuda:{self._device}"

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self.shape)

    @property
    def nbytes(self) -> int:
        """The size of all elements, in bytes."""
        return math.prod(self.shape) * self.dtype.itemsize

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return {
            "version": 3,
            "shape": self.shape,
            "typestr": self.dtype.str,
            "data": (self._pointer, False),
            "strides": None,
            "stream": None,
        }

    def __dlpack_device__(self) -> tuple[int, int]:
        return _CUDA, self._device

    def __dlpack__(
        self, *, stream: Any = None, max_version: Any = None, dl_device: Any = None, copy: bool | None = None
    ) -> Any:
        """Returns a capsule with a DLManagedTensor. No stream has to wait: the elements are complete. The consumer's
        stream is noted for the end."""
        if dl_device is not None and tuple(dl_device) != self.__dlpack_device__():
            raise BufferError(f"the array is on {self.device}, asked for the device {dl_device}")
        if copy:
            raise BufferError("the array is given without a copy only")
        if stream not in (NO_STREAM, _PER_THREAD_STREAM):  # other threads cannot wait for the second
            number = _DEFAULT_STREAM if stream is None else int(stream)
            self._streams.append(current_of_cupy(number))
            _java.call("recordStream", self._handle, number)
        return _capsule(self)

    def to_numpy(self) -> np.ndarray:
        """Copies the elements to a new array in host memory."""
        array = np.empty(self.shape, self.dtype)
        _java.call("copyToHost", self._handle, array.ctypes.data, array.nbytes)
        return array

    def __repr__(self) -> str:
        return f"<zarr_engine.DeviceArray shape={self.shape} dtype={self.dtype} on {self.device}>"

    def __del__(self) -> None:
        if hasattr(self, "_handle"):
            _java.free(self._handle)


# The C structures of https://dmlc.github.io/dlpack/latest/c_api.html


class _Tensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


class _ManagedTensor(ctypes.Structure):
    pass


_Deleter = ctypes.CFUNCTYPE(None, ctypes.POINTER(_ManagedTensor))
_ManagedTensor._fields_ = [("tensor", _Tensor), ("context", ctypes.c_void_p), ("deleter", _Deleter)]

_NAME = b"dltensor"


def _python(name: str, result: Any, *arguments: Any) -> Any:
    """Returns a function of Python's C API; the attributes of ctypes.pythonapi are shared with others."""
    return ctypes.PYFUNCTYPE(result, *arguments)((name, ctypes.pythonapi))


_new_capsule = _python("PyCapsule_New", ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
# A capsule that is being freed is only an address.
_is_capsule = _python("PyCapsule_IsValid", ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)
_pointer_of = _python("PyCapsule_GetPointer", ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)

# What consumers hold, by the address of its structure.
_lent: dict[int, Any] = {}


@_Deleter
def _delete(managed: Any) -> None:
    _lent.pop(ctypes.addressof(managed.contents), None)


@ctypes.PYFUNCTYPE(None, ctypes.c_void_p)
def _drop(capsule: int) -> None:
    """Frees a capsule that no consumer took: a consumer renames it."""
    if _is_capsule(capsule, _NAME):
        _lent.pop(_pointer_of(capsule, _NAME), None)


def _capsule(array: DeviceArray) -> Any:
    dtype = array.dtype
    code = _BFLOAT if array._is_bfloat16 else _CODES.get(dtype.kind)
    if code is None:
        raise BufferError(f"DLPack has no type for {dtype}")
    rank = array.ndim
    shape = (ctypes.c_int64 * rank)(*array.shape)
    strides = (ctypes.c_int64 * rank)(*_strides(array.shape, 1))
    managed = _ManagedTensor(
        _Tensor(array._pointer, _CUDA, array._device, rank, code, dtype.itemsize * 8, 1, shape, strides, 0),
        None,
        _delete,
    )
    address = ctypes.addressof(managed)
    _lent[address] = (managed, shape, strides, array)
    return _new_capsule(address, _NAME, ctypes.cast(_drop, ctypes.c_void_p))
