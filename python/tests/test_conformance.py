"""Every array of conformance/: what other implementations wrote reads as they say, and as zarr-python reads it."""

import json
import zipfile

import numpy as np
import pytest
import zarr
import zarr_engine as ze

from conftest import native, project, same

GOOD = sorted((project / "conformance/good").glob("*.zip"))
BAD = sorted((project / "conformance/bad").glob("*.zip"))


def unpacked(archive, folder):
    with zipfile.ZipFile(archive) as file:
        file.extractall(folder)
    return json.loads((folder / "case.json").read_text())


def expected_elements(file):
    if file.suffix == ".json":
        return json.loads(file.read_text())
    return np.load(file)


@pytest.mark.parametrize("archive", GOOD, ids=lambda archive: archive.stem)
def test_reads_as_written(archive, tmp_path):
    case = unpacked(archive, tmp_path)
    array = ze.open(tmp_path / "store" / case["path"])
    for read in case["reads"]:
        expected = expected_elements(tmp_path / read["expected"])
        found = array[tuple(slice(*bounds) for bounds in read["slice"])]
        if isinstance(expected, list):
            assert found.ravel().tolist() == expected
        else:
            assert found.shape == expected.shape
            assert np.ascontiguousarray(found).tobytes() == expected.tobytes() or found.tolist() == expected.tolist()
            assert found.flags.c_contiguous


# What only we accept, zarr-python may read in another way.
STRICT = [archive for archive in GOOD if not archive.stem.startswith("lenient-")]


@pytest.mark.parametrize("archive", STRICT, ids=lambda archive: archive.stem)
def test_is_as_in_zarr_python(archive, tmp_path):
    case = unpacked(archive, tmp_path)
    array = ze.open(tmp_path / "store" / case["path"])
    try:
        peer = zarr.open_array(tmp_path / "store" / case["path"], mode="r")
        elements = peer[...]
    except Exception as e:
        pytest.skip(f"zarr-python does not read it: {type(e).__name__}")
    assert (array.shape, array.ndim, array.size) == (peer.shape, peer.ndim, peer.size)
    if archive.stem != "v3-shard-transposed":  # zarr-python does not count a shard behind another codec
        assert array.chunks == peer.chunks
        assert array.shards == peer.shards
        assert array.cdata_shape == peer.cdata_shape
        assert (len(array.filters), len(array.compressors)) == (len(peer.filters), len(peer.compressors))
    assert dict(array.attrs) == dict(peer.attrs)
    assert array.zarr_format == peer.metadata.zarr_format
    assert array.dtype == native(peer.dtype)
    same(array[...], elements)
    if peer.fill_value is not None:
        same(np.asarray(array.fill_value, array.dtype), np.asarray(peer.fill_value, peer.dtype))


@pytest.mark.parametrize("archive", BAD, ids=lambda archive: archive.stem)
def test_refuses_what_is_broken(archive, tmp_path):
    case = unpacked(archive, tmp_path)
    with pytest.raises(ze.ZarrError) as refusal:
        ze.open(tmp_path / "store" / case.get("path", ""))[...]
    assert "java" not in str(refusal.value).lower()
