"""Results on a GPU, here a simulated one of cuda/src/test/native: what consumers are given, and when it is freed."""

import os

import numpy as np
import pytest
import zarr

simulated = os.environ.get("ZARR_ENGINE_SIMULATED_GPU")
pytestmark = pytest.mark.skipif(not simulated, reason="needs g++ for the simulated device")

PROGRAM = """
import asyncio, ctypes, gc, sys
import numpy as np, zarr_engine as ze
from zarr_engine import _device, _java
array = ze.open(sys.argv[1])
elements = array[...]

class Tensor:
    "Memory of a consumer, as of torch."
    def __init__(self, like, **changes):
        self._like = like  # whose memory it is
        self.__cuda_array_interface__ = {**like.__cuda_array_interface__, **changes}

def refused(kind, text, **changes):
    try:
        array.read(out=Tensor(whole, **changes))
    except kind as e:
        assert text in str(e), e
    else:
        raise AssertionError(changes)
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("arrays") / "a.zarr"
    zarr.create_array(folder, shape=(64, 64), dtype="f4", chunks=(16, 16))[...] = np.arange(4096).reshape(64, 64)
    return folder


@pytest.fixture
def run_on_device(run, folder):
    options = " ".join(
        f"-Dio.zarrengine.{name}.path={simulated}/lib{name}.so.{number}"
        for name, number in (("cudart", 13), ("nvcomp", 5), ("cufile", 0))
    )
    environment = {**os.environ, "LD_LIBRARY_PATH": simulated, "ZARR_ENGINE_JAVA_OPTIONS": options,
                   "CUFILE_LOGFILE_PATH": "/dev/null"}
    return lambda program: run(PROGRAM + program, folder, env=environment)


def test_reads_to_new_and_to_the_callers_memory(run_on_device):
    assert run_on_device("""
whole = array.read(device="cuda:0")
assert (whole.shape, whole.dtype, whole.device, whole.nbytes) == ((64, 64), np.float32, "cuda:0", 16384)
assert np.array_equal(whole.to_numpy(), elements)
crops = array.read([(slice(0, 4), 3), (slice(8, 12), 5)], device="cuda:0")
assert np.array_equal(crops.to_numpy(), [elements[0:4, 3], elements[8:12, 5]])
out = Tensor(whole, shape=(2, 4))
assert array.read([(slice(4, 8), 3), (slice(12, 16), 5)], out=out) is out
assert np.array_equal(whole.to_numpy().ravel()[:8].reshape(2, 4), [elements[4:8, 3], elements[12:16, 5]])
assert np.array_equal(asyncio.run(array.aread((0,), device="cuda:0")).to_numpy(), elements[0])
refused(ValueError, "shape", shape=(64, 32))
refused(TypeError, "int32", typestr="<i4")
refused(ValueError, "contiguous", strides=(4, 256))
refused(ValueError, "read-only", data=(whole.__cuda_array_interface__["data"][0], True))
print("done")
""") == "done\n"


def test_dlpack(run_on_device):
    """A consumer takes a capsule, renames it, and calls its deleter; one that nobody takes frees itself."""
    assert run_on_device("""
def kept():
    gc.collect()
    return _java.call("inUse")[1], len(_device._lent)

del elements
before = kept()
result = array.read((slice(0, 3), slice(0, 5)), device="cuda:0")
pointer = result.__cuda_array_interface__["data"][0]
assert result.__dlpack_device__() == (2, 0)
capsule = result.__dlpack__(stream=1)
del result
address = _device._pointer_of(id(capsule), b"dltensor")
managed = ctypes.cast(address, ctypes.POINTER(_device._ManagedTensor)).contents
tensor = managed.tensor
assert (tensor.data, tensor.device_type, tensor.device_id, tensor.ndim) == (pointer, 2, 0, 2)
assert (tensor.code, tensor.bits, tensor.lanes, tensor.byte_offset) == (2, 32, 1, 0)
assert (tensor.shape[:2], tensor.strides[:2]) == ([3, 5], [5, 1])
rename = _device._python("PyCapsule_SetName", ctypes.c_int, ctypes.py_object, ctypes.c_char_p)
used = b"used_dltensor"
rename(capsule, used)
del capsule
assert kept() == (before[0] + 1, 1), kept()
managed.deleter(ctypes.pointer(managed))
del managed, tensor
assert kept() == before, kept()
array.read(device="cuda:0").__dlpack__()
assert kept() == before, kept()
print("done")
""") == "done\n"


def test_streams_of_consumers_are_handed_on(run_on_device):
    """Fails if memory is written or used again before a consumer's work. CallersStreamTest tests the order itself."""
    assert run_on_device("""
calls, call = [], _java.call
_java.call = lambda name, *arguments: calls.append((name, *arguments)) or call(name, *arguments)
whole = array.read(device="cuda:0")
for stream in (1, None, -1, 2):
    whole.__dlpack__(stream=stream)
assert [arguments[1] for name, *arguments in calls if name == "recordStream"] == [1, 1]

def streams(out):
    calls.clear()
    array.read(out=out)
    asyncio.run(array.aread(out=out))
    return [arguments[4] for name, *arguments in calls if name == "begin"]

tensor = Tensor(whole)
assert streams(tensor) == [-1, -1]
tensor.__cuda_array_interface__["stream"] = 1
assert streams(tensor) == [1, 1]
del tensor.__cuda_array_interface__["stream"]
assert streams(tensor) == [1, 1]
assert np.array_equal(whole.to_numpy(), elements)
print("done")
""") == "done\n"


