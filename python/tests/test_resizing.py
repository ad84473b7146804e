"""Shapes and attributes change as zarr-python changes them, in the document and in the folder."""

import errno
import json
import pathlib
import shutil
import signal
import threading

import numpy as np
import pytest
import zarr
import zarr_engine as ze
from hypothesis import given
from hypothesis import strategies as st
from zarr_engine import _java

from conftest import same
from test_writing import random, stored

LAYOUTS = [
    dict(chunks=(3, 4)), dict(chunks=(2, 2), shards=(4, 6)), dict(chunks=(3, 4), compressors=None, fill_value=7),
    dict(chunks=(3, 4), chunk_key_encoding={"name": "v2", "separator": "."}),
]


def document(folder):
    found = json.loads((folder / "zarr.json").read_text())
    found.pop("storage_transformers", None)
    return found


def files(folder):
    return sorted(str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file())


@random
@given(layout=st.sampled_from(LAYOUTS), data=st.data())
def test_resizing_is_zarr_pythons(tmp_path_factory, layout, data):
    # Catches elements that come back, chunks that stay, and chunks that are gone.
    folder = tmp_path_factory.mktemp("arrays")
    pair = [make.create_array(folder / name, shape=(7, 9), dtype="i4", **layout) for make, name in ((ze, "a"), (zarr, "b"))]
    elements = np.arange(1, 64, dtype="i4").reshape(7, 9)
    for array in pair:
        array[...] = elements
    for _ in range(3):
        shape = data.draw(st.tuples(st.integers(0, 12), st.integers(0, 12)))
        for array in pair:
            array.resize(shape)
        assert pair[0].shape == shape and pair[0].chunks == pair[1].chunks
        assert document(folder / "a") == document(folder / "b")
        same(pair[0][...], pair[1][...])
        same(stored(folder / "a"), pair[1][...])
    assert files(folder / "a") == files(folder / "b")
    pair[0][...] = 5
    assert (stored(folder / "a") == 5).all()


@random
@given(layout=st.sampled_from(LAYOUTS), parts=st.lists(st.tuples(st.integers(0, 1), st.integers(0, 5)), max_size=4))
def test_appending_is_zarr_pythons(tmp_path_factory, layout, parts):
    folder = tmp_path_factory.mktemp("arrays")
    expected = np.arange(1, 13, dtype="i4").reshape(3, 4)
    pair = [make.create_array(folder / name, shape=(3, 4), dtype="i4", **layout) for make, name in ((ze, "a"), (zarr, "b"))]
    for array in pair:
        array[...] = expected
    for axis, length in parts:
        shape = list(expected.shape)
        shape[axis] = length
        part = np.full(shape, 100 + length, "i8")
        expected = np.concatenate([expected, part.astype("i4")], axis)
        for array in pair:
            assert array.append(part, axis=axis) == expected.shape
    same(pair[0][...], expected)
    same(stored(folder / "a"), expected)
    assert document(folder / "a") == document(folder / "b")
    assert files(folder / "a") == files(folder / "b")


def test_appending_what_is_no_array(tmp_path):
    array = ze.create_array(tmp_path / "a", data=np.arange(3), chunks=(4,))
    nodes = _java.call("inUse")[0]
    assert array.append([3, 4]) == (5,) and array.append((5,), axis=-1) == (6,)
    array.shape = 8
    same(array[...], np.array([0, 1, 2, 3, 4, 5, 0, 0]))
    assert (array.size, array.nchunks, array.metadata["shape"]) == (8, 2, [8])
    assert _java.call("inUse")[0] == nodes  # those of before are closed


