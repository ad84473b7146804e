"""Arrays and groups have zarr-python's names with zarr-python's values."""

import json

import numcodecs
import numpy as np
import pytest
import zarr
import zarr.codecs
import zarr_engine as ze

KINDS = {
    "plain": {"zarr_format": 3, "compressors": None},
    "default": {"zarr_format": 3},
    "filtered": {
        "zarr_format": 3,
        "filters": [zarr.codecs.TransposeCodec(order=(1, 0))],
        "serializer": zarr.codecs.BytesCodec(endian="big"),
        "compressors": [zarr.codecs.GzipCodec(level=2), zarr.codecs.Crc32cCodec()],
    },
    "sharded": {"zarr_format": 3, "shards": (4, 6), "compressors": [zarr.codecs.BloscCodec(cname="lz4", typesize=4)]},
    "v2": {"zarr_format": 2, "order": "F", "compressors": numcodecs.GZip(3)},
    "v2-filtered": {"zarr_format": 2, "filters": [numcodecs.Delta("f4")], "compressors": None},
}


@pytest.fixture(params=KINDS)
def pair(request, tmp_path):
    """An array with one chunk or shard that is stored."""
    peer = zarr.create_array(
        tmp_path / "a", shape=(10, 6), chunks=(2, 3), dtype="f4", fill_value=1.5, attributes={"x": [1]},
        **KINDS[request.param],
    )
    peer[:2, :3] = 2
    return ze.open(tmp_path / "a"), peer


def test_arrays(pair):
    array, peer = pair
    for name in (
        "shape", "ndim", "size", "dtype", "nbytes", "chunks", "shards", "cdata_shape", "nchunks", "nchunks_initialized",
        "fill_value", "path", "name", "basename", "order",
    ):
        assert getattr(array, name) == getattr(peer, name), name
    assert array.zarr_format == peer.metadata.zarr_format
    assert array.itemsize == peer.dtype.itemsize
    assert array.read_only
    assert len(array.filters) == len(peer.filters)
    assert len(array.compressors) == len(peer.compressors)
    assert (array.serializer is None) == (peer.serializer is None)
    assert str(array.info_complete()).startswith(str(array.info))
    assert f"{peer.nchunks_initialized} of {peer.nchunks} chunks" in str(array.info_complete())


@pytest.mark.parametrize("pair", [kind for kind, options in KINDS.items() if options["zarr_format"] == 3], indirect=True)
def test_codecs_of_version_3(pair):
    array, peer = pair
    peers = ([codec.to_dict() for codec in codecs] for codecs in (peer.filters, [peer.serializer], peer.compressors))
    filters, serializers, compressors = json.loads(json.dumps(list(peers)))
    assert (list(array.filters), [array.serializer], list(array.compressors)) == (filters, serializers, compressors)


def test_codecs_of_version_2(tmp_path):
    """The order is no filter, but what makes bytes of text is one."""
    zarr.create_array(
        tmp_path / "a", shape=(4, 4), chunks=(2, 2), dtype="f4", zarr_format=2, order="F",
        filters=[numcodecs.Delta("f4")], compressors=numcodecs.Zstd(5),
    )
    array = ze.open(tmp_path / "a")
    assert [codec["name"].removeprefix("numcodecs.") for codec in array.filters] == ["delta"]
    (compressor,) = array.compressors
    assert compressor["name"] == "numcodecs.zstd" and compressor["configuration"]["level"] == 5
    zarr.create_array(tmp_path / "s", shape=(4,), chunks=(2,), dtype=str, zarr_format=2)
    text = ze.open(tmp_path / "s")
    assert [codec["name"] for codec in text.filters] == ["numcodecs.vlen-utf8"] and text.serializer is None


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("shape", [(5,), (), (4, 3)])
def test_order_and_fill_value_of_version_2(tmp_path, order, shape):
    """Faults: the order of an array of one dimension is lost; no fill value becomes 0."""
    peer = zarr.create_array(
        tmp_path / "a", shape=shape, chunks=shape, dtype="i2", zarr_format=2, order=order, fill_value=None
    )
    peer[...] = np.arange(peer.size).reshape(shape)
    array = ze.open(tmp_path / "a")
    assert array.order == json.loads((tmp_path / "a/.zarray").read_text())["order"] == order
    assert array.fill_value is None is peer.fill_value
    assert array.metadata["fill_value"] is None
    np.testing.assert_array_equal(array[...], peer[...])


def test_codecs_around_shards(tmp_path):
    """Fault: what compresses a shard is missing."""
    of_inner_chunks = [zarr.codecs.BytesCodec(), zarr.codecs.ZstdCodec(level=2)]
    zarr.create_array(
        tmp_path / "a", shape=(8, 8), chunks=(4, 4), dtype="f4",
        serializer=zarr.codecs.ShardingCodec(chunk_shape=(2, 2), codecs=of_inner_chunks),
        compressors=[zarr.codecs.GzipCodec(level=2), zarr.codecs.Crc32cCodec()],
    )
    array = ze.open(tmp_path / "a")
    assert [codec["name"] for codec in array.compressors] == ["zstd", "gzip", "crc32c"]
    assert array.serializer["name"] == "bytes" and array.chunks == (2, 2)


