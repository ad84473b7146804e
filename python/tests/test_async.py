"""Reads that are awaited: the same results, many at once, cancelled without harm."""

import asyncio
import gc

import numpy as np
import pytest
import zarr
import zarr_engine as ze
from zarr_engine import _java

from conftest import same
from ticking import ticks_beside

ELEMENTS = np.arange(1 << 16, dtype="i8").reshape(256, 256)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("arrays") / "a.zarr"
    zarr.create_array(folder, shape=(256, 256), dtype="i8", chunks=(32, 32))[...] = ELEMENTS
    return folder


def test_many_at_once(folder):
    array = ze.open(folder)

    async def read():
        return await asyncio.gather(*(array.aread((slice(i, i + 10), i)) for i in range(246)))

    for i, found in enumerate(asyncio.run(read())):
        same(found, ELEMENTS[i : i + 10, i])


def test_every_form(folder):
    array = ze.open(folder)
    out = np.zeros((2, 4, 256), "i8")

    async def read():
        keys = [(slice(0, 4), ...), (slice(8, 12), ...)]
        assert await array.aread(keys, out=out) is out
        same(await array.aread(keys), out)
        same(await array.aread((3, [5, 1])), ELEMENTS[3, [5, 1]])
        with pytest.raises(IndexError):
            await array.aread((256,))
        with pytest.raises(ValueError, match="shape"):
            await array.aread(keys, out=out[0])

    asyncio.run(read())
    same(out, np.stack([ELEMENTS[0:4], ELEMENTS[8:12]]))


def test_damage_reaches_the_task(folder, tmp_path):
    import shutil

    shutil.copytree(folder, tmp_path / "b.zarr")
    (tmp_path / "b.zarr/c/1/1").write_bytes(b"no")
    with pytest.raises(ze.ZarrError, match="c/1/1"):
        asyncio.run(ze.open(tmp_path / "b.zarr").aread())


def test_the_loop_goes_on(folder):
    """Another task runs while one reads."""
    array = ze.open(folder)

    async def work():
        for _ in range(20):
            await array.aread()

    assert asyncio.run(ticks_beside(work())) > 20


def test_cancelled_reads_leave_nothing(folder):
    array = ze.open(folder)
    gc.collect()
    results = _java.call("inUse")[1]

    async def read():
        out = np.zeros((256, 256), "i8")
        for form in ({}, {"out": out}):
            for _ in range(200):
                task = asyncio.create_task(array.aread(**form))
                await asyncio.sleep(0)
                task.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await task
        same(await array.aread((0,)), ELEMENTS[0])
        for _ in range(100):
            _, kept, reading = _java.call("inUse")[:]
            if reading == 0 and kept <= results:
                return
            await asyncio.sleep(0.05)
        raise AssertionError(_java.call("inUse")[:])

    asyncio.run(read())


def test_loops_of_several_threads(folder):
    import concurrent.futures

    array = ze.open(folder)
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for i, found in enumerate(pool.map(lambda i: asyncio.run(array.aread((i,))), range(40))):
            same(found, ELEMENTS[i])


def test_ends_in_the_middle_of_reads(run, folder):
    program = """
import asyncio, sys, zarr_engine as ze
array = ze.open(sys.argv[1])
async def read():
    for _ in range(100):
        asyncio.create_task(array.aread())
    await array.aread()
asyncio.run(read())
print("done")
"""
    assert run(program, folder) == "done\n"