def test_a_stream_of_cupy_stays_open_until_the_memory_is_freed(run_on_device):
    """Fails if memory is freed after a stream that was closed: CUDA stops the process then."""
    assert run_on_device("""
import types, weakref
class Stream:
    ptr = 1
stream = Stream()
closed = weakref.ref(stream)
current = [stream]
sys.modules["cupy"] = types.SimpleNamespace(cuda=types.SimpleNamespace(get_current_stream=lambda: current[0]))
whole = array.read(device="cuda:0")
whole.__dlpack__(stream=1)
current[0] = None
del stream
gc.collect()
assert closed() is not None
del whole
gc.collect()
assert closed() is None
print("done")
""") == "done\n"


def test_a_loader_gives_bfloat16(run_on_device):
    """Fails if a consumer gets whole numbers where ml_dtypes is not installed."""
    assert run_on_device("""
sys.modules["ml_dtypes"] = None
short = ze.Transform().cast("bfloat16")
with ze.Loader({"x": array}, ze.samplers.windows(64), transforms={"x": short}, device="cuda:0",
               framework="dlpack") as loader:
    (batch,) = loader
capsule = batch["x"].__dlpack__()
address = _device._pointer_of(id(capsule), b"dltensor")
tensor = ctypes.cast(address, ctypes.POINTER(_device._ManagedTensor)).contents.tensor
assert (tensor.code, tensor.bits) == (4, 16)
print("done")
""") == "done\n"


def test_a_loader_transforms_on_the_device(run_on_device):
    """Fails if a batch is the one that was read, or of other samples."""
    assert run_on_device("""
half = ze.Transform().scale(0.5, 1).flip(1).cast("float16")
loader = ze.Loader({"x": array}, ze.samplers.windows(16, 16), batch=2, transforms={"x": half}, device="cuda:0",
                   framework="dlpack")
for i, step in enumerate(loader):
    batch = step["x"]
    assert (batch.shape, batch.dtype, batch.device) == ((2, 16, 64), np.float16, "cuda:0")
    memory = ctypes.string_at(batch.__cuda_array_interface__["data"][0], batch.nbytes)
    samples = elements.reshape(4, 16, 64)[2 * i : 2 * i + 2]
    assert np.array_equal(np.frombuffer(memory, "f2").reshape(batch.shape), (samples[:, :, ::-1] * 0.5 + 1).astype("f2"))
assert i == 1
loader.close()
print("done")
""") == "done\n"


def test_a_loader_to_the_device_is_awaited(run_on_device):
    """With samples of the caller's code; fails if a batch is lost."""
    assert run_on_device("""
import asyncio
samples = ze.samplers.generated((slice(n, n + 16),) for n in range(0, 64, 16))
async def main():
    loader = ze.Loader({"x": array}, samples, batch=3, device="cuda:0", framework="dlpack")
    return [step["x"].to_numpy() async for step in loader]
batches = asyncio.run(main())
assert [len(batch) for batch in batches] == [3, 1]
assert np.array_equal(np.concatenate(batches), elements.reshape(4, 16, 64))
print("done")
""") == "done\n"


