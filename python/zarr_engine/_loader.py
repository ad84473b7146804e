"""The loader: batches for training, read ahead."""

from __future__ import annotations

import asyncio
import collections
import concurrent.futures
import contextlib
import json
import os
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from typing import Any

import numpy as np

from . import _async, _java, _memory, _types, _whole
from ._array import Array, patiently
from ._device import DeviceArray, number_of
from ._errors import ZarrError
from ._supply import Supply
from ._transform import Transform
from .samplers import Generated, Sampler

_NONE = [-1]  # no batch
_INT_MAX = 2**31 - 1  # Java's
_PREFETCH_MAX = 1 << 16  # as in LoaderBuilder.java
_UNFINISHED_MAX = 2  # batches that a GPU may still work on, while it gets the next one


class Loader:
    """Delivers batches in order, and reads the next ones meanwhile. Iterating gives the batches of one epoch, each a
    dict of tensors; iterating again gives the next epoch, whose first batches are being read already. After a break it
    gives the rest of the epoch. "async for" gives the same batches without blocking the event loop; a batch that a
    cancelled task has waited for is the next one.

    >>> steps = ze.samplers.windows(2)                     # pairs of neighbouring time steps
    >>> loader = ze.Loader({"u": u, "v": v}, steps, batch=8, shuffle=42, device="cuda:0")
    >>> for epoch in range(10):
    ...     for batch in loader:
    ...         train(batch["u"], batch["v"])               # shape (8, 2, ...)

    arrays: an array, or a dict of arrays by the names of their tensors. An array alone has the name of its folder.
    sampler: the samples, from ze.samplers; or a dict of samplers, one for each array, with as many samples.
    batch: samples in a batch. prefetch: batches that are read ahead.
    shuffle: a seed: each epoch has another order at random, the same for the same seed. None: in order.
    chunks_together: with shuffle, mixes the samples of so many chunks at a time, which a chunk_cache that holds them
        decodes once an epoch. report() says what an order costs. None: mixes all samples.
    epoch_length: samples in an epoch of a sampler without end.
    epochs: number of epochs, after which iterating gives nothing; None for no end.
    rank, world_size: divide each epoch among processes. Default: RANK and WORLD_SIZE of the environment, as torchrun
        sets them, else one process.
    end: what happens to samples at the end of an epoch that do not fill a batch of every rank: "partial" delivers a
        smaller batch, "drop" leaves them out, "pad" repeats samples of the beginning. Default: "drop" with several
        ranks, which then all have the same number of steps; else "partial".
    transforms: a dict of tensors that are computed: their names, and a Transform (for the array of that
        name) or a dict of Transforms by the names of arrays, which are stacked as channels. Batches then have these
        tensors only.
    device: "cuda:0" reads to a GPU; memory there implies it.
    memory: your memory for the batches: an array of NumPy, CuPy or others, or a tensor of torch, of any type and
        C-contiguous, on the host (pinned for example) or on a GPU; or a list of these, each for whole tensors. It
        holds prefetch + 2 batches, and more that you keep, each tensor rounded up to 64 bytes. On a GPU it is first
        written after the work that is queued in the current stream when the loader opens.
    framework: "numpy", "torch" or "dlpack" (arrays with __dlpack__, on a GPU only). Default: "numpy"; on a GPU
        "torch" if it is imported, else "dlpack".

    Host arrays lie in the loader's memory, or in yours, which is used again when they are collected, so they may be
    kept. GPU tensors too, and their memory is used again after the work that is queued then on the stream that was
    current when the batch was taken; who uses them in another stream must synchronize before dropping them. Numbers of
    bfloat16 are torch.bfloat16, or of ml_dtypes if that is installed, else uint16.

    Raises what Array.read raises; the step remains the next one, and skip() passes over it. Threads: one at a time.
    """

    def __init__(
        self,
        arrays: Array | Mapping[str, Array],
        sampler: Sampler | Mapping[str, Sampler],
        *,
        batch: int = 1,
        prefetch: int = 2,
        shuffle: int | None = None,
        chunks_together: int | None = None,
        epoch_length: int | None = None,
        epochs: int | None = None,
        rank: int | None = None,
        world_size: int | None = None,
        end: str | None = None,
        transforms: Mapping[str, Transform | Mapping[str, Transform]] | None = None,
        device: str | None = None,
        framework: str | None = None,
        memory: Any = None,
    ):
        named = {os.path.basename(arrays.location): arrays} if isinstance(arrays, Array) else dict(arrays)
        ranks = _whole.number(
            int(os.environ.get("WORLD_SIZE", 1)) if world_size is None else world_size, "world_size", 1, _INT_MAX
        )
        if end not in (None, "partial", "drop", "pad"):
            raise ValueError(f'end is {end!r}, expected "partial", "drop" or "pad"')
        if chunks_together is not None and shuffle is None:
            raise ValueError("chunks_together needs shuffle, a seed")
        self._lent = None if memory is None else _memory.Lent(memory, device)
        if self._lent is not None and self._lent.device != _memory.HOST:
            device = f"cuda:{self._lent.device}"
        self._framework = framework or _default_framework(device)
        if self._framework not in ("numpy", "torch", "dlpack") or (self._framework == "numpy") and device:
            raise ValueError(f"framework {self._framework!r} on {device or 'the host'}")
        self._arrays = named  # keeps them open
        self._description = {
            "arrays": [],
            "batch": _whole.number(batch, "batch", 1, _INT_MAX),
            "prefetch": _whole.number(prefetch, "prefetch", 0, _PREFETCH_MAX),
            "seed": _whole.optional(shuffle, "shuffle"),
            "chunks_together": _whole.optional(chunks_together, "chunks_together", 1, _INT_MAX),
            "epoch_length": _whole.optional(epoch_length, "epoch_length", 1),
            "epochs": _whole.optional(epochs, "epochs", 1),
            "rank": _whole.number(int(os.environ.get("RANK", 0)) if rank is None else rank, "rank", 0, _INT_MAX),
            "ranks": ranks,
            "end": (end or ("drop" if ranks > 1 else "partial")).upper(),
            "outputs": [_output(name, made) for name, made in (transforms or {}).items()],
            "device": number_of(device) if device is not None else _memory.HOST,
        }
        samplers = [_of(sampler, name) for name in named]
        self._supply = self._supply_of(samplers, named)
        if self._supply is None:
            self._description["arrays"] = [
                self._array(name, one._describe(named[name].shape)) for name, one in zip(named, samplers)
            ]
        self._state = {"epoch": 0, "sample": 0}
        self._handle = 0  # 0: closed, or over
        self._is_over = False  # the samples that the user's code makes have ended
        self._types: list[tuple[str, np.dtype, bool]] = []  # name, type, whether it is bfloat16
        self._ahead: list[int] | None = None  # a batch of the next epoch
        self._begun: concurrent.futures.Future[list[int]] | None = None  # what a task waits for, or waited
        self._is_awaited = False  # a task waits for it
        self._queued: collections.deque[Any] = collections.deque()  # events after the work on the last batches
        self._open()

    def _supply_of(self, samplers: list[Sampler], named: dict[str, Array]) -> Supply | None:
        """Returns the samples that the user's code makes, or None."""
        generated = [sampler for sampler in samplers if isinstance(sampler, Generated)]
        if not generated:
            return None
        if len(generated) < len(samplers):
            raise ValueError("generated samples beside others: give each array generated samples")
        if self._description["seed"] is not None or self._description["end"] == "PAD":
            raise ValueError('generated samples have an order of their own: no shuffle, and no end="pad"')
        return Supply(generated, [array.shape for array in named.values()], self._description)

    def _array(self, name: str, sampler: Any) -> dict[str, Any]:
        return {"name": name, "handle": self._arrays[name]._handle, "sampler": sampler}

    def _open(self) -> None:
        description = {**self._description, "state": self._state}
        if self._lent is not None:
            description |= {"memory": self._lent.free(), "stream": self._lent.stream()}
        if self._supply is not None:
            self._supply.start(self._state)
            self._supply.fetch(self._state, max(1, self._description["prefetch"]))
            self._is_over = not self._supply.has_more(self._state)
            if self._is_over:
                return
            description["epochs"] = self._supply.epochs()
            description["arrays"] = [
                self._array(name, self._supply.describe(i)) for i, name in enumerate(self._arrays)
            ]
        self._handle = _java.call("openLoader", json.dumps(description))

    def _supply_next(self) -> None:
        """Gives Java the samples that it needs to take a batch. It learns their end when it opens."""
        had_ended = self._supply.count is not None
        self._supply.fetch(self._state, 1 + self._description["prefetch"])
        if self._supply.count is not None and not had_ended:
            self._close_java()
            self._open()
        else:
            self._supply.give(self._handle)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        epoch = self._state["epoch"]
        while self._state["epoch"] == epoch and self._is_of(epoch, self._ahead or self._take()):
            yield self._batch(self._delivered())
        self._fail()

    async def __aiter__(self) -> AsyncIterator[dict[str, Any]]:
        epoch = self._state["epoch"]
        while self._state["epoch"] == epoch and self._is_of(epoch, self._ahead or await self._take_async()):
            yield self._batch(self._delivered())
        self._fail()

    def _fail(self) -> None:
        """Raises what the user's code raised, after the last of the samples before."""
        if self._supply is not None and self._supply.failure is not None and not self._supply.has_more(self._state):
            raise self._supply.failure

    def _is_of(self, epoch: int, numbers: list[int]) -> bool:
        """Keeps a batch as the next one, and returns whether it is of this epoch."""
        if numbers[0] < 0:  # There is none.
            return False
        self._ahead = numbers
        if numbers[0] != epoch:
            self._state = {"epoch": numbers[0], "sample": 0}
        return numbers[0] == epoch

    def _delivered(self) -> list[int]:
        """Returns the next batch, which is delivered."""
        numbers, self._ahead = self._ahead, None
        self._state = self._state_of(numbers[2], numbers[3])
        return numbers

    def _state_of(self, epoch: int, sample: int) -> dict[str, int]:
        return {"epoch": epoch, "sample": sample} if self._supply is None else self._supply.after(epoch, sample)

    def _take(self) -> list[int]:
        """Returns a batch as numbers, as BatchTensor.java describes; -1 after the last one."""
        if self._begun is not None:  # A task that was cancelled has waited for it.
            return self._ended(self._begun.result)
        late = self._late_work()
        if late is not None:
            late.synchronize()
        if not self._prepare():
            return _NONE
        return _number_of(patiently(_java.call("beginBatch", self._handle, False), self._keep))

    async def _take_async(self) -> list[int]:
        """Returns what _take() returns, without blocking the event loop."""
        if self._is_awaited:
            raise RuntimeError(
                "another task waits for the next batch of this loader: one loop at a time takes batches, so give each"
                " its own loader, or its batches by a queue"
            )
        self._is_awaited = True
        try:
            return await self._begin_and_await()
        finally:
            self._is_awaited = False

    async def _begin_and_await(self) -> list[int]:
        if self._begun is None:
            late = self._late_work()
            if late is not None:
                await asyncio.to_thread(late.synchronize)
            if not self._prepare():
                return _NONE
            self._begun = _async.begun(lambda: _java.call("beginBatch", self._handle, True))
        begun = self._begun
        await _async.ended(begun)  # A task that is cancelled leaves the batch begun.
        if self._begun is not begun:
            raise ValueError("the loader was closed or sent elsewhere while a task waited for its batch")
        return self._ended(begun.result)

    def _ended(self, result: Callable[[], list[int]]) -> list[int]:
        """Returns what was begun and has ended, or waits for it."""
        try:
            numbers = result()
        except Exception:
            self._begun = None
            raise
        self._begun = None
        return _number_of(numbers)

    def _prepare(self) -> bool:
        """Makes the samples of the next batch. Returns whether there may be one."""
        if self._handle == 0 and not self._is_over:
            raise ValueError("the loader is closed")
        if self._handle and self._supply is not None:
            self._supply_next()
            self._is_over = not self._supply.has_more(self._state)
        return not self._is_over

    def _keep(self, numbers: list[int]) -> None:
        """Keeps a batch that came after Ctrl-C was pressed."""
        if len(numbers) > 1:
            self._ahead = list(numbers)

    def _batch(self, numbers: list[int]) -> dict[str, Any]:
        results = _results(numbers)
        if not self._types:
            words = [str(word) for word in _java.call("describeBatch", results[0][0])]
            self._types = [
                (name, _types.of({"type": kind, "numpy": text}), kind == "bfloat16")
                for name, kind, text in zip(words[::3], words[1::3], words[2::3])
            ]
        return {
            name: self._tensor(result, dtype, is_bfloat16)
            for (name, dtype, is_bfloat16), result in zip(self._types, results, strict=True)
        }

    def _tensor(self, result: list[int], dtype: np.dtype, is_bfloat16: bool) -> Any:
        is_torch = self._framework == "torch"
        if self._description["device"] != _memory.HOST:
            on_device = DeviceArray(result, dtype, is_bfloat16, self._lent)
            if self._lent is not None and on_device.nbytes > 0:
                self._lent.use(result[1], on_device)
            return _torch().from_dlpack(on_device) if is_torch else on_device
        array = _memory.array(result, dtype, self._lent)
        if not is_torch:
            return array
        if is_bfloat16:  # from_numpy knows no such type
            return _torch().from_numpy(array.view(np.int16)).view(_torch().bfloat16)
        return _torch().from_numpy(array)

    def _late_work(self) -> Any:
        """Returns an event to wait for if the GPU is far behind, because batches that it still works on take its
        memory; or None."""
        if self._framework != "torch" or self._description["device"] == _memory.HOST:
            return None
        cuda = _torch().cuda
        with cuda.device(self._description["device"]):
            self._queued.append(cuda.current_stream().record_event())
        return self._queued.popleft() if len(self._queued) > _UNFINISHED_MAX else None

    def skip(self) -> None:
        """Passes over the next batch, for example one that cannot be read. Raises ZarrError if there is none."""
        if self._begun is not None:
            with contextlib.suppress(Exception):  # It is this one that cannot be read.
                self._keep(self._take())
        if self._ahead is not None:
            _drop(self._delivered())
            return
        if not self._prepare():
            raise ZarrError("the loader has no more batches")
        epoch, sample = _java.numbers("skipBatch", self._handle)
        self._state = self._state_of(epoch, sample)

    def report(self) -> dict[str, float]:
        """Returns what the order costs and how well it mixes, of an epoch: the number of "chunks"; "reads_per_chunk",
        if each step reads its chunks once; "chunks_per_sample", 1 if no two samples of a batch are of one chunk; and
        "displacement", how far samples move, from 0 in order to 1 at random. All are 0 for a rank without samples. Takes
        microseconds for each sample."""
        if self._supply is not None:
            raise ValueError("no report of generated samples, which are not known before")
        numbers = _java.call("reportOrder", json.dumps({**self._description, "state": self._state}))
        return dict(zip(("chunks", "reads_per_chunk", "chunks_per_sample", "displacement"), map(float, numbers)))

    def state_dict(self) -> dict[str, int]:
        """Returns where to go on: complete epochs, and samples of this epoch that all ranks together have got. Another
        batch size or number of ranks may go on there."""
        return dict(self._state)

    def load_state_dict(self, state: Mapping[str, int]) -> None:
        """Goes on where another loader with the same samples and seed was."""
        place = {name: _whole.number(state[name], name) for name in ("epoch", "sample")}
        former = self._state
        self.close()
        if self._supply is not None:
            self._supply.forget_failure()
        self._state = place
        try:
            self._open()
        except BaseException:
            self._state = former
            self._open()
            raise

    def dataset(self) -> Any:
        """Returns a torch IterableDataset of these batches, for DataLoader(dataset, batch_size=None,
        num_workers=0)."""
        loader = self

        class Batches(_torch().utils.data.IterableDataset):
            def __iter__(self) -> Iterator[dict[str, Any]]:
                if _torch().utils.data.get_worker_info() is not None:
                    raise RuntimeError("the loader reads ahead in threads of its own: use num_workers=0")
                return iter(loader)

        return Batches()

    def close(self) -> None:
        """Ends the reads under way. Batches stay valid."""
        self._is_over = False
        self._close_java()

    def _close_java(self) -> None:
        handle, self._handle = self._handle, 0
        begun, self._begun = self._begun, None
        ahead, self._ahead = self._ahead, None
        if ahead is not None:
            _drop(ahead)
        if handle:
            _java.call_if_running("closeLoader", handle)
        if begun is not None:
            begun.add_done_callback(_drop_begun)

    def __enter__(self) -> Loader:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_handle", 0):
            with contextlib.suppress(Exception):
                self.close()

    def __repr__(self) -> str:
        return f"<zarr_engine.Loader of {', '.join(self._arrays)}, {self._state}>"


