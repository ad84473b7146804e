"""Codecs of zarr-python that create_array takes: what it writes, zarr-python reads, and the other way round."""

import numcodecs
import numpy as np
import pytest
import zarr
import zarr_engine as ze
from zarr.codecs import numcodecs as old

from conftest import same

pytestmark = pytest.mark.filterwarnings("ignore::zarr.errors.ZarrUserWarning")
ELEMENTS = np.arange(24, dtype="i4").reshape(4, 6)


def test_codecs_as_objects_of_zarr_python(tmp_path):
    codecs = dict(filters=zarr.codecs.TransposeCodec(order=(1, 0)), serializer=zarr.codecs.BytesCodec(endian="big"),
                  compressors=[zarr.codecs.ZstdCodec(level=5), zarr.codecs.Crc32cCodec()])
    ours = ze.create_array(tmp_path / "a", shape=(4, 6), dtype="i4", chunks=(2, 3), **codecs)
    peer = zarr.create_array(tmp_path / "b", shape=(4, 6), dtype="i4", chunks=(2, 3), **codecs)
    assert ours.metadata["codecs"] == ze.open(tmp_path / "b").metadata["codecs"]
    for array in (ours, peer):
        array[...] = ELEMENTS
    for chunk in ("0/0", "1/1"):
        assert (tmp_path / "a/c" / chunk).read_bytes() == (tmp_path / "b/c" / chunk).read_bytes()


@pytest.mark.parametrize("layout", [{"chunks": (2, 3)}, {"chunks": (2, 3), "shards": (4, 6)}], ids=["chunks", "shards"])
@pytest.mark.parametrize("codecs", [
    zarr.codecs.GzipCodec(level=2), old.Zlib(level=3), old.GZip(level=1), old.BZ2(level=2), old.LZMA(preset=1),
    old.LZ4(), old.Zstd(level=2), old.CRC32(), old.Adler32(), old.Fletcher32(), [old.Shuffle(elementsize=4), old.Zstd()],
], ids=str)
def test_compressors_of_zarr_python(tmp_path, codecs, layout):
    ours = ze.create_array(tmp_path / "a", data=ELEMENTS, compressors=codecs, **layout)
    peer = zarr.create_array(tmp_path / "b", shape=(4, 6), dtype="i4", compressors=codecs, **layout)
    peer[...] = ELEMENTS
    assert ours.compressors == ze.open(tmp_path / "b").compressors
    same(ze.open(tmp_path / "b")[...], ELEMENTS)
    same(zarr.open_array(tmp_path / "a", mode="r")[...], ELEMENTS)


@pytest.mark.parametrize("options, kind, message", [
    (dict(compressors=zarr.codecs.BloscCodec()), ze.ZarrError, "only read: .*blosc"),
    (dict(compressors=old.Blosc()), ze.ZarrError, "only read: .*blosc"),
    (dict(filters=old.Delta(dtype="i4")), ze.ZarrError, "only read"),
    (dict(compressors=numcodecs.Zstd()), TypeError, r"Zstd\(level=0\), expected a dict"),
    (dict(compressors=[numcodecs.GZip(), None]), TypeError, r"GZip\(level=1\), expected a dict"),
    (dict(compressors={"id": "zstd", "level": 3}), TypeError, "'id': 'zstd'.*expected a dict"),
    (dict(compressors=zarr.codecs.BytesCodec()), ze.ZarrError, "bytes"),
    (dict(serializer=zarr.codecs.ZstdCodec()), ze.ZarrError, "zstd"),
], ids=str)
def test_refuses_codecs(tmp_path, options, kind, message):
    with pytest.raises(kind, match=message):
        ze.create_array(tmp_path / "a", shape=(4, 6), dtype="i4", chunks=(2, 3), **options)
    assert not (tmp_path / "a").exists()
