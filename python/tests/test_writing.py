"""What is written reads back equal, here and with zarr-python; selections mean what they mean in NumPy."""

import json
import os
import pickle
import threading

import ml_dtypes
import numpy as np
import pytest
import zarr
import zarr_engine as ze
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from zarr_engine import _creating, _java, _writing

from conftest import same
from test_indexing import basic, orthogonal, positions

pytestmark = pytest.mark.filterwarnings("ignore::zarr.errors.UnstableSpecificationWarning")
random = settings(
    max_examples=60, derandomize=True, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
SHAPE = (7, 12, 10)  # that of test_indexing
GZIP = {"name": "gzip", "configuration": {"level": 1}}
TYPES = ["?", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", "c8", "c16", "M8[ns]", "M8[10s]",
         "m8[D]", "U3", "S4", "V5", [("x", "i4"), ("y", "f8")], [("x", "i4"), ("y", "f4")],
         [("a", [("b", "u1"), ("c", "i2")])]]
LAYOUTS = [
    dict(chunks=(3, 5, 4)),
    dict(chunks=(7, 12, 10), compressors=None),
    dict(chunks=(1, 20, 10), compressors=GZIP),
    dict(chunks=(2, 3, 5), shards=(4, 6, 10)),
    dict(chunks=(2, 3, 5), shards={"shape": (4, 6, 5), "index_location": "start"}, compressors=None),
    dict(chunks=(3, 5, 4), filters={"name": "transpose", "configuration": {"order": [2, 0, 1]}}),
    dict(chunks=(3, 5, 4), serializer={"name": "bytes", "configuration": {"endian": "big"}}, compressors=None),
    dict(chunks=(3, 5, 4), compressors=[{"name": "zstd", "configuration": {"level": 3, "checksum": True}},
                                        {"name": "crc32c"}]),
    dict(chunks=(3, 5, 4), chunk_key_encoding={"name": "v2", "separator": "."}),
]


def elements_of(dtype, shape=SHAPE, seed=1):
    """Returns elements with all kinds of bytes that a type can have."""
    dtype, rng = np.dtype(dtype), np.random.default_rng(seed)
    if dtype.names is not None:
        elements = np.zeros(shape, dtype)
        for at, name in enumerate(dtype.names):
            elements[name] = elements_of(dtype[name], shape, seed + at)
        return elements
    count = int(np.prod(shape))
    if dtype.kind == "U":
        return np.array(["", "a", "größe", "日本語"], dtype)[rng.integers(0, 4, count)].reshape(shape)
    if dtype.kind == "b":
        return rng.integers(0, 2, shape).astype(dtype)
    elements = np.frombuffer(rng.bytes(count * dtype.itemsize), dtype).reshape(shape)
    if dtype.kind in "fc":
        return np.nan_to_num(elements)
    return elements.copy()


def stored(folder):
    return zarr.open_array(folder, mode="r")[...]


@pytest.mark.parametrize("layout", LAYOUTS, ids=str)
@pytest.mark.parametrize("dtype", TYPES, ids=str)
def test_whole_arrays(tmp_path, dtype, layout):
    if "big" in str(layout) and (np.dtype(dtype).itemsize == 1 or np.dtype(dtype).kind in "SV"):
        pytest.skip("no byte order")
    if "shards" in layout and np.dtype(dtype).kind == "V":
        pytest.skip("zarr-python does not read them: it needs a hash of their fill value")
    elements = elements_of(dtype)
    array = ze.create_array(tmp_path / "a", data=elements, **layout)
    same(array[...], elements)
    assert stored(tmp_path / "a").tobytes() == elements.tobytes()
    peer = zarr.create_array(tmp_path / "b", shape=SHAPE, dtype=dtype, **layout)
    peer[1] = elements[0]
    ours = ze.open(tmp_path / "b", mode="r+")
    ours[...] = elements
    same(ours[...], elements)
    assert stored(tmp_path / "b").tobytes() == elements.tobytes()


@pytest.mark.parametrize("name", ["bfloat16", "float8_e4m3fn", "float8_e5m2", "int4", "uint4"])
def test_types_of_ml_dtypes(tmp_path, name):
    # zarr-python has none of them.
    dtype = np.dtype(getattr(ml_dtypes, name))
    elements = np.arange(-4 if name != "uint4" else 0, 6).astype(dtype)
    array = ze.create_array(tmp_path / "a", data=elements, chunks=4, fill_value=1)
    assert array.dtype == (dtype if "int" not in name else name.replace("4", "8")) and array.fill_value == 1
    same(ze.open(tmp_path / "a")[...].astype("f4"), elements.astype("f4"))


@pytest.mark.parametrize("dtype", TYPES, ids=str)
@pytest.mark.parametrize("options", [
    {},
    dict(shards=(40, 60, 70), chunks=(10, 20, 35), attributes={"a": [1, 2.5, "x", None]}, dimension_names=["x", None, "y"]),
    dict(shards=(40, 60, 70), chunks=(10, 20, 35), compressors=[GZIP], chunk_key_encoding={"name": "v2", "separator": "/"}),
], ids=["auto", "shards", "gzip"])
def test_documents_are_zarr_pythons(tmp_path, dtype, options):
    ze.create_array(tmp_path / "a", shape=(100, 120, 140), dtype=dtype, **options)
    zarr.create_array(tmp_path / "b", shape=(100, 120, 140), dtype=dtype, **options)
    found, expected = (json.loads((tmp_path / name / "zarr.json").read_text()) for name in "ab")
    expected.pop("storage_transformers")
    if np.dtype(dtype).names is not None:  # zarr-python leaves out their byte order
        expected = json.loads(json.dumps(expected).replace(
            '{"name": "bytes"}', '{"name": "bytes", "configuration": {"endian": "little"}}'))
    assert found == expected


@pytest.mark.parametrize("dtype, values", [
    ("?", [True]), ("i2", [-7, np.int64(7)]), ("u8", [2**64 - 1]), ("f4", [0.1, np.nan, np.inf, -np.inf, -0.0, "NaN"]),
    ("c8", [1 + 2j, complex(np.nan, -np.inf)]), ("M8[s]", [np.datetime64("2026-11-30"), np.datetime64("NaT")]),
    ("U3", ["ab"]), ("S3", [b"ab"]), ("V3", [b"abc"]), ([("x", "i4"), ("y", "f4")], [(1, 2.5)]),
], ids=str)
def test_fill_values(tmp_path, dtype, values):
    for at, value in enumerate(values):
        element = np.array(value if dtype != "V3" else np.void(value), dtype)
        ours = ze.create_array(tmp_path / f"a{at}", shape=(5,), dtype=dtype, chunks=(2,), fill_value=element[()])
        ours[2:3] = elements_of(dtype, (1,))
        expected = np.full(5, element)
        expected[2:3] = elements_of(dtype, (1,))
        same(ours[...], expected)
        assert stored(tmp_path / f"a{at}").tobytes() == expected.tobytes()
        assert ours.nchunks_initialized == 1


@random
@given(shape=st.lists(st.integers(0, 10**6), max_size=4).map(tuple), itemsize=st.sampled_from([1, 2, 4, 8, 16]),
       limit=st.sampled_from([1 << 20, 64 << 20]))
def test_automatic_chunks_are_zarr_pythons(shape, itemsize, limit):
    from zarr.core.chunk_grids import _guess_chunks

    assert _creating._guessed(list(shape), itemsize, limit) == list(_guess_chunks(shape, itemsize, max_bytes=limit))


@pytest.fixture(scope="module", params=[
    dict(chunks=(2, 5, 4)), dict(chunks=(2, 3, 5), shards=(4, 6, 10)), dict(chunks=(7, 1, 10), compressors=None),
], ids=str)
def pair(request, tmp_path_factory):
    """Returns the same array open to write, open to read, and in NumPy."""
    folder = tmp_path_factory.mktemp("arrays") / "a"
    elements = np.arange(840, dtype="i4").reshape(SHAPE)
    array = ze.create_array(folder, data=elements, fill_value=-1, **request.param)
    return array, ze.open(folder), elements, folder


def assign(pair, change, key, shape, data):
    """Assigns random values that are broadcast to a shape; change(array, key, values) does it to NumPy's."""
    array, reader, elements, folder = pair
    seed = data.draw(st.integers(0, 2**32 - 1))
    given = data.draw(st.sampled_from([shape, shape[1:], (1, *shape), (1,) * len(shape), ()]))
    values = np.random.default_rng(seed).integers(-9, 10**9, given)
    if data.draw(st.booleans()):
        values = values.astype(">f8")
    change(array, key, values)
    return values


def check(pair):
    array, reader, elements, folder = pair
    same(array[...], elements)
    same(reader[...], elements)
    same(stored(folder), elements)


@random
@given(key=basic(), data=st.data())
def test_basic_is_numpys(pair, key, data):
    def change(array, key, values):
        array[key] = values

    values = assign(pair, change, key, pair[2][key].shape, data)
    pair[2][key] = values
    check(pair)


@random
@given(key=orthogonal(), data=st.data())
def test_oindex(pair, key, data):
    # A position that is listed twice gets the last value, as in NumPy.
    def change(array, key, values):
        array.oindex[key] = values

    expected = pair[2]
    lists = [np.arange(n)[part] if not isinstance(part, list) else np.arange(n)[np.array(part, int)]
             for n, part in zip(SHAPE, [np.array(p, int) if isinstance(p, np.ndarray) and p.dtype == object else p
                                        for p in key])]
    shape = tuple(part.size for part in lists if part.ndim)
    values = assign(pair, change, key, shape, data)
    every = np.ix_(*(np.atleast_1d(part) for part in lists))
    full = np.broadcast_to(values.reshape(values.shape[values.ndim - len(shape):] if values.ndim > len(shape) else
                                          values.shape), shape)
    expected[every] = full.reshape([part.size for part in lists])
    check(pair)


@random
@given(data=st.data())
def test_points(pair, data):
    shape = tuple(data.draw(st.lists(st.integers(0, 4), min_size=1, max_size=2)))
    count = int(np.prod(shape))
    key = tuple(
        np.array(data.draw(st.lists(positions(n), min_size=count, max_size=count)), int).reshape(shape) for n in SHAPE
    )

    def change(array, key, values):
        array.vindex[key] = values

    pair[2][key] = assign(pair, change, key, shape, data)
    check(pair)


@random
@given(seed=st.integers(0, 2**32 - 1))
def test_masks(pair, seed):
    rng = np.random.default_rng(seed)
    mask = rng.random(SHAPE) < rng.random()
    for to in (pair[0], pair[2]):
        to[mask] = 7
    check(pair)
    values = rng.integers(0, 99, np.count_nonzero(mask))
    pair[0].set_mask_selection(mask, values)
    pair[2][mask] = values
    check(pair)


@random
@given(data=st.data())
def test_blocks(pair, data):
    array, reader, elements, folder = pair
    chunks = array.shards or array.chunks
    grid = [-(-length // chunk) for length, chunk in zip(SHAPE, chunks)]
    key = tuple(data.draw(positions(n) | st.builds(slice, st.integers(0, n - 1), st.none())) for n in grid)
    slices = []
    for part, n, chunk in zip(key, grid, chunks):
        begin, end = (part % n, part % n + 1) if isinstance(part, int) else (part.start, n)
        slices.append(slice(begin * chunk, end * chunk))
    values = np.random.default_rng(data.draw(st.integers(0, 99))).integers(0, 99, elements[tuple(slices)].shape)
    array.blocks[key] = values
    elements[tuple(slices)] = values
    check(pair)


def test_methods_of_zarr_python(tmp_path):
    ours = ze.create_array(tmp_path / "a", shape=(6, 6), dtype="i4", chunks=(4, 4))
    peer = zarr.create_array(tmp_path / "b", shape=(6, 6), dtype="i4", chunks=(4, 4))
    for array in (ours, peer):
        array.set_basic_selection((slice(1, 3), 0), 1)
        array.set_orthogonal_selection(([1, 4], [0, 5]), 2)
        array.set_coordinate_selection(([1, 4], [0, 5]), [3, 4])
        array.set_block_selection((1, 1), 5)
        array.set_mask_selection(np.eye(6, dtype=bool), 6)
    same(ours[...], peer[...])


@pytest.mark.parametrize("value", [
    "größe", b"abc", np.void(b"ab"), np.datetime64("2026"), 1j, np.array((1, 2), "i4,f4"),
], ids=str)
def test_an_element_without_dimensions(tmp_path, value):
    # NumPy makes scalars of such arrays, and text takes no index.
    expected = np.array(value)
    array = ze.create_array(tmp_path / "a", data=expected)
    assert stored(tmp_path / "a").tobytes() == array[...].tobytes() == expected.tobytes()
    for key in ((), ..., None):
        array[...] = np.zeros((), expected.dtype)
        array[key] = value
        assert array[...].tobytes() == expected.tobytes()


def test_fields(tmp_path):
    dtype = [("x", "i4"), ("y", "f8")]
    array = ze.create_array(tmp_path / "a", shape=(5,), dtype=dtype, chunks=(2,))
    expected = np.zeros(5, dtype)
    for to in (array, expected):
        to["x"] = np.arange(5)
        to[3] = (7, 0.5)
    array["y", 1:4] = 2
    expected["y"][1:4] = 2
    same(array[...], expected)
    assert stored(tmp_path / "a").tobytes() == expected.tobytes()
    with pytest.raises(IndexError, match="no fields"):
        ze.create_array(tmp_path / "b", shape=5, dtype="i4")["x"] = 1


@pytest.mark.parametrize("values", [
    np.zeros(9), np.zeros((2, 7)), np.zeros(0), [1, 2], np.zeros((2, 1, 12, 10)),
], ids=lambda values: str(np.shape(values)))
def test_refuses_wrong_shapes(pair, values):
    with pytest.raises(ValueError, match="broadcast input array from shape .* into shape"):
        pair[0][...] = values
    with pytest.raises(ValueError):
        pair[2][...] = values
    check(pair)


@pytest.mark.parametrize("key", [(0, 0, 0, 0), (..., 0, ...), 7, (0, -13), 2**70, [7], [-8], (0, 1, [0, 99]), 1.5, "x",
                                 True, ([0], [0, 1], slice(None)), np.zeros((7, 12), bool), (0, np.zeros(11, bool), 0)])
def test_refuses_what_is_outside(pair, key):
    with pytest.raises(IndexError):
        pair[0][key] = 5
    check(pair)


@pytest.mark.parametrize("value, kind", [(300, OverflowError), (-1, OverflowError), (None, TypeError), ("x", ValueError)])
def test_values_are_checked_as_numpy_does(tmp_path, value, kind):
    array = ze.create_array(tmp_path / "a", shape=(5,), dtype="u1", chunks=(2,))
    with pytest.raises(kind):
        np.zeros(5, "u1")[...] = value
    with pytest.raises(kind):
        array[...] = value
    array[...] = 1.7
    same(array[...], np.ones(5, "u1"))


@pytest.mark.filterwarnings("error::RuntimeWarning")
@pytest.mark.parametrize("dtype", ["i1", "u1", "i4", "u8", "?", "f4", "c8", "M8[s]", "m8[s]", "S2", "U2", "V2"])
def test_scalars_are_checked_as_numpy_does(tmp_path, dtype):
    # An array of them is only cast: NaN becomes the smallest integer.
    array, expected = ze.create_array(tmp_path / "a", shape=(2,), dtype=dtype), np.zeros(2, dtype)
    scalars = [np.float32("nan"), np.float64("inf"), np.float16(2.5), np.float32(1e20), np.int64(300), np.uint64(2**63),
               np.bool_(True), np.datetime64("2026"), np.timedelta64(3, "s"), np.str_("12"), np.bytes_(b"1"),
               np.void(b"ab"), ml_dtypes.bfloat16("nan")]
    for scalar in scalars:
        outcomes = []
        for to in (expected, array):
            try:
                to[...] = scalar
                outcomes.append(to[...].tobytes())
            except (TypeError, ValueError, OverflowError, RuntimeWarning) as e:
                outcomes.append(type(e))
        assert outcomes[0] == outcomes[1], scalar


@pytest.mark.parametrize("make", [
    lambda x: x, lambda x: np.asfortranarray(x), lambda x: x.astype(">i4"), lambda x: x[::-1][::-1].copy().view(np.ndarray),
    lambda x: np.repeat(x, 2, axis=1)[:, ::2], lambda x: x.astype("f8"), lambda x: x.tolist(),
], ids=["c", "fortran", "big-endian", "copy", "strided", "float64", "list"])
def test_memory_of_any_layout(tmp_path, make):
    # Guard elements around the source are not taken, and the source is not changed.
    source = np.full((9, 14, 12), -5, "i4")
    inner = source[1:8, 1:13, 1:11]
    inner[...] = np.arange(840).reshape(SHAPE)
    inner.flags.writeable = False
    before = source.copy()
    array = ze.create_array(tmp_path / "a", shape=SHAPE, dtype="i4", chunks=(3, 12, 10), compressors=None)
    array[...] = make(inner)
    same(source, before)
    same(array[...], before[1:8, 1:13, 1:11])


def test_an_edge_is_filled_up(tmp_path):
    # Memory that a thread uses again has the elements of the chunk before.
    array = ze.create_array(tmp_path / "a", shape=(5, 5), dtype="i4", chunks=(4, 4), compressors=None, fill_value=9)
    array[...] = np.arange(25).reshape(5, 5)[:, ::-1]
    for chunk, inside in {"0/1": (4, 1), "1/0": (1, 4), "1/1": (1, 1)}.items():
        found = np.fromfile(tmp_path / f"a/c/{chunk}", "i4").reshape(4, 4)
        outside = np.ones((4, 4), bool)
        outside[: inside[0], : inside[1]] = False
        assert (found[outside] == 9).all()


def test_chunks_of_the_fill_value_are_not_stored(tmp_path):
    array = ze.create_array(tmp_path / "a", shape=(6,), dtype="i4", chunks=(2,), fill_value=3)
    array[...] = [3, 3, 3, 4, 5, 5]
    assert array.nchunks_initialized == 2
    array[2:] = 3
    assert array.nchunks_initialized == 0 and (array[...] == 3).all()


@pytest.mark.parametrize("cache", [0, 1 << 24])
def test_open_arrays_see_each_new_chunk(tmp_path, run, cache):
    # Catches a chunk, or the index of a shard, that is remembered of a file whose inode a later one has too.
    run("""if True:
        import sys, numpy as np, zarr_engine as ze
        ze.configure(chunk_cache=int(sys.argv[2]))
        group = ze.create_group(sys.argv[1])
        for options in (dict(chunks=(8,), shards=(32,)), dict(chunks=(8,))):
            array = group.create_array("a", shape=(64,), dtype="i8", compressors=None, overwrite=True, **options)
            others = [ze.open(sys.argv[1])["a"], ze.open(array.location), group["a"]]
            expected = np.zeros(64, "i8")
            for i in range(1, 600):
                at = i * 7 % 64
                array[at] = expected[at] = i
                array[: 32] = expected[: 32] = i if i % 3 else 0
                for other in (array, others[i % 3]):
                    assert (other[...] == expected).all(), (options, i)
            array.close()
        """, tmp_path / "g", cache)


def test_a_part_of_a_chunk_keeps_what_another_program_wrote(tmp_path):
    array = ze.create_array(tmp_path / "a", shape=(8,), dtype="i4", chunks=(8,))
    array[:4] = 1
    assert array[7] == 0  # the file is open
    zarr.open_array(tmp_path / "a", mode="r+")[6:] = 2
    array[0] = 3
    assert array[...].tolist() == stored(tmp_path / "a").tolist() == [3, 1, 1, 1, 0, 0, 2, 2]


def test_refuses_an_array_that_another_program_resized(tmp_path):
    # The chunk at the old edge has elements that the open array does not know.
    array = ze.create_array(tmp_path / "a", data=np.arange(6), chunks=(4,))
    peer = zarr.open_array(tmp_path / "a", mode="r+")
    peer.attrs["title"] = "x"
    array[0] = 7
    peer.append(np.array([8, 9]))
    with pytest.raises(ze.ZarrError, match=r"the shape \(6,\), and was changed.*open it again"):
        array[4] = 5
    ze.open(tmp_path / "a", mode="r+")[4] = 5
    assert stored(tmp_path / "a").tolist() == [7, 1, 2, 3, 5, 5, 8, 9]


def test_threads_share_a_bounded_memory(monkeypatch):
    monkeypatch.setattr(_java, "_workers", 8)
    target = lambda *chunks: _writing.Target(0, chunks, chunks, np.dtype("u1"), 0, None)  # noqa: E731
    assert target(1 << 20).threads(3) == 3
    assert target(1 << 20).threads(30) == 8
    assert target(1 << 28).threads(30) == 4
    assert target(1 << 20, 1 << 20).threads(30) == 1
    assert target(1 << 20).threads(0) == 1


def test_several_threads_of_the_caller(tmp_path):
    array = ze.create_array(tmp_path / "a", shape=(16, 64, 64), dtype="f4", chunks=(1, 32, 64))
    elements = elements_of("f4", array.shape)

    def write(first):
        for at in range(first, 16, 4):
            array[at] = elements[at]
            same(array[at], elements[at])

    threads = [threading.Thread(target=write, args=(first,)) for first in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    same(array[...], elements)


def test_dask_stores(tmp_path):
    import dask.array

    elements = elements_of("f4")
    array = ze.create_array(tmp_path / "a", shape=SHAPE, dtype="f4", chunks=(2, 6, 10))
    dask.array.store(dask.array.from_array(elements, chunks=(2, 6, 10)), array, lock=False)
    same(array[...], elements)
    again = pickle.loads(pickle.dumps(array))
    again[0] = 1
    assert not again.read_only and (array[0] == 1).all()


def test_a_failure_ends_all_threads(tmp_path):
    array = ze.create_array(tmp_path / "a", shape=(64,), dtype="i4", chunks=(1,))
    (tmp_path / "a/c/7").mkdir(parents=True)
    with pytest.raises(ze.StoreError, match="c/7"):
        array[...] = 1
    assert not [thread for thread in threading.enumerate() if thread.name == "zarr-engine-write"]
    (tmp_path / "a/c/7").rmdir()
    array[...] = 2
    assert (array[...] == 2).all()


def test_ctrl_c_ends_writing(tmp_path, run):
    run("""if True:
        import os, signal, sys, threading, time, numpy as np, zarr_engine as ze
        array = ze.create_array(sys.argv[1], shape=(1 << 20,), dtype="u1", chunks=(64,))
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
        try:
            array[...] = 1
        except KeyboardInterrupt:
            pass
        else:
            raise AssertionError("written to the end")
        assert [thread.name for thread in threading.enumerate()].count("zarr-engine-write") == 0
        written = array.nchunks_initialized
        assert 0 < written < array.nchunks
        time.sleep(0.2)
        assert array.nchunks_initialized == written
        """, tmp_path / "a")


def test_groups(tmp_path):
    ours = ze.create_group(tmp_path / "a", attributes={"title": "x"})
    peer = zarr.create_group(tmp_path / "b", attributes={"title": "x"})
    for group in (ours, peer):
        group.create_array("x/y", shape=(3,), dtype="i4", chunks=(2,))[...] = 5
        group.create_group("x/z", attributes={"n": 1})
    assert sorted(p.relative_to(tmp_path / "a") for p in (tmp_path / "a").rglob("*")) == sorted(
        p.relative_to(tmp_path / "b") for p in (tmp_path / "b").rglob("*"))
    array = ours["x"].create_array("w", data=np.ones(2))
    assert (array.path, array.name, array.read_only) == ("x/w", "/x/w", False)
    assert ze.open(tmp_path / "a", mode="r+")["x/y"].read_only is False and ze.open(tmp_path / "a")["x/y"].read_only
    assert dict(zarr.open_group(tmp_path / "a", mode="r")["x/z"].attrs) == {"n": 1}
    named = ze.create_array(tmp_path / "c", name="p/q", shape=(), dtype="f8")
    named[...] = 2.5
    assert named.path == "p/q" and zarr.open_group(tmp_path / "c", mode="r")["p/q"][()] == 2.5


def test_existing_nodes(tmp_path):
    for make in (ze.create_group, lambda path, **options: ze.create_array(path, shape=3, dtype="i4", **options)):
        folder = tmp_path / str(make)[:20]
        ze.create_group(folder).create_array("below", data=np.ones(3))
        with pytest.raises(FileExistsError, match="is a Zarr node already"):
            make(folder)
        assert ze.open(folder)["below"][0] == 1
        make(folder, overwrite=True)
        assert sorted(os.listdir(folder)) == ["zarr.json"]
    # Only a node is deleted.
    (tmp_path / "home").mkdir()
    (tmp_path / "home/letter").write_text("dear")
    ze.create_group(tmp_path / "home", overwrite=True)
    assert (tmp_path / "home/letter").read_text() == "dear"


def test_threads_create_nodes_side_by_side(tmp_path):
    # One of them makes the groups on the way, and one the array of the name that they share.
    outcomes = []
    for i in range(20):
        group = ze.create_group(tmp_path / f"g{i}")
        start = threading.Barrier(4)

        def create(at):
            start.wait()
            try:
                for name in (f"p/q/{at}", "p/q/all"):
                    group.create_array(name, data=[at])
            except FileExistsError:
                outcomes.append("exists")
            except Exception as e:
                outcomes.append(repr(e))

        threads = [threading.Thread(target=create, args=(at,)) for at in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(ze.open(tmp_path / f"g{i}/p/q")) == ["0", "1", "2", "3", "all"], outcomes
    assert outcomes == ["exists"] * 60


def test_the_folder_above_that_of_a_link(tmp_path):
    # Else another array is opened, or overwritten.
    (tmp_path / "far/away").mkdir(parents=True)
    (tmp_path / "link").symlink_to("far/away")
    ze.create_array(tmp_path / "a", data=np.arange(3))
    ze.create_array(f"{tmp_path}/link/../a", data=np.arange(5))
    same(stored(tmp_path / "far/a"), np.arange(5))
    same(ze.open(f"{tmp_path}/link/../a")[...], np.arange(5))


@pytest.mark.parametrize("options", [
    dict(chunks=(2, 2)), dict(compressors={"name": "zip"}), dict(dtype="float13"), dict(attributes={"a": np.nan}),
    dict(shape=-3),
], ids=str)
def test_what_is_overwritten_stays_if_the_new_array_is_not_valid(tmp_path, options):
    ze.create_array(tmp_path / "a", data=np.arange(8), chunks=(4,))
    with pytest.raises((ze.ZarrError, ValueError)) as failure:
        ze.create_array(tmp_path / "a", **dict(shape=(8,), dtype="f4") | options, overwrite=True)
    assert "already" not in str(failure.value)
    same(ze.open(tmp_path / "a")[...], np.arange(8))


def test_refuses_what_cannot_be_written(tmp_path):
    zarr.create_array(tmp_path / "v2", shape=(4,), dtype="i4", chunks=(2,), zarr_format=2)[...] = 1
    with pytest.raises(ze.ZarrError, match="zarr_format.*is 2"):
        ze.open(tmp_path / "v2", mode="r+")[...] = 2
    zarr.create_group(tmp_path / "g2", zarr_format=2)
    with pytest.raises(ValueError, match="version 2"):
        ze.open(tmp_path / "g2", mode="r+").create_group("x")
    with pytest.raises(ValueError, match=r"opened to be read only.*r\+"):
        ze.open(tmp_path / "v2")[...] = 2
    with zarr.storage.ZipStore(tmp_path / "z.zip", mode="w") as store:
        zarr.create_array(store, name="a", shape=(4,), dtype="i4", chunks=(2,))[...] = 1
    with pytest.raises(ze.ZarrError, match="zip"):
        ze.open(tmp_path / "z.zip/a", mode="r+")[...] = 2
    with pytest.raises(ze.ZarrError, match="zip"):
        ze.create_array(tmp_path / "new.zip", shape=3, dtype="i4")
    for call in (lambda: ze.open("s3://bucket/a?key=secret", mode="r+"),
                 lambda: ze.create_array("https://host/a?key=secret", shape=3, dtype="i4")):
        with pytest.raises(ValueError, match="URLs") as failure:
            call()
        assert "secret" not in str(failure.value)
    with pytest.raises(ValueError, match="mode is 'w'.*create_array"):
        ze.open(tmp_path / "v2", mode="w")
    zarr.create_array(tmp_path / "text", shape=(4,), dtype=str, chunks=(2,))
    with pytest.raises(TypeError, match="variable length"):
        ze.open(tmp_path / "text", mode="r+")[...] = "x"
    zarr.create_array(tmp_path / "blosc", shape=(4,), dtype="i4", compressors=zarr.codecs.BloscCodec())
    with pytest.raises(ze.ZarrError, match="only read.*blosc"):
        ze.open(tmp_path / "blosc", mode="r+")[...] = 1
    with pytest.raises(ValueError, match="not a path below"):
        ze.create_group(tmp_path / "g").create_group("../x")
    array = ze.create_array(tmp_path / "g", name="p/a", data=[1, 2])
    for call in (lambda: ze.open(tmp_path / "g", mode="r+").create_array("p/a/c/0", data=[1]),
                 lambda: ze.open(tmp_path / "g", mode="r+").create_group("p/a/b/c", overwrite=True),
                 lambda: ze.create_array(array.location, name="b", data=[1])):
        with pytest.raises(ValueError, match="p/a: is an array: only groups"):  # Nobody would find it there.
            call()
    with pytest.raises(TypeError, match="None, expected a str"):
        ze.open(tmp_path / "g", mode="r+").create_group(None)


@pytest.mark.parametrize("options, kind, message", [
    (dict(dtype=str), TypeError, "variable length"),
    (dict(dtype=object), TypeError, "object"),
    (dict(dtype="S"), ValueError, "length of an element"),
    (dict(dtype="V0"), ValueError, "length of an element"),
    (dict(dtype="float13"), ze.ZarrError, "float13"),
    (dict(dtype="f4", compressors=zarr.codecs.BloscCodec()), ze.ZarrError, "blosc"),
    (dict(dtype="f4", compressors="zstd"), ValueError, "zstd"),
    (dict(dtype="f4", compressors={"id": "zstd"}), TypeError, "id"),
    (dict(dtype="f4", compressors={"name": "zip"}), ze.ZarrError, "zip"),
    (dict(dtype="f4", chunks=(2, 2)), ze.ZarrError, "chunk"),
    (dict(dtype="f4", chunks=(0,)), ze.ZarrError, "chunk"),
    (dict(dtype="f4", chunks=(4,), shards=(6,)), ze.ZarrError, "6"),
    (dict(dtype="f4", chunks="all"), ValueError, "all"),
    (dict(dtype="f4", chunks=2.5), TypeError, "float"),
    (dict(dtype="f4", attributes={"a": {1}}), TypeError, "set"),
    (dict(dtype="f4", attributes={"a": np.nan}), ValueError, "not JSON"),
    (dict(dtype="u1", fill_value=300), OverflowError, "300"),
    (dict(dtype="f4", dimension_names=["x", "y"]), ze.ZarrError, "dimension_names"),
    (dict(dtype="f4", data=np.ones(3)), ValueError, "either"),
    (dict(), ValueError, "dtype"),
], ids=str)
def test_refuses_options(tmp_path, options, kind, message):
    with pytest.raises(kind, match=message):
        ze.create_array(tmp_path / "a", shape=(8,), **options)
    assert not (tmp_path / "a").exists()