def _number_of(numbers: list[int]) -> list[int]:
    """Returns the numbers of a batch; -1 if Java has none."""
    return list(numbers) if len(numbers) > 1 else _NONE


def _results(numbers: list[int]) -> list[list[int]]:
    """Returns the results in the numbers of a batch."""
    at = 5 + numbers[4]
    results = []
    while at < len(numbers):
        results.append(numbers[at + 1 : at + 1 + numbers[at]])
        at += 1 + numbers[at]
    return results


def _drop_begun(begun: concurrent.futures.Future[list[int]]) -> None:
    """Frees a batch that nobody waits for any more."""
    if begun.exception() is None and len(begun.result()) > 1:
        _drop(begun.result())


def _drop(numbers: list[int]) -> None:
    """Frees a batch."""
    for result in _results(numbers):
        _java.free(result[0])


def _default_framework(device: str | None) -> str:
    if device is None:
        return "numpy"
    return "torch" if "torch" in sys.modules else "dlpack"


def _of(sampler: Any, name: str) -> Sampler:
    one = sampler[name] if isinstance(sampler, Mapping) else sampler
    if not isinstance(one, Sampler):
        raise TypeError(f"the sampler is {one!r}, expected one of ze.samplers")
    return one


def _output(name: str, made: Any) -> dict[str, Any]:
    is_stack = not isinstance(made, Transform)
    channels = dict(made) if is_stack else {name: made}
    return {
        "name": name,
        "stack": is_stack,
        "channels": [
            {"array": array, "transform": transform._members()} for array, transform in channels.items()
        ],
    }


def _torch() -> Any:
    import torch

    return torch