def test_a_loader_reads_to_the_callers_memory(run_on_device):
    """With transforms or without; fails if a batch lies elsewhere, or a kept one is overwritten."""
    assert run_on_device("""
samples = elements.reshape(16, 4, 64)
half = {"x": ze.Transform().scale(0.5, 1)}
whole = array.read(device="cuda:0")  # 16 KiB; a batch takes 2
for memory in (Tensor(whole), [Tensor(array.read(slice(0, 8), device="cuda:0")) for _ in range(6)]):
    for transforms in (None, half):
        loader = ze.Loader({"x": array}, ze.samplers.windows(4, 4), batch=2, prefetch=1, memory=memory,
                           transforms=transforms, epochs=2)
        parts = memory if isinstance(memory, list) else [memory]
        size = 16384 if len(parts) == 1 else 2048
        ranges = [range((at := part.__cuda_array_interface__["data"][0]), at + size) for part in parts]
        kept = []
        for n, step in enumerate(loader):
            batch = step["x"]
            assert isinstance(batch, ze.DeviceArray) and batch.device == "cuda:0"
            at = batch.__cuda_array_interface__["data"][0]
            assert any(at in one and at + batch.nbytes - 1 in one for one in ranges)
            content = np.frombuffer(ctypes.string_at(at, batch.nbytes), "f4").reshape(2, 4, 64)
            expected = samples[2 * n : 2 * n + 2]
            assert np.array_equal(content, expected * 0.5 + 1 if transforms else expected)
            if n < 2:
                kept.append((batch, content.copy()))
        assert n == 7
        loader.load_state_dict({"epoch": 1, "sample": 4})
        assert sum(1 for _ in loader) == 6
        for batch, content in kept:
            at = batch.__cuda_array_interface__["data"][0]
            assert np.array_equal(np.frombuffer(ctypes.string_at(at, 2048), "f4").reshape(2, 4, 64), content)
        del kept, batch, step
        loader.close()
print("done")
""") == "done\n"


def test_streams_of_a_loaders_memory_are_handed_on(run_on_device):
    """Fails if a batch is written before the work of the caller's stream. CallersBlocksTest tests the order itself."""
    assert run_on_device("""
import json
opened, call = [], _java.call
_java.call = lambda name, *a: (name == "openLoader" and opened.append(json.loads(a[0]))) or call(name, *a)
whole = array.read(device="cuda:0")
memory = Tensor(whole)
for stream, handed in (("none", 1), (None, -1), (1, 1)):
    memory.__cuda_array_interface__["stream"] = stream
    if stream == "none":
        del memory.__cuda_array_interface__["stream"]
    with ze.Loader({"x": array}, ze.samplers.windows(4, 4), memory=memory) as loader:
        for batch in loader:
            batch["x"].__dlpack__(stream=1)
            del batch
    assert opened.pop()["stream"] == handed
print("done")
""") == "done\n"


def test_cupys_stream_of_each_thread_is_waited_for(run_on_device):
    """Fails if a read begins before its work; without CuPy the message says what to do."""
    assert run_on_device("""
import types
whole = array.read(device="cuda:0")
refused(ValueError, "cudaStreamPerThread", stream=2)
refused(ValueError, "synchronize it", stream=2)
waited = []
runtime = types.SimpleNamespace(streamSynchronize=waited.append)
cuda = types.SimpleNamespace(runtime=runtime, get_current_stream=lambda: None)
sys.modules["cupy"] = types.SimpleNamespace(cuda=cuda)
assert array.read(out=Tensor(whole, stream=2)) is not None
with ze.Loader({"x": array}, ze.samplers.windows(4, 4), memory=Tensor(whole, stream=2)) as loader:
    next(iter(loader))
assert waited == [2, 2]
print("done")
""") == "done\n"


def test_memory_that_is_refused(run_on_device):
    assert run_on_device("""
whole = array.read(device="cuda:0")
windows = ze.samplers.windows(4, 4)
class Elsewhere(Tensor):
    def __dlpack_device__(self):
        return 2, 1
host = np.empty(1 << 20)
for memory, options, kind, text in (
    (Tensor(whole), {"device": "cuda:1"}, ValueError, "memory is on cuda:0, expected cuda:1"),
    (host, {"device": "cuda:0"}, ValueError, "memory is on the host, expected cuda:0"),
    ([Tensor(whole), host], {}, ValueError, "memory is on the host and cuda:0, expected one device"),
    ([Tensor(whole), Elsewhere(whole)], {}, ValueError, "cuda:0 and cuda:1"),
    (Tensor(whole, strides=(4, 256)), {}, ValueError, "not C-contiguous"),
    (Tensor(whole, data=(whole.__cuda_array_interface__["data"][0], True)), {}, ValueError, "read-only"),
    ([Tensor(whole), Tensor(whole)], {}, ValueError, "overlap"),
):
    try:
        ze.Loader({"x": array}, windows, memory=memory, **options)
    except kind as e:
        assert text in str(e), e
    else:
        raise AssertionError(text)
with ze.Loader({"x": array}, windows, memory=Tensor(whole, shape=(100,))) as loader:
    for _ in range(2):
        try:
            next(iter(loader))
        except MemoryError as e:
            assert "loader's memory of 400 bytes" in str(e), e
        else:
            raise AssertionError("a batch of 1 KiB")
print("done")
""") == "done\n"
