"""zarr-python with our codec pipeline gives what it gives without."""

import os

import numpy as np
import pytest
import zarr
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from zarr_engine._array import Array

from conftest import same
from test_indexing import POSITIVE, SHAPE, basic, orthogonal

PATH = "zarr_engine.zarr.EnginePipeline"
ELEMENTS = np.arange(840, dtype="i4").reshape(SHAPE)
LAYOUTS = [
    dict(chunks=(2, 5, 4)),
    dict(chunks=(2, 3, 5), shards=(4, 6, 10)),
    dict(chunks=(2, 5, 4), chunk_key_encoding={"name": "v2", "separator": "."}),
    dict(chunks=(2, 5, 4), chunk_key_encoding={"name": "v2", "separator": "/"}),
    dict(chunks=(2, 5, 4), chunk_key_encoding={"name": "default", "separator": "."}),
    dict(chunks=(2, 5, 4), filters=zarr.codecs.TransposeCodec(order=(2, 0, 1)), compressors=zarr.codecs.BloscCodec()),
]
random = settings(
    max_examples=60, derandomize=True, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def opened(store, **options):
    with zarr.config.set({"codec_pipeline.path": PATH}):
        return zarr.open_array(store, mode="r+", **options)


@pytest.fixture(scope="module", params=LAYOUTS, ids=str)
def pair(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("arrays") / "a"
    plain = zarr.create_array(folder, shape=SHAPE, dtype="i4", fill_value=3, **request.param)
    plain[:5] = ELEMENTS[:5]  # the rest is missing
    return opened(folder), plain


@pytest.fixture
def reads(monkeypatch):
    """Counts the reads of the engine."""
    reads, code = [], Array._code

    def counted(array, selection):
        reads.append(array)
        return code(array, selection)

    monkeypatch.setattr(Array, "_code", counted)
    return reads


@random
@given(key=basic(POSITIVE, axes=False))
def test_boxes(pair, key):
    found, expected = pair[0][key], pair[1][key]
    same(found, expected)


@random
@given(key=orthogonal())
def test_lists(pair, key):
    key = tuple(np.array(part, int) if isinstance(part, list) or getattr(part, "dtype", None) == object else part
                for part in key)
    same(pair[0].oindex[key], pair[1].oindex[key])


@random
@given(seed=st.integers(0, 2**32 - 1))
def test_points(pair, seed):
    mask = np.random.default_rng(seed).random(SHAPE) < 0.1
    same(pair[0].vindex[mask], pair[1].vindex[mask])


def test_the_engine_reads_boxes_only(pair, reads):
    for key in (..., (0, 1, 2), (slice(1, 4), 3), (slice(2, 3), slice(0, 12), slice(3, 9))):
        same(pair[0][key], pair[1][key])
    assert len(reads) == 4
    same(pair[0].oindex[[0, 3]], pair[1].oindex[[0, 3]])
    same(pair[0][::2], pair[1][::2])
    assert len(reads) == 4


@pytest.mark.parametrize("separator", "./")
@pytest.mark.parametrize("name", ["default", "v2"])
def test_arrays_deep_in_groups(tmp_path, reads, name, separator):
    # Groups have a document too.
    keys = {"name": name, "separator": separator}
    plain = zarr.create_array(tmp_path, name="g/h/a", shape=(6, 6), dtype="i4", chunks=(2, 2), chunk_key_encoding=keys)
    plain[...] = np.arange(36).reshape(6, 6)
    with zarr.config.set({"codec_pipeline.path": PATH}):
        same(zarr.open_group(tmp_path, mode="r")["g/h/a"][1:], plain[1:])
    assert len(reads) == 1


def test_large_results(tmp_path, reads):
    elements = np.random.default_rng(1).integers(0, 99, (700, 800)).astype("i4")
    zarr.create_array(tmp_path / "a", shape=elements.shape, dtype="i4", chunks=(100, 90))[...] = elements
    same(opened(tmp_path / "a")[...], elements)
    same(opened(tmp_path / "a")[9:, 5], elements[9:, 5])
    assert len(reads) == 2


def test_sees_what_others_write(tmp_path, reads):
    plain = zarr.create_array(tmp_path / "a", shape=(64,), dtype="i4", chunks=(4,), shards=(16,), compressors=None)
    ours = opened(tmp_path / "a")
    for i in range(1, 50):
        (ours if i % 4 == 0 else plain)[i : i + 9] = i
        same(ours[...], plain[...])
    assert len(reads) >= 49
    with zarr.config.set({"codec_pipeline.path": PATH}):
        again = zarr.create_array(tmp_path / "a", shape=(64,), dtype="f8", chunks=(8,), overwrite=True)
    again[3:9] = 0.5
    same(again[...], zarr.open_array(tmp_path / "a", mode="r")[...])
    assert reads[-1].dtype == np.dtype("f8")


@pytest.mark.parametrize("content", [b"", b"damaged", None], ids=str)
@pytest.mark.parametrize("options", [{}, dict(compressors=zarr.codecs.GzipCodec()), dict(shards=(10,))], ids=str)
def test_damage_is_zarr_pythons(tmp_path, content, options):
    # Programs catch its exceptions, and it takes some damage for missing chunks.
    plain = zarr.create_array(tmp_path / "a", shape=(20,), dtype="i4", chunks=(5,), **options)
    plain[...] = np.arange(1, 21)
    chunk = tmp_path / "a/c/0"
    chunk.unlink()
    chunk.mkdir() if content is None else chunk.write_bytes(content)
    outcomes = []
    for array in (plain, opened(tmp_path / "a")):
        try:
            outcomes.append(array[...].tolist())
        except Exception as e:
            outcomes.append((type(e), str(e)))
    assert outcomes[0] == outcomes[1]


@pytest.mark.parametrize("options", [dict(shape=(7,)), dict(fill_value=3), dict(dtype="f4")], ids=str)
def test_arrays_that_others_replace(tmp_path, options):
    # An open array of zarr-python keeps its document.
    usual = dict(shape=(20,), dtype="i4", chunks=(5,), overwrite=True)
    plain = zarr.create_array(tmp_path / "a", **usual)
    ours = opened(tmp_path / "a")
    same(ours[...], plain[...])
    zarr.create_array(tmp_path / "a", **usual | options)[:6] = 1
    for key in (..., slice(5, 8), 19):
        same(ours[key], plain[key])


def test_stores_that_change_what_they_read(tmp_path):
    class Inverted(zarr.storage.LocalStore):
        async def get(self, key, prototype, byte_range=None):
            found = await super().get(key, prototype, byte_range)
            if found is None or key.endswith("zarr.json"):
                return found
            return prototype.buffer.from_bytes(bytes(255 - byte for byte in found.to_bytes()))

    zarr.create_array(tmp_path / "a", shape=(4,), dtype="u1", chunks=(4,), compressors=None)[...] = [1, 2, 3, 4]
    assert opened(Inverted(tmp_path / "a"))[...].tolist() == [254, 253, 252, 251]


def test_does_not_break_an_older_zarr_python(tmp_path, run):
    # zarr-python loads all pipelines that are installed. Version 3.0 has no zarr.buffer.
    run("""if True:
        import sys, zarr
        sys.modules["zarr.buffer"] = None
        zarr.create_array(sys.argv[1], shape=(4,), dtype="i4")[...] = 1
        assert "zarr_engine.zarr" in sys.modules
        """, tmp_path / "a")


def test_all_else_is_zarr_pythons(tmp_path, reads):
    stores = {
        "memory": (zarr.storage.MemoryStore(), dict(dtype="i4")),
        "v2": (tmp_path / "v2", dict(dtype="i4", zarr_format=2)),
        "text": (tmp_path / "text", dict(dtype=str)),
        "big": (tmp_path / "big", dict(dtype=">i4", zarr_format=2)),
    }
    for store, options in stores.values():
        plain = zarr.create_array(store, shape=(6,), chunks=(4,), **options)
        plain[1:] = np.arange(5).astype(plain.dtype)
        np.testing.assert_array_equal(opened(store)[...], plain[...])
    assert not reads
    scalar = zarr.create_array(tmp_path / "scalar", shape=(), dtype="i4")
    scalar[...] = 5
    assert opened(tmp_path / "scalar")[()] == 5 and len(reads) == 1
    empty = zarr.create_array(tmp_path / "empty", shape=(0, 3), dtype="i4", chunks=(1, 3))
    same(opened(tmp_path / "empty")[...], empty[...])


def test_a_program_that_knows_nothing_of_it(tmp_path, run):
    # A forked process cannot use Java; there zarr-python reads.
    zarr.create_array(tmp_path / "a", shape=(20,), dtype="i4", chunks=(5,))[...] = np.arange(20)
    run("""if True:
        import os, sys, zarr
        array = zarr.open_array(sys.argv[1], mode="r")
        assert array[3:9].tolist() == [3, 4, 5, 6, 7, 8]
        assert any("libjvm" in line for line in open("/proc/self/maps")), "the engine did not read"
        child = os.fork()
        if child == 0:
            os._exit(int(array[:3].tolist() != [0, 1, 2]))
        assert os.waitpid(child, 0)[1] == 0
        """, tmp_path / "a", env={**os.environ, "ZARR_CODEC_PIPELINE__PATH": PATH})

