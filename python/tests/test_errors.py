"""Errors are Python's, with our messages."""

import subprocess
import sys

import numpy as np
import pytest
import zarr
import zarr_engine as ze


@pytest.fixture
def folder(tmp_path):
    group = zarr.create_group(tmp_path / "g.zarr", attributes={"title": "test"})
    group.create_array("a/b", shape=(20, 20), dtype="f4", chunks=(10, 10))[...] = 1
    return tmp_path / "g.zarr"


def test_missing_node(folder):
    with pytest.raises(FileNotFoundError, match="nothing.zarr"):
        ze.open(folder / "nothing.zarr")
    with pytest.raises(ze.NodeNotFoundError, match="is a group"):
        ze.open_array(folder)
    with pytest.raises(KeyError, match="nothing"):
        ze.open(folder)["nothing"]
    with pytest.raises(KeyError, match="not in this group"):
        ze.open(folder)["../../x"]
    assert "nothing" not in ze.open(folder)


def test_relative_paths_follow_the_current_folder(folder, monkeypatch):
    monkeypatch.chdir(folder.parent)
    assert ze.open("g.zarr/a/b").location == str(folder / "a/b")
    monkeypatch.chdir(folder / "a")
    assert ze.open("b").shape == (20, 20)
    with pytest.raises(ze.ZarrError, match="hdfs"):
        ze.open("hdfs://host/a")


def test_damaged_chunk(folder):
    (folder / "a/b/c/0/1").write_bytes(b"not zstd")
    array = ze.open(folder)["a/b"]
    assert array[0, 0] == 1
    with pytest.raises(ze.ZarrError, match="c/0/1.*zstd") as failure:
        array[...]
    assert failure.value.__cause__ is None and failure.value.__suppress_context__
    assert "io.zarrengine" not in str(failure.value)


def test_damaged_metadata(folder):
    (folder / "a/b/zarr.json").write_text("{")
    with pytest.raises(ze.ZarrError, match="zarr.json"):
        ze.open(folder / "a/b")


def test_a_result_beyond_memory(tmp_path):
    zarr.create_array(tmp_path / "a.zarr", shape=(1 << 60,), dtype="u1", chunks=(1 << 20,))
    with pytest.raises(MemoryError, match="bytes"):
        ze.open(tmp_path / "a.zarr")[: 1 << 50]


def test_java_traces_on_demand(folder, tmp_path):
    done = subprocess.run([sys.executable, "-c", f"import zarr_engine as ze; ze.open({str(tmp_path / 'x')!r})"],
                          capture_output=True, text=True, env={"ZARR_ENGINE_JAVA_TRACES": "1"})
    assert "NodeNotFoundError" in done.stderr and "io.zarrengine.python.EntryPoints" in done.stderr
    done = subprocess.run([sys.executable, "-c", f"import zarr_engine as ze; ze.open({str(tmp_path / 'x')!r})"],
                          capture_output=True, text=True, env={})
    assert "NodeNotFoundError" in done.stderr and "io.zarrengine.python" not in done.stderr


def test_no_gpu(folder):
    array = ze.open(folder)["a/b"]
    with pytest.raises(ze.ZarrError, match="cuda"):
        array.read(device="cuda:0")
    with pytest.raises(ValueError, match="cuda:0"):
        array.read(device="gpu")
    with pytest.raises(ValueError, match="host"):
        array.read(out=np.zeros((20, 20), "f4"), device="cuda:0")


def test_group(folder):
    group = ze.open_group(folder)
    peer = zarr.open_group(folder, mode="r")
    assert dict(group.attrs) == dict(peer.attrs) == group.attrs.asdict()
    assert list(group) == list(peer) == ["a"] and len(group) == 1
    below, peers = group["a"], peer["a"]
    assert [name for name, _ in below.arrays()] == [name for name, _ in peers.arrays()] == ["b"]
    assert list(group.group_keys()) == ["a"] and list(below.array_keys()) == ["b"]
    array = group["a/b"]
    assert (array.path, array.name, array.basename) == (peers["b"].path, peers["b"].name, peers["b"].basename)
    assert (group.path, group.name) == (peer.path, peer.name)
    assert "float32" in str(array.info) and "b" in str(below.info)


def test_many_refuses_elements_of_variable_length(tmp_path):
    array = zarr.create_array(tmp_path / "s.zarr", shape=(3,), dtype=str, chunks=(2,))
    array[...] = np.array(["a", "", "größe"], dtype=np.dtypes.StringDType())
    found = ze.open(tmp_path / "s.zarr")
    assert found[::2].tolist() == ["a", "größe"] and found[2].item() == "größe"
    with pytest.raises(TypeError, match="variable length"):
        found.read([(0,), (1,)])
    with pytest.raises(TypeError, match="variable length"):
        found.read(out=np.empty(3, found.dtype))
