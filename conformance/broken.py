"""The cases of conformance/bad: arrays of zarr-python, each with one error."""

import json
import struct
import zlib

import google_crc32c
import numcodecs
import numpy as np
import zarr

import case
from case import LITTLE, codec, write

random = np.random.default_rng(49)
SHARD = codec("sharding_indexed", chunk_shape=[8, 8], codecs=[LITTLE, codec("zstd", level=3, checksum=False)],
              index_codecs=[LITTLE, {"name": "crc32c"}], index_location="end")


def array(name, error, chunks, codecs):
    store = case.folder("bad", name, error=error, reads=[]) / "store"
    written = zarr.create(store=str(store), shape=(64, 64), chunks=chunks, dtype="float32", fill_value=0, zarr_format=3, codecs=codecs)
    written[...] = np.cumsum(random.standard_normal(64 * 64)).reshape(64, 64)
    return store


def document(name, error, edit):
    """`edit` changes zarr.json."""
    store = array(name, error, (32, 32), [SHARD])
    members = json.loads((store / "zarr.json").read_text())
    write(store, "zarr.json", json.dumps(edit(members) or members, indent=2))


def chunk(name, error, codecs, edit, chunks=(8, 8)):
    """`edit` returns the changed first chunk."""
    store = array(name, error, chunks, codecs)
    write(store, "c/0/0", edit((store / "c/0/0").read_bytes()))


def shard(name, error, edit, checksum=False):
    codecs = [LITTLE, codec("zstd", level=3, checksum=checksum)]
    chunk(name, error, [codec("sharding_indexed", **SHARD["configuration"] | {"codecs": codecs})], edit, (32, 32))


def with_index(data, row, offset):
    """Returns a shard whose index has another offset in a row, with the right checksum."""
    index = bytearray(data[-260:-4])
    struct.pack_into("<Q", index, row * 16, offset)
    return data[:-260] + index + struct.pack("<I", google_crc32c.value(bytes(index)))


def flipped(data, begin, end):
    return data[:begin] + bytes(b ^ 0x5a for b in data[begin:end]) + data[end:]


def make_documents():
    def grid(shape):
        return lambda d: d["chunk_grid"]["configuration"].update(chunk_shape=shape)

    def sharding(**members):
        return lambda d: d["codecs"][0]["configuration"].update(members)

    document("chunk-rank", "the chunk shape has another rank than the array", grid([32]))
    document("chunk-zero", "a chunk length is 0", grid([32, 0]))
    document("codec-no-serializer", "no array-to-bytes codec", lambda d: LITTLE)
    document("codec-unknown", "a codec that no one knows", sharding(codecs=[LITTLE, codec("made-up")]))
    document("dtype-unknown", "an unknown data type", lambda d: d.update(data_type="float17"))
    document("fill-wrong-type", "a fill value that is not a number", lambda d: d.update(fill_value={"x": 1}))
    document("format-4", "zarr_format is 4", lambda d: d.update(zarr_format=4))
    document("inner-does-not-divide", "the inner chunk shape does not divide the shard shape", sharding(chunk_shape=[7, 8]))
    document("must-understand", "an unknown extension that must be understood",
             lambda d: d.update(made_up={"must_understand": True, "name": "x"}))
    document("shape-negative", "shape has a negative length", lambda d: d.update(shape=[64, -64]))
    document("shape-overflow", "the element count overflows 64 bits", lambda d: d.update(shape=[2**62, 2**62]))
    document("transpose-not-a-permutation", "a transpose order that repeats an axis",
             sharding(codecs=[codec("transpose", order=[0, 0])] + SHARD["configuration"]["codecs"]))
    store = array("json-truncated", "zarr.json is not JSON", (32, 32), [SHARD])
    write(store, "zarr.json", (store / "zarr.json").read_bytes()[:571])
    store = array("json-deep", "zarr.json nests 100,000 arrays", (32, 32), [SHARD])
    write(store, "zarr.json", '{"zarr_format":3,"node_type":"array","attributes":' + "[" * 100000 + "]" * 100000 + "}")
    store = array("no-metadata", "the folder holds no metadata", (32, 32), [SHARD])
    (store / "zarr.json").unlink()


def make_chunks():
    def blosc(cname):
        return codec("blosc", typesize=4, cname=cname, clevel=5, shuffle="shuffle", blocksize=0)

    chunk("blosc-header-nbytes", "the blosc header claims 2 GiB", [LITTLE, blosc("lz4")], lambda b: b[:4] + struct.pack("<I", 2**31 - 16) + b[8:])
    chunk("blosc-short", "the blosc buffer is shorter than its header", [LITTLE, blosc("zstd")], lambda b: b[:9])
    chunk("crc32c-codec", "the crc32c codec finds a wrong checksum", [LITTLE, codec("zstd", level=0, checksum=False), {"name": "crc32c"}],
          lambda b: b[:-1] + bytes([b[-1] ^ 1]))
    chunk("gzip-truncated", "the gzip stream ends early", [LITTLE, codec("gzip", level=5)], lambda b: b[:-12])
    chunk("raw-too-short", "an uncompressed chunk is too short", [LITTLE], lambda b: b[:-1])
    zstd = codec("zstd", level=3, checksum=False)
    claim = b"\x28\xb5\x2f\xfd\xe0" + struct.pack("<Q", 2**40) + b"\x01\x00\x00"
    chunk("zstd-claims-1-tib", "the zstd frame header claims 1 TiB of content", [LITTLE, zstd], lambda b: claim)
    chunk("zstd-too-short", "the chunk decodes to fewer bytes than its shape needs", [LITTLE, zstd],
          lambda b: numcodecs.Zstd(3).encode(bytes(100)))


def make_shards():
    shard("shard-empty-file", "the shard file has no bytes", lambda b: b"")
    shard("shard-truncated", "the shard file ends before its index", lambda b: b[:len(b) // 2])
    shard("shard-index-checksum", "the shard index does not match its crc32c", lambda b: flipped(b, len(b) - 100, len(b) - 99))
    shard("shard-index-beyond-end", "an index entry points past the end of the shard", lambda b: with_index(b, 3, 2 * len(b)))
    shard("zstd-body-flipped", "the zstd frame is damaged", lambda b: flipped(b, 20, 40), checksum=True)


def make():
    make_documents()
    make_chunks()
    make_shards()