def test_refuses_shapes(tmp_path):
    array = ze.create_array(tmp_path / "a", data=np.ones((4, 6)), chunks=(2, 2), attributes={"a": 1})
    before = files(tmp_path)
    for call, kind, message in [
        (lambda: array.resize((4,)), ValueError, "1 dimensions"),
        (lambda: array.resize(3), ValueError, "1 dimensions"),
        (lambda: array.resize((1, -1)), ValueError, "new_shape is -1"),
        (lambda: array.resize((1, 2.5)), TypeError, "new_shape is 2.5"),
        (lambda: array.resize((2**63, 1)), ValueError, "from 0 to 9223372036854775807"),
        (lambda: array.append(np.ones((4, 5))), ValueError, r"\(4, 5\)"),
        (lambda: array.append(np.ones((1, 4, 6))), ValueError, r"\(1, 4, 6\)"),
        (lambda: array.append(np.ones(6)), ValueError, r"\(6,\)"),
        (lambda: array.append(np.float64(1)), ValueError, r"\(\)"),
        (lambda: array.append(np.ones((4, 6)), axis=2), ValueError, "axis 2"),
        (lambda: ze.open(tmp_path / "a").resize((1, 1)), ValueError, "read only"),
        (lambda: ze.open(tmp_path / "a").append(np.ones((4, 6))), ValueError, "read only"),
        (lambda: ze.open(tmp_path / "a").attrs.clear(), ValueError, "read only"),
    ]:
        with pytest.raises(kind, match=message):
            call()
        assert array.shape == (4, 6) and (array[...] == 1).all() and array.attrs == {"a": 1}
    assert files(tmp_path) == before and stored(tmp_path / "a").shape == (4, 6)


class Failing:
    shape, dtype = (1,), np.dtype("i8")

    def __array__(self, dtype=None, copy=None):
        raise RuntimeError("lazy")


def test_appending_what_fails_leaves_the_array(tmp_path):
    # Else it has grown before, by elements that nobody gave; or the data, which are its own, are read too late.
    array = ze.create_array(tmp_path / "a", data=np.arange(3), chunks=(2,))
    for data, kind, message in [
        (["x"], ValueError, "x"), (Failing(), RuntimeError, "lazy"), (3, ValueError, r"data of the shape \(\)")
    ]:
        with pytest.raises(kind, match=message):
            array.append(data)
        assert array.shape == (3,) and document(tmp_path / "a")["shape"] == [3]
    array.append(array)
    same(stored(tmp_path / "a"), np.array([0, 1, 2, 0, 1, 2]))


def test_ctrl_c_while_shrinking(tmp_path, monkeypatch):
    # The signal comes in Java. If the object kept the old shape, it would refuse all that follows.
    array = ze.create_array(tmp_path / "a", data=np.arange(8), chunks=(2,))
    call = _java.call

    def interrupted(name, *arguments):
        result = call(name, *arguments)
        if name == "resize":
            signal.raise_signal(signal.SIGINT)
        return result

    monkeypatch.setattr(_java, "call", interrupted)
    nodes = call("inUse")[0]
    with pytest.raises(KeyboardInterrupt):
        array.resize(3)
    monkeypatch.undo()
    assert array.append([7]) == (4,) and call("inUse")[0] == nodes
    same(stored(tmp_path / "a"), np.array([0, 1, 2, 7]))


def test_an_array_that_another_node_replaced(tmp_path):
    # Its chunks would be written beside the group, or into a new folder.
    array = ze.create_array(tmp_path / "a", data=np.arange(3))
    zarr.create_group(tmp_path / "a", overwrite=True)
    with pytest.raises(ze.ZarrError, match="open it again"):
        array[...] = 1
    shutil.rmtree(tmp_path / "a")
    with pytest.raises(ze.NodeNotFoundError):
        array[...] = 1
    assert not (tmp_path / "a").exists()


def test_another_object_of_a_resized_array(tmp_path):
    # Its reads go on; what it assigned would be lost, or appended at the wrong place.
    array = ze.create_array(tmp_path / "a", data=np.arange(6), chunks=(2,))
    other = ze.open(tmp_path / "a", mode="r+")
    same(other[...], np.arange(6))
    array.append([6, 7])
    same(other[...], np.arange(6))
    for change in (lambda: other.append([8]), lambda: other.__setitem__(0, 8)):
        with pytest.raises(ze.ZarrError, match="open it again"):
            change()
    other.resize(3)
    with pytest.raises(ze.ZarrError, match="open it again"):
        array.append([8])
    same(stored(tmp_path / "a"), np.arange(3))


def test_a_loader_of_a_longer_array(tmp_path):
    array = ze.create_array(tmp_path / "a", data=np.arange(4.0), chunks=(2,))
    array.append([4.0, 5.0])
    with ze.Loader({"u": array}, ze.samplers.windows(2), batch=5) as loader:
        assert [step["u"].tolist() for step in loader] == [[[0, 1], [1, 2], [2, 3], [3, 4], [4, 5]]]


