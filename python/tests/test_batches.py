"""Batches that are awaited, and batches in the caller's memory."""

import asyncio
import contextlib
import gc
import time

import numpy as np
import pytest
import zarr
import zarr_engine as ze
from zarr_engine import _java

from server import Server
from ticking import ticks_beside

ELEMENTS = np.arange(40 * 1000, dtype="f4").reshape(40, 1000)


@pytest.fixture
def array(tmp_path):
    zarr.create_array(tmp_path / "u", shape=ELEMENTS.shape, dtype="f4", chunks=(1, 500))[...] = ELEMENTS
    return ze.open(tmp_path / "u")


def loader(array, **options):
    return ze.Loader(array, ze.samplers.windows(1), **options)


def firsts(batch):
    return [int(sample.flat[0]) // 1000 for sample in batch["u"]]


def test_async_for_gives_the_same_batches(array):
    async def epochs():
        awaited = loader(array, batch=8, shuffle=3)
        return [[firsts(batch) async for batch in awaited] for _ in range(2)]

    synchronous = loader(array, batch=8, shuffle=3)
    assert asyncio.run(epochs()) == [[firsts(batch) for batch in synchronous] for _ in range(2)]


def test_async_and_other_loops_take_turns(array):
    """A break in the one goes on in the other, with generated samples too."""
    for sampler in (ze.samplers.windows(1), ze.samplers.generated(lambda n: slice(n, n + 1))):
        both = ze.Loader(array, sampler, batch=5)

        async def two():
            got = []
            async for batch in both:
                got += firsts(batch)
                if len(got) == 10:
                    return got

        got = asyncio.run(two())
        for batch in both:
            got += firsts(batch)
            break
        got += asyncio.run(two())
        assert got == list(range(25))


def test_the_event_loop_goes_on(array):
    async def work():
        async for _ in loader(array, prefetch=0):
            pass

    assert asyncio.run(ticks_beside(work())) > 20


def test_a_cancelled_task_loses_no_batch(array):
    """Whether the batch comes before or after the cancellation, and whoever takes it then."""

    async def cancelled(batches, got, polls):
        async def take():
            async for batch in batches:
                got.extend(firsts(batch))

        task = asyncio.create_task(take())
        for _ in range(polls):
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    for polls in (1, 2, 3, 5, 9):
        batches, got = loader(array, batch=4, prefetch=0), []
        for _ in range(3):
            asyncio.run(cancelled(batches, got, polls))
        time.sleep(0.01)
        for batch in batches:
            got += firsts(batch)
        assert got == list(range(40)), polls


def test_a_batch_that_cannot_be_read_fails_and_is_skipped(array, tmp_path):
    (tmp_path / "u/c/8/0").write_bytes(b"damaged")
    batches, got = loader(array, batch=4), []

    async def take():
        async for batch in batches:
            got.extend(firsts(batch))

    for _ in range(2):
        with pytest.raises(ze.ZarrError, match="c/8/0"):
            asyncio.run(take())
    batches.skip()
    asyncio.run(take())
    assert got == [*range(8), *range(12, 40)]


def results_in_use():
    gc.collect()
    return _java.call("inUse")[1]


def test_closing_while_a_task_waits(array):
    """Fails if a batch leaks, whether it comes before the loader is closed or not."""
    before = results_in_use()

    async def close(seconds):
        batches = loader(array, batch=40, prefetch=0)

        async def take():
            async for _ in batches:
                pass

        task = asyncio.create_task(take())
        await asyncio.sleep(0)
        time.sleep(seconds)
        batches.close()
        with pytest.raises((ValueError, ze.ZarrError)):
            await task

    for turn in range(20):
        asyncio.run(close(0.01 * (turn % 2)))
    patience = time.monotonic() + 10
    while results_in_use() > before and time.monotonic() < patience:
        time.sleep(0.01)
    assert results_in_use() <= before


def test_closing_does_not_wait_for_a_server(array, tmp_path):
    with contextlib.closing(Server(tmp_path)) as server:
        batches = loader(ze.open(f"{server.url}/u", storage_options={"timeout": 60}), prefetch=0)

        async def close():
            async def take():
                async for _ in batches:
                    pass

            server.delay = 20
            task = asyncio.create_task(take())
            while not server.open_requests:
                await asyncio.sleep(0.01)
            batches.close()
            assert server.most_requests <= 2  # No request was repeated meanwhile.
            with pytest.raises((ValueError, ze.ZarrError)):
                await task

        asyncio.run(close())


BATCH = 4 * 4000  # bytes


def test_batches_lie_in_the_callers_memory(array):
    """Three with prefetch=1, as the loop has one while the next is taken; between guard bytes, for a whole epoch."""
    whole = np.full(64 + 3 * (BATCH + 64) + 64, 0xA5, np.uint8)
    memory = whole[61:-64]
    batches = loader(array, batch=4, prefetch=1, memory=memory)
    places, n = set(), 0
    for batch in batches:
        assert np.shares_memory(batch["u"], memory)
        assert batch["u"].ctypes.data % 64 == 0
        places.add(batch["u"].ctypes.data)
        np.testing.assert_array_equal(batch["u"][:, 0], ELEMENTS[4 * n : 4 * n + 4])
        n += 1
    assert n == 10 and len(places) <= 3
    assert (whole[:61] == 0xA5).all() and (whole[-64:] == 0xA5).all()


def test_arrays_keep_the_callers_memory(array):
    batches = loader(array, batch=4, prefetch=0, memory=np.empty(4 * (BATCH + 64), np.uint8))
    kept = [batch["u"] for _, batch in zip(range(2), batches)]
    del batches
    gc.collect()
    filler = [np.full(4 * (BATCH + 64), 7, np.uint8) for _ in range(20)]
    np.testing.assert_array_equal(np.concatenate(kept)[:, 0], ELEMENTS[:8])
    assert len(filler) == 20


def test_a_batch_that_nobody_waits_for_is_no_complaint(tmp_path, caplog):
    """Of asyncio, when its loader is collected before its end."""
    zarr.create_array(tmp_path / "u", shape=(20, 4), dtype="i4", chunks=(1, 4))[...] = 1
    with contextlib.closing(Server(tmp_path)) as server:
        remote = ze.open(f"{server.url}/u", storage_options={"timeout": 5})
        server.delay = 0.2

        async def wait():
            batches = ze.Loader(remote, ze.samplers.windows(1), batch=2)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(0.02):
                    async for _ in batches:
                        pass

        for _ in range(3):
            asyncio.run(wait())
            time.sleep(0.3)  # The batch ends a little later.
            gc.collect()
        remote.close()
    assert "never retrieved" not in caplog.text


def test_memory_of_objects_is_refused(array):
    """Python would take the elements of batches for addresses."""
    for dtype in (object, [("a", "i4"), ("b", object)]):
        with pytest.raises(TypeError, match="memory has elements of type"):
            loader(array, memory=np.empty(10_000, dtype))


def test_memory_that_is_too_small(array):
    with pytest.raises(MemoryError, match="loader's memory of 100 bytes"):
        list(loader(array, batch=4, memory=np.empty(100, np.uint8)))
    batches = loader(array, batch=4, prefetch=1, memory=np.empty(3 * (BATCH + 64), np.uint8))
    kept = [next(iter(batches)) for _ in range(3)]
    for _ in range(2):
        with pytest.raises(MemoryError, match="in use"):
            next(iter(batches))
    kept.clear()
    gc.collect()
    assert firsts(next(iter(batches))) == list(range(12, 16))


@pytest.mark.parametrize("way", ["resumed", "ended"])
def test_kept_batches_are_not_overwritten(array, way):
    """Neither after load_state_dict(), nor when generated samples end: the memory in use is left out."""
    options = {"batch": 4, "prefetch": 1, "memory": np.empty(8 * (BATCH + 64), np.uint8)}
    if way == "resumed":
        batches = loader(array, **options)
        kept = [batch["u"] for _, batch in zip(range(2), batches)]
        batches.load_state_dict({"epoch": 0, "sample": 20})
        rest = [firsts(batch) for batch in batches]
        assert rest == [list(range(n, n + 4)) for n in range(20, 40, 4)]
    else:
        batches = ze.Loader(array, ze.samplers.generated(slice(n, n + 1) for n in range(18)), **options)
        kept = [batch["u"] for batch in batches][:2]
    np.testing.assert_array_equal(np.concatenate(kept)[:, 0], ELEMENTS[:8])


def test_transformed_batches_lie_in_the_callers_memory(array):
    memory = np.empty((5, 4, 1, 1000 + 16), "f4")  # enumerate keeps one more
    scaled = {"x": {"u": ze.Transform().normalize(1, 2)}}
    batches = ze.Loader({"u": array}, ze.samplers.windows(1), batch=4, prefetch=2, transforms=scaled, memory=memory)
    for n, batch in enumerate(batches):
        assert np.shares_memory(batch["x"], memory)
        np.testing.assert_array_equal(batch["x"][:, 0, 0], (ELEMENTS[4 * n : 4 * n + 4] - 1) / 2)


def test_refuses_memory(array):
    with pytest.raises(ValueError, match="read-only or not C-contiguous"):
        loader(array, memory=np.empty((8, 8))[:, ::2])
    locked = np.empty(8)
    locked.flags.writeable = False
    with pytest.raises(ValueError, match="read-only or not C-contiguous"):
        loader(array, memory=locked)
    with pytest.raises(TypeError, match="memory is a int"):
        loader(array, memory=[0] * 8)
    with pytest.raises(ValueError, match="an empty list"):
        loader(array, memory=[])
    with pytest.raises(ValueError, match="memory is on the host, expected cuda:0"):
        loader(array, memory=np.empty(8), device="cuda:0", framework="dlpack")
    whole = np.empty(8)
    with pytest.raises(ValueError, match="overlap"):
        loader(array, memory=[whole[:5], whole[4:]])


def test_a_ring_of_arrays_holds_batches(array):
    """Fault: a batch lies in two of them, or they hold fewer than there are."""
    ring = [np.full((4, 1, 1000), -1, "f4") for _ in range(4)]
    batches = loader(array, batch=4, prefetch=1, memory=ring)
    kept = [batch["u"] for _, batch in zip(range(2), batches)]
    batches.load_state_dict({"epoch": 0, "sample": 20})
    places = set()
    for n, batch in zip(range(20, 40, 4), batches):
        assert firsts(batch) == list(range(n, n + 4))
        places.add(batch["u"].ctypes.data)
    np.testing.assert_array_equal(np.concatenate(kept)[:, 0], ELEMENTS[:8])
    assert places <= {each.ctypes.data for each in ring} - {each.ctypes.data for each in kept}


def test_batches_after_too_little_memory_are_in_order(array):
    """Fault: when memory is free again, batches that found none when they were read ahead fail."""
    batches = loader(array, batch=4, prefetch=2, memory=np.empty(3 * (BATCH + 64), np.uint8))
    kept, turn = [], iter(batches)
    with pytest.raises(MemoryError, match="in use"):
        for batch in turn:
            kept.append(batch["u"])
    got = [int(n) for each in kept for n in each[:, 0, 0] // 1000]
    kept.clear()
    batch = turn = None
    gc.collect()
    for batch in batches:
        got += firsts(batch)
    assert got == list(range(40))


def test_two_tasks_cannot_wait_for_one_loader(array):
    """Fault: the second is told that the loader was closed. The first goes on."""
    batches = loader(array, batch=4, prefetch=0)

    async def take():
        return [firsts(batch) async for batch in batches]

    async def two():
        return await asyncio.gather(take(), take(), return_exceptions=True)

    results = asyncio.run(two())
    (failure,) = [result for result in results if isinstance(result, Exception)]
    assert isinstance(failure, RuntimeError) and "another task waits" in str(failure)
    (got,) = [result for result in results if not isinstance(result, Exception)]
    assert sum(got, []) == list(range(40))