def test_metadata_is_the_document(pair, tmp_path):
    array, peer = pair
    metadata = array.metadata
    if array.zarr_format == 3:
        document = json.loads((tmp_path / "a/zarr.json").read_text())
        assert metadata == {name: value for name, value in document.items() if name != "storage_transformers"}
    json.dumps(metadata)
    metadata["attributes"]["x"].append(2)
    metadata["codecs"].clear()
    assert array.metadata["attributes"] == {"x": [1]} and array.metadata["codecs"]


@pytest.mark.parametrize("zarr_format", [2, 3])
def test_groups(tmp_path, zarr_format):
    peer = zarr.create_group(tmp_path / "g", zarr_format=zarr_format, attributes={"title": "test"})
    for name, dtype in (("b/c/d", "i2"), ("a", "f8"), ("b/e", "u1"), ("z/y", "f4")):
        peer.create_array(name, shape=(2, 3), dtype=dtype)
    group = ze.open(tmp_path / "g")
    assert group.metadata["attributes"] == {"title": "test"}
    assert group.zarr_format == zarr_format and group.read_only
    assert sorted(group) == sorted(peer) == list(group.keys())
    assert len(group) == len(peer)
    assert "a" in group and "b/c/d" in group and "c" not in group
    assert group.get("b/c/d").shape == (2, 3)
    assert group.get("c") is None and group.get("c", 5) == 5
    for depth in (0, 1, None):
        members = group.members(depth)
        assert sorted(path for path, _ in members) == sorted(path for path, _ in peer.members(max_depth=depth))
        assert group.nmembers(depth) == peer.nmembers(max_depth=depth)
        for path, node in members:
            assert (node.path, type(node).__name__) == (path, type(peer[path]).__name__)
        assert str(group.tree(level=depth)) == str(peer.tree(level=depth, plain=True))
    for path in ("/a", "b//c", "b/c/", "/", ""):
        assert (group[path].path, path in group) == (peer[path].path, True)
    for name in (None, 5, b"a", ("a",)):
        with pytest.raises(TypeError, match="expected a str"):
            group[name]
    assert "b/../a" not in group and "." not in group
    with pytest.raises(ValueError, match="max_depth"):
        group.members(-1)
    assert group.nmembers(np.int64(1)) == group.nmembers(1)
    assert [array.path for array in group.array_values()] == [array.path for array in peer.array_values()] == ["a"]
    assert [below.path for below in group.group_values()] == ["b", "z"]
    assert "└── z" in str(group.info_complete())


def test_chunks_are_counted_by_lists(tmp_path):
    """Files that are no chunks do not count, nor does what was resized away."""
    peer = zarr.create_array(tmp_path / "a", shape=(10,), chunks=(2,), dtype="f4", compressors=None)
    peer[...] = np.arange(1, 11)
    (tmp_path / "a/c/note.txt").write_text("no chunk")
    assert ze.open(tmp_path / "a").nchunks_initialized == 5
    (tmp_path / "a/c/3").unlink()
    assert ze.open(tmp_path / "a").nchunks_initialized == 4


def test_attributes_that_are_not_finite(tmp_path):
    """Fault: numbers arrive as texts."""
    zarr.create_group(tmp_path / "g", attributes={})
    (tmp_path / "g" / "zarr.json").write_text(
        '{"zarr_format": 3, "node_type": "group",'
        ' "attributes": {"a": [NaN, -Infinity], "b": {"c": Infinity, "d": "NaN"}}}'
    )
    attrs = ze.open(tmp_path / "g").attrs
    assert np.isnan(attrs["a"][0]) and attrs["a"][1] == -np.inf
    assert attrs["b"] == {"c": np.inf, "d": "NaN"}


def test_inner_chunks_of_a_transposed_shard(tmp_path):
    """Fault: the lengths of chunks are in the order of the shard's dimensions."""
    (tmp_path / "zarr.json").write_text(json.dumps({
        "zarr_format": 3, "node_type": "array", "shape": [30, 20, 10], "data_type": "uint8", "fill_value": 0,
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [10, 10, 10]}},
        "chunk_key_encoding": {"name": "default"},
        "codecs": [
            {"name": "transpose", "configuration": {"order": [2, 0, 1]}},
            {"name": "sharding_indexed", "configuration": {
                "chunk_shape": [2, 5, 10],
                "codecs": [{"name": "bytes"}],
                "index_codecs": [{"name": "bytes", "configuration": {"endian": "little"}}],
            }},
        ],
    }))
    array = ze.open(tmp_path)
    assert (array.chunks, array.shards) == ((5, 10, 2), (10, 10, 10))
    assert array.cdata_shape == (6, 2, 5)