@pytest.mark.parametrize("kind", ["array", "group"])
def test_attributes_are_zarr_pythons(tmp_path, kind):
    def create(make, name):
        options = {"attributes": {"first": 1, "list": [1, 2]}}
        if kind == "group":
            return make.create_group(tmp_path / name, **options)
        return make.create_array(tmp_path / name, shape=(3,), dtype="f4", dimension_names=["x"], **options)

    nodes = create(ze, "a"), create(zarr, "b")
    for node in nodes:
        node.attrs["first"] = {"größe": [None, True, 1.5e-300, 2**70]}
        node.attrs.update(second="x", third=[])
        node.attrs.update({"fourth": 4})
        del node.attrs["third"]
        assert node.update_attributes({"fifth": 5, "second": "y"}).attrs["second"] == "y"
        assert node.attrs.pop("fifth") == 5 and node.attrs.setdefault("sixth", 6) == 6
        with pytest.raises(KeyError):
            del node.attrs["fifth"]
    assert dict(nodes[0].attrs) == dict(nodes[1].attrs) == nodes[0].metadata["attributes"]
    assert document(tmp_path / "a") == document(tmp_path / "b")
    for node in nodes:
        node.attrs.put({"only": (1, 2)})
    assert nodes[0].attrs == {"only": [1, 2]} and len(nodes[0].attrs) == 1
    assert document(tmp_path / "a") == document(tmp_path / "b")
    assert files(tmp_path / "a") == ["zarr.json"]


def test_attributes_beside_another_program(tmp_path):
    # It has NaN, which only stays, and what the engine does not know.
    ours = ze.create_group(tmp_path / "g").create_array("a", data=np.arange(3))
    peer = zarr.open_array(tmp_path / "g/a", mode="r+")
    peer.attrs["limit"] = float("nan")
    peer.attrs["title"] = "x"
    zarr.consolidate_metadata(tmp_path / "g")
    ours.attrs["units"] = np.float32(0.5)
    ours.resize(2)
    found = zarr.open_array(tmp_path / "g/a", mode="r")
    assert np.isnan(found.attrs["limit"]) and (found.attrs["title"], found.attrs["units"]) == ("x", 0.5)
    group = ze.open(tmp_path / "g", mode="r+")
    group.attrs["n"] = 1
    assert "consolidated_metadata" in document(tmp_path / "g")
    cycle = []
    cycle.append(cycle)
    for value, kind in ((float("inf"), ze.ZarrError), ({1}, TypeError), (np.arange(2), TypeError),
                        (np.longdouble(1.5), TypeError), (cycle, ValueError)):
        with pytest.raises(kind, match="JSON"):
            ours.attrs["bad"] = value
    assert "bad" not in ours.attrs and "bad" not in found.attrs
    zarr.create_group(tmp_path / "old", zarr_format=2)
    with pytest.raises(ze.ZarrError, match="zarr_format.*is 2"):
        ze.open(tmp_path / "old", mode="r+").attrs["a"] = 1


@pytest.mark.parametrize("objects", [1, 2])
def test_attributes_of_several_threads(tmp_path, objects):
    # Each reads, changes and writes all of them: without a lock, what others have set meanwhile is lost.
    ze.create_group(tmp_path / "a")
    nodes = [ze.open(tmp_path / "a", mode="r+") for _ in range(objects)] * 2
    wrong = []

    def set_some(at):
        try:
            for i in range(50):
                nodes[at].attrs[f"{at}.{i}"] = i
        except Exception as e:
            wrong.append(e)

    threads = [threading.Thread(target=set_some, args=(at,)) for at in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong and len(document(tmp_path / "a")["attributes"]) == 100


def test_a_failed_read_keeps_the_attributes(tmp_path, monkeypatch):
    array = ze.create_array(tmp_path / "a", data=np.arange(3), attributes={"x": 1})
    before = document(tmp_path / "a")

    def fail(_):
        raise OSError(errno.EIO, "Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr(pathlib.Path, "read_bytes", fail)
        for change in (lambda: array.attrs.update(y=2), lambda: array.__setitem__(0, 1)):
            with pytest.raises(ze.StoreError, match="zarr.json: cannot be read: Input/output error"):
                change()
    assert document(tmp_path / "a") == before and array.attrs == {"x": 1}
    (tmp_path / "a/zarr.json").write_text("{")
    with pytest.raises(ze.ZarrError, match="zarr.json: is not JSON"):
        array.attrs["y"] = 2


def test_attributes_that_another_object_deleted(tmp_path):
    # Clearing stopped at the first that was gone, in silence, and what was gone could not be popped.
    ours = ze.create_group(tmp_path / "a", attributes={"x": 1, "y": 2, "z": 3})
    del ze.open(tmp_path / "a", mode="r+").attrs["x"]
    assert ours.attrs.pop("x", None) is None and ours.attrs == {"y": 2, "z": 3}
    del ze.open(tmp_path / "a", mode="r+").attrs["y"]
    assert ours.attrs.setdefault("y", 4) == 4
    del ze.open(tmp_path / "a", mode="r+").attrs["y"]
    ours.attrs.clear()
    assert ours.attrs == document(tmp_path / "a")["attributes"] == {}


def test_arrays_of_a_consolidated_group(tmp_path):
    # Consolidated metadata have the shape and the attributes of before.
    ze.create_array(tmp_path / "g", name="b/a", data=np.arange(3), chunks=(2,))
    zarr.consolidate_metadata(tmp_path / "g")
    for length in (4, 5):
        group = ze.open(tmp_path / "g", mode="r+")
        assert group["b/a"].append([length]) == (length,)
        group["b/a"].attrs[str(length)] = 1
        assert group["b"]["a"].shape == (length,) and list(group["b"].members())[0][1].name == "/b/a"
    assert group["b/a"].attrs == {"4": 1, "5": 1}
    same(stored(tmp_path / "g/b/a"), np.array([0, 1, 2, 4, 5]))
    for name in ("nothing", "b/a/c", "a\0"):
        assert name not in group
    group.close()
    with pytest.raises(ze.ClosedError):
        group["b"]


def test_reads_in_other_threads_end_or_are_right(tmp_path):
    array = ze.create_array(tmp_path / "a", data=np.zeros(4, "i4"), chunks=(4,))
    wrong, done = [], threading.Event()

    def read():
        while not done.is_set():
            try:
                if array[...].any():
                    wrong.append("elements")
            except ze.ClosedError:
                pass
            except Exception as e:
                wrong.append(e)

    threads = [threading.Thread(target=read) for _ in range(2)]
    for thread in threads:
        thread.start()
    for i in range(100):
        array.resize(4 + i % 7)
    done.set()
    for thread in threads:
        thread.join()
    assert not wrong


@pytest.mark.filterwarnings("ignore:Automatic shard shape")
@pytest.mark.parametrize("options", [
    dict(shape=(100, 120, 140)), dict(shape=(900, 20), chunks=(100, 5)), dict(shape=(800, 20), chunks=(100, 2)),
    dict(shape=(3, 0), chunks=(1, 1)), dict(shape=()), dict(shape=(5000, 5000)),
], ids=str)
def test_automatic_shards_are_zarr_pythons(tmp_path, options):
    ours = ze.create_array(tmp_path / "a", dtype="f4", shards="auto", **options)
    zarr.create_array(tmp_path / "b", dtype="f4", shards="auto", **options)
    assert document(tmp_path / "a") == document(tmp_path / "b")
    ours[...] = 1
    assert (stored(tmp_path / "a") == 1).all()


def test_overwriting_a_folder_without_a_document(tmp_path):
    # Chunks that are left would be elements of the new array. All else may be the user's.
    for name in ("c/0", "c/99", "c/letter", "c/0.txt", "0", "letter", "sub/c/0", "sub/zarr.json"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(b"dear")
    array = ze.create_array(tmp_path, shape=(4,), dtype="u1", chunks=(4,), compressors=None, overwrite=True)
    assert files(tmp_path) == sorted(["c/letter", "c/0.txt", "0", "letter", "sub/c/0", "sub/zarr.json", "zarr.json"])
    same(array[...], np.zeros(4, "u1"))
    array.resize(400)
    same(array[...], np.zeros(400, "u1"))
    with pytest.raises(ze.ZarrError):
        ze.create_array(tmp_path / "sub/new", shape=(4,), dtype="u1", chunks=(4, 4), overwrite=True)
