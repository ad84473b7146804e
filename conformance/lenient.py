"""The cases lenient-*: documents and chunks of public writers that differ from their specification, or that it
leaves open. Elements come from NumPy, chunks from numcodecs, zarr-python and TensorStore; output that only an
old release of a writer produces is made by editing.
"""

import bz2
import gzip
import json
import lzma
import struct
import zlib

import ml_dtypes
import numcodecs
import numpy as np
import tensorstore as ts

import case as cases
from case import LITTLE, codec, write


def case(name, note, expected, bits=False):
    """Creates a case's folder; returns that of its store. `bits`: NumPy lacks the type."""
    note += " (bit patterns)" if bits else ""
    everything = [[0, n, 1] for n in expected.shape]
    return cases.good(f"lenient-{name}", note, "conformance/lenient.py", [expected], [everything])


def v2(store, elements, chunks, chunk=bytes, dtype=None, separator=".", skip=(), order="C", **members):
    """Writes a .zarray and its chunks; `chunk` encodes the bytes of one. Members that are `...` are left out."""
    document = {"zarr_format": 2, "shape": list(elements.shape), "chunks": list(chunks),
                "dtype": dtype or elements.dtype.str, "compressor": None, "fill_value": 0, "order": order,
                "filters": None} | members
    document = {name: value for name, value in document.items() if value is not ...}
    write(store, ".zarray", json.dumps(document))
    grid = [-(-n // c) for n, c in zip(elements.shape, chunks)]
    for at in np.ndindex(*grid):
        if at in skip:
            continue
        part = np.zeros(chunks, elements.dtype)
        inside = elements[tuple(slice(i * c, (i + 1) * c) for i, c in zip(at, chunks))]
        part[tuple(slice(0, n) for n in inside.shape)] = inside
        write(store, separator.join(map(str, at)) or "0", bytes(chunk(part.tobytes(order=order))))


def v3(store, shape, chunks, data_type, codecs, fill=0, **members):
    document = {"zarr_format": 3, "node_type": "array", "shape": list(shape), "data_type": data_type,
                "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": list(chunks)}},
                "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}},
                "fill_value": fill, "codecs": codecs, "attributes": {}} | members
    write(store, "zarr.json", json.dumps(document))


random = np.random.default_rng(49)
grid_i4 = np.arange(60, dtype="<i4").reshape(6, 10)
grid_f4 = (np.arange(60, dtype="<f4") / 4).reshape(6, 10)


def make_small_numbers():
    """Numbers of less than 8 bits: the upper bits of a stored byte are ignored."""
    SMALL = {"int2": (2, True), "int4": (4, True), "uint2": (2, False), "uint4": (4, False), "float4_e2m1fn": (4, False),
             "float6_e2m3fn": (6, False), "float6_e3m2fn": (6, False)}

    def small(bits, signed, count):
        """Returns bytes with any upper bits, and the numbers that they stand for, as bytes."""
        stored = random.integers(0, 256, count, "u1")
        value = stored & (1 << bits) - 1
        if signed:
            value = np.where(value >> bits - 1 == 1, value | 0xff << bits & 0xff, value).astype("u1")
        return stored, value.view("i1") if signed else value

    for name, (bits, signed) in SMALL.items():
        stored, value = small(bits, signed, 60)
        store = case(f"{name}-upper-bits", "bytes: the upper bits of a small number mean nothing", value.reshape(6, 10), bits=True)
        v3(store, [6, 10], [6, 10], name, [{"name": "bytes"}])
        write(store, "c/0/0", stored.tobytes())
    stored, value = small(4, False, 120)
    store = case("complex-float4-upper-bits", "the same of the parts of complex numbers", value.view("<u2").reshape(6, 10), bits=True)
    v3(store, [6, 10], [6, 10], "complex_float4_e2m1fn", [{"name": "bytes"}], [0, 0])
    write(store, "c/0/0", stored.tobytes())
    stored, value = small(4, True, 60)
    expected = value.reshape(6, 10).copy()
    store = case("int4-upper-bits-sharded", "in inner chunks, one of which is missing", expected, bits=True)
    inner = [c.tobytes() for c in stored.reshape(3, 2, 2, 5).swapaxes(1, 2).reshape(6, 10)]
    expected[0:2, 5:10] = -3
    np.save(store.parent / "expected0.npy", expected)
    index, body = [], b""
    for i, c in enumerate(inner):
        c = b"" if i == 1 else numcodecs.Zstd().encode(c)
        index.append((2**64 - 1, 2**64 - 1) if i == 1 else (len(body), len(c)))
        body += c
    v3(store, [6, 10], [6, 10], "int4", [codec("sharding_indexed", chunk_shape=[2, 5], codecs=[{"name": "bytes"}, codec("zstd", level=0, checksum=False)],
                                              index_codecs=[LITTLE], index_location="end")], fill=-3)
    write(store, "c/0/0", body + b"".join(struct.pack("<QQ", *row) for row in index))
    stored, value = small(4, True, 60)
    store = case("int4-upper-bits-cast", "behind a cast", value.astype("<i2").reshape(6, 10))
    v3(store, [6, 10], [6, 10], "int16", [codec("cast_value", data_type="int4"), {"name": "bytes"}])
    write(store, "c/0/0", stored.tobytes())
    stored, value = small(4, True, 60)
    store = case("v2-int4-upper-bits", "TensorStore's name in version 2", value.reshape(6, 10), bits=True)
    v2(store, stored.reshape(6, 10), [6, 10], dtype="int4")


def make_shuffle_sizes():
    """elementsize of a shuffle: 0 means the size of the data type. netcdf-c writes it, until 4.9.3 as text."""
    for dtype in ("<f4", "<i2", "<f8", "|u1"):
        for size in (0, "0", np.dtype(dtype).itemsize, str(np.dtype(dtype).itemsize)):
            elements = grid_f4.astype(dtype)
            shuffle = numcodecs.Shuffle(elements.itemsize)
            name = f"shuffle-{dtype[1:]}-{'text-' if isinstance(size, str) else ''}{size}"
            store = case(name, "netcdf-c: elementsize 0 is the size of the data type, and may be text", elements)
            v2(store, elements, [3, 5], lambda b: zlib.compress(shuffle.encode(b)), filters=[{"id": "shuffle", "elementsize": size}],
               compressor={"id": "zlib", "level": "4"}, fill_value=9.96921e+36 if dtype[1] == "f" else 77)
    store = case("shuffle-v3-behind-astype", "without elementsize: the size of the array's type, as zarr-python has it", grid_f4.astype("<f8"))
    v3(store, [6, 10], [6, 10], "float64", [codec("numcodecs.astype", encode_dtype="<f4", decode_dtype="<f8"), LITTLE, codec("numcodecs.shuffle")])
    write(store, "c/0/0", bytes(numcodecs.Shuffle(8).encode(grid_f4)))


def make_encoder_parameters():
    """Members that only an encoder needs may have any value."""
    ENCODERS = {
        "zlib": (zlib.compress, [{"level": -1}, {"level": "4"}, {"level": None}, {"level": 99}, {}, {"level": "fast"}]),
        "gzip": (lambda b: gzip.compress(b, mtime=0), [{"level": -1}, {"level": "4"}, {"level": None}, {"level": 99}, {}]),
        "bz2": (bz2.compress, [{"level": 0}, {"level": "9"}, {"level": None}]),
        "zstd": (numcodecs.Zstd().encode, [{"level": 99}, {"level": "4"}, {"level": None}, {"checksum": "no"}]),
        "lz4": (numcodecs.LZ4().encode, [{"acceleration": "1"}, {"acceleration": None}, {"acceleration": -5}, {}]),
        "lzma": (lzma.compress, [{"preset": "6"}, {"preset": 99}, {"check": None}, {"preset": 6, "delta": 1}, {"filters": [{"id": 999}]}, {"format": None}]),
        "blosc": (numcodecs.Blosc("lz4").encode, [{"clevel": "5"}, {"shuffle": "1", "blocksize": "0"}, {"cname": None, "nthreads": -1}, {"clevel": 99, "blocksize": -1}, {"shuffle": -1}]),
    }
    for name, (encode, configurations) in ENCODERS.items():
        for i, configuration in enumerate(configurations):
            store = case(f"v2-{name}-parameters-{i}", f"a parameter that only an encoder needs: {configuration}", grid_i4)
            v2(store, grid_i4, [3, 5], lambda b: encode(np.frombuffer(b, "<i4") if name == "blosc" else b), compressor={"id": name} | configuration)
    for name, configuration in (("zstd", {"level": "3", "checksum": None}), ("gzip", {"level": None}), ("gzip", {}), ("blosc", {"typesize": None, "shuffle": "auto"}),
                                ("numcodecs.zlib", {"level": "4"})):
        i = sorted(configuration)
        store = case(f"v3-{name}-parameters-{'-'.join(i) or 'none'}", f"a parameter that only an encoder needs: {configuration}", grid_i4)
        v3(store, [6, 10], [6, 10], "int32", [LITTLE, codec(name, **configuration)])
        encode = ENCODERS[name.removeprefix("numcodecs.")][0]
        write(store, "c/0/0", bytes(encode(grid_i4.tobytes() if "blosc" not in name else grid_i4.copy())))


def make_zstd_frames():
    """zstd: frames that decoders must skip, several frames, windows of more than 8 MiB."""
    def skippable(content):
        return struct.pack("<II", 0x184D2A53, len(content)) + content

    def windowed(frame, descriptor):
        """Returns a frame of a single segment as one with a window."""
        size = {0: 1, 1: 2, 2: 4, 3: 8}[frame[4] >> 6]
        content = int.from_bytes(frame[5:5 + size], "little") + (256 if size == 2 else 0)
        return frame[:4] + bytes([2 << 6 | frame[4] & 4, descriptor]) + struct.pack("<I", content) + frame[5 + size:]

    numbers = np.arange(60000, dtype="<i4").reshape(300, 200) // 7
    halves = [numcodecs.Zstd(level=3, checksum=i == 1).encode(half.tobytes()) for i, half in enumerate((numbers[:150], numbers[150:]))]
    whole = numcodecs.Zstd(level=3).encode(numbers.tobytes())
    for name, chunk in (("skippable-first", skippable(b"any") + whole), ("skippable-last", whole + skippable(b"")), ("frames", halves[0] + halves[1]),
                        ("skippable-between", skippable(b"x" * 300) + halves[0] + skippable(b"yz") + halves[1]), ("window-16-mib", windowed(whole, 14 << 3)),
                        ("window-1-gib", windowed(whole, 20 << 3)), ("window-checksum", windowed(halves[1], 15 << 3 | 5))):
        elements = numbers[150:] if name == "window-checksum" else numbers
        store = case(f"zstd-{name}", "a frame that a decoder may not refuse", elements)
        v3(store, elements.shape, elements.shape, "int32", [LITTLE, codec("zstd", level=3, checksum=False)])
        write(store, "c/0/0", chunk)


def make_fill_values():
    """Fill values of version 2; the second chunk is missing."""
    FILLS = [
        ("<f4", "0", 0), ("<f4", "-999", -999), ("<f4", "1.5", 1.5), ("<f4", "nan", np.nan), ("<f4", "NaN", np.nan), ("<f4", "-inf", -np.inf), ("<f4", "inf", np.inf),
        ("<f4", "-Infinity", -np.inf), ("<f4", "1e3", 1000), ("<f4", "9.96921e+36", 9.96921e+36), ("<f4", " 2.5 ", 2.5), ("<f4", [-32767], -32767), ("<f4", ["nan"], np.nan),
        ("<f8", "-9999.0", -9999), ("<f8", True, 1), ("<f2", "nan", np.nan), (">f4", "-999", -999),
        ("<i4", "0", 0), ("<i4", "-999", -999), ("<i4", -999.0, -999), ("<i4", [-32767], -32767), ("<i4", "-999.0", -999), ("<i4", False, 0), ("<i4", ["7"], 7),
        ("<i8", -9.223372036854776e+18, -2**63), ("<i8", "-9223372036854775806", -2**63 + 2), ("<i8", -9223372036854775806, -2**63 + 2), ("<i8", 1e15, 10**15),
        ("<u8", "18446744073709551615", 2**64 - 1), ("<u8", 18446744073709551614, 2**64 - 2), ("|u1", "0", 0), ("|u1", "255", 255), ("|i1", "-127", -127), (">u2", "77", 77),
        ("|b1", 0, False), ("|b1", 1, True), ("|b1", 1.0, True), ("|b1", True, True),
        ("<c8", 0, 0), ("<c8", 1.5, 1.5), ("<c8", [1, 2], 1 + 2j), ("<c8", ["1.5", "-inf"], complex(1.5, -np.inf)), ("<c8", "AACAPwAAAEA=", 1 + 2j),
        ("<M8[s]", None, "NaT"), ("<M8[ns]", "NaT", "NaT"), ("<M8[D]", 0, 0), ("<M8[D]", "7", 7), ("<m8[h]", None, "NaT"), ("<M8[ns]", -9.223372036854776e+18, "NaT"), ("<M8[s]", ..., "NaT"),
        ("|S4", "", b""), ("|S4", None, b""), ("|S4", 0, b""), ("|S4", "YWI=", b"ab"), ("|S4", "a", b"a"), ("|S1", "\x00", b""), ("|S4", "a b", b"a b"), ("|S4", ["a"], b"a"),
        ("<U3", "ab", "ab"), ("<U3", 0, ""), ("<U3", None, ""), ("<U3", ["ab"], "ab"), ("|V2", "AQI=", b"\x01\x02"),
    ]
    for i, (dtype, fill, value) in enumerate(FILLS):
        one = np.zeros(4, dtype)
        if dtype[1] in "Mm" and not isinstance(value, str):
            value = np.array(value).astype(np.dtype(dtype))
        one[2:] = np.array([value], dtype) if dtype[1] == "V" else value
        if dtype[1] == "f" and one[2] != one[2]:  # the bits of the NaN
            one[2:] = np.array([np.nan]).astype(dtype)
        store = case(f"v2-fill-{i:02}", f"{dtype}, fill_value {'missing' if fill is ... else json.dumps(fill)}", one.astype(one.dtype.newbyteorder("<")))
        v2(store, one, [2], skip=[(1,)], fill_value=fill)


def make_tensorstore_types():
    """Data types of TensorStore in version 2."""
    for name in ("bfloat16", "float8_e4m3fn", "float8_e4m3fnuz", "float8_e4m3b11fnuz", "float8_e5m2", "float8_e5m2fnuz", "int4"):
        dtype = np.dtype(getattr(ml_dtypes, name))
        elements = (np.arange(24) % 8 - 4).astype(dtype).reshape(4, 6)
        bits = elements.astype("i1") if name == "int4" else elements.view(f"u{dtype.itemsize}")
        store = case(f"v2-{name}", "a data type that TensorStore names so in version 2", bits, bits=True)
        array = ts.open({"driver": "zarr", "kvstore": {"driver": "file", "path": str(store)}, "metadata": {
            "shape": [4, 6], "chunks": [2, 6], "dtype": name, "compressor": None, "fill_value": None, "order": "C", "filters": None}}, create=True).result()
        array.write(elements).result()
    store = case("v2-uint4-struct", "in a struct too", np.array([(7, 1.5), (15, 2)], [("a", "u1"), ("b", "<f4")]))
    v2(store, np.array([(0xe7, 1.5), (0xff, 2)], [("a", "u1"), ("b", "<f4")]), [2], dtype=[["a", "uint4"], ["b", "<f4"]], fill_value=None)
    for shape in ([2, 3], [6], [1], 1, [3, 1, 2]):
        count = int(np.prod(shape))
        field = ("b", "<i2", tuple(shape)) if isinstance(shape, list) else ("b", "<i2")
        elements = np.zeros(3, [("a", "u1"), field])
        elements["a"] = [1, 2, 3]
        elements["b"] = np.arange(3 * count).reshape(elements["b"].shape)
        store = case(f"v2-struct-{'x'.join(map(str, shape)) if isinstance(shape, list) else 'one'}", "a field that is an array keeps its shape", elements)
        v2(store, elements, [3], dtype=[["a", "|u1"], ["b", "<i2", shape]], fill_value=None)


def make_orders():
    """Orders."""
    for order in ("C", "F"):
        store = case(f"transpose-{order}", "GDAL until October 2025", grid_i4)
        v3(store, [6, 10], [6, 10], "int32", [codec("transpose", order=order), LITTLE])
        write(store, "c/0/0", grid_i4.tobytes(order=order))
    cube = np.arange(240, dtype="<i4").reshape(4, 6, 10)
    for i, (order, location, crc, endian) in enumerate([([3, 1, 0, 2], "end", True, "little"), ([3, 2, 1, 0], "start", True, "little"), ([0, 1, 3, 2], "end", False, "big"),
                                                        ([0, 1, 2, 3], "end", True, "little"), ([2, 0, 1, 3], "start", False, "little")]):
        store = case(f"shard-index-transposed-{i}", f"index_codecs begin with a transpose {order}", cube)
        index_codecs = [codec("transpose", order=order), codec("bytes", endian=endian)] + [{"name": "crc32c"}] * crc
        array = ts.open({"driver": "zarr3", "kvstore": {"driver": "file", "path": str(store)}, "metadata": {
            "shape": [4, 6, 10], "data_type": "int32", "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [2, 4, 10]}}, "codecs": [
                codec("sharding_indexed", chunk_shape=[1, 2, 5], codecs=[LITTLE, codec("zstd", level=1)], index_codecs=index_codecs, index_location=location)]}}, create=True).result()
        array.write(cube).result()
    store = case("shard-index-transposed-F", "as text", cube)
    array = ts.open({"driver": "zarr3", "kvstore": {"driver": "file", "path": str(store)}, "metadata": {
        "shape": [4, 6, 10], "data_type": "int32", "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [2, 4, 10]}}, "codecs": [
            codec("sharding_indexed", chunk_shape=[1, 2, 5], codecs=[LITTLE], index_codecs=[codec("transpose", order=[3, 2, 1, 0]), LITTLE])]}}, create=True).result()
    array.write(cube).result()
    write(store, "zarr.json", (store / "zarr.json").read_text().replace('"order":[3,2,1,0]', '"order":"F"'))


def make_separators_and_attributes():
    """Separators, chunks of 0, attributes."""
    for name, separator in (("null", None), ("empty", "")):
        store = case(f"v2-separator-{name}", "is the default", grid_i4)
        v2(store, grid_i4, [3, 5], dimension_separator=separator)
    for name, encoding in (("null", codec("default", separator=None)), ("v2-null", codec("v2", separator=None)), ("configuration-null", {"name": "default", "configuration": None})):
        store = case(f"v3-separator-{name}", "is the default", grid_i4)
        v3(store, [6, 10], [6, 10], "int32", [LITTLE], chunk_key_encoding=encoding)
        write(store, "0.0" if name == "v2-null" else "c/0/0", grid_i4.tobytes())
    for shape in ([0], [0, 4], [4, 0], [0, 0]):
        chunks = [min(n, 2) for n in shape]
        store = case(f"v3-chunks-0-{'x'.join(map(str, shape))}", "a dimension without elements has chunks without any", np.zeros(shape, "<f4"))
        v3(store, shape, chunks, "float32", [LITTLE])
        store = case(f"v2-chunks-0-{'x'.join(map(str, shape))}", "a dimension without elements has chunks without any", np.zeros(shape, "<f4"))
        v2(store, np.zeros(shape, "<f4"), [max(c, 1) for c in chunks], chunks=chunks) if 0 not in shape else write(store, ".zarray", json.dumps(
            {"zarr_format": 2, "shape": shape, "chunks": chunks, "dtype": "<f4", "compressor": None, "fill_value": 0, "order": "C", "filters": None}))
    for name, text in (("not-json", "{not json"), ("empty", ""), ("list", "[1]"), ("twice", '{"a": 1, "a": 2}'), ("twice-inside", '{"a": [{"b": 1, "b": 2}]}'), ("not-utf8", b'{"a": "\xff\xfe"}'), ("null", "null")):
        store = case(f"v2-attributes-{name}", "elements are read, whatever the attributes are", grid_i4)
        v2(store, grid_i4, [3, 5])
        write(store, ".zattrs", text)
    for name, text in (("list", "[1]"), ("text", '"a"'), ("twice", '{"a": 1, "a": 2}'), ("twice-inside", '{"a": [{"b": 1, "b": 2}]}'), ("null", "null")):
        store = case(f"v3-attributes-{name}", "elements are read, whatever the attributes are", grid_i4)
        v3(store, [6, 10], [6, 10], "int32", [LITTLE], attributes="HERE")
        write(store, "zarr.json", (store / "zarr.json").read_text().replace('"HERE"', text))
        write(store, "c/0/0", grid_i4.tobytes())


def make_parameters():
    """Parameters with another meaning if they are missing, null or 0: the table of docs/formats.md."""
    def parameters(name, note, elements, data_type, codecs, chunk, **members):
        store = case(f"v3-parameters-{name}", note, elements)
        v3(store, elements.shape, elements.shape, data_type, codecs, False if data_type == "bool" else 0, **members)
        write(store, "c/0/0", bytes(chunk))

    small_i1, eighths, flags = grid_i4.astype("i1"), grid_i4.astype("<f4") / 8, grid_i4 % 3 == 0
    raw = lzma.compress(grid_i4.tobytes(), format=lzma.FORMAT_RAW, filters=[{"id": lzma.FILTER_LZMA2}])
    crc = struct.pack("<I", zlib.crc32(grid_i4.tobytes()))
    parameters("endian-null", "of single bytes, as zarr-python and zarrs have it", small_i1, "int8", [codec("bytes", endian=None)], small_i1.tobytes())
    parameters("storage-transformers-null", "is none, as zarr-python and zarrs have it", grid_i4, "int32", [LITTLE], grid_i4.tobytes(), storage_transformers=None)
    parameters("scale-offset-null", "offset 0, scale 1", grid_i4, "int32", [codec("scale_offset", scale=None, offset=None), LITTLE], grid_i4.tobytes())
    parameters("cast-value-null", "nearest-even, no rule for what is out of range", grid_i4, "int32",
               [codec("cast_value", data_type="int64", rounding=None, out_of_range=None, scalar_map=None), LITTLE], grid_i4.astype("<i8").tobytes())
    parameters("packbits-null", "all bits, no padding byte", flags, "bool", [codec("packbits", padding_encoding=None, first_bit=None, last_bit=None)],
               np.packbits(flags, bitorder="little").tobytes())
    parameters("reshape-rest", "-1 is what is left", grid_i4, "int32", [codec("reshape", shape=[3, -1]), codec("transpose", order=[1, 0]), LITTLE],
               grid_i4.reshape(3, 20).T.tobytes())
    parameters("index-location-null", "is the end", grid_i4, "int32",
               [codec("sharding_indexed", chunk_shape=[6, 10], codecs=[LITTLE], index_codecs=[LITTLE], index_location=None)], grid_i4.tobytes() + struct.pack("<QQ", 0, 240))
    parameters("crc32-location-null", "is the start", grid_i4, "int32", [LITTLE, codec("numcodecs.crc32", location=None)], crc + grid_i4.tobytes())
    parameters("adler32-location-missing", "is the start", grid_i4, "int32", [LITTLE, codec("numcodecs.adler32")], struct.pack("<I", zlib.adler32(grid_i4.tobytes())) + grid_i4.tobytes())
    parameters("lzma-any-format", "0 is what the stream says", grid_i4, "int32", [LITTLE, codec("numcodecs.lzma", format=0)], lzma.compress(grid_i4.tobytes(), format=lzma.FORMAT_ALONE))
    parameters("lzma-raw-without-dict-size", "that of the preset", grid_i4, "int32", [LITTLE, codec("numcodecs.lzma", format=3, filters=[{"id": lzma.FILTER_LZMA2, "dict_size": None}])], raw)
    parameters("delta-astype-null", "is dtype, which is that of the array", grid_i4, "int32", [codec("numcodecs.delta", dtype=None, astype=None), LITTLE], numcodecs.Delta("<i4").encode(grid_i4))
    parameters("fixedscaleoffset-astype-null", "is dtype", eighths, "float32", [codec("numcodecs.fixedscaleoffset", scale=8, offset=1, dtype="<f4", astype=None), LITTLE],
               numcodecs.FixedScaleOffset(1, 8, "<f4").encode(eighths))
    parameters("bitround-keepbits-null", "only an encoder rounds", eighths, "float32", [codec("numcodecs.bitround", keepbits=None), LITTLE], eighths.tobytes())
    for typesize in (0, 8, None):
        parameters(f"blosc-typesize-{typesize}", "the chunk's header says it", grid_i4, "int32", [LITTLE, codec("blosc", cname="lz4", clevel=5, shuffle="noshuffle", blocksize=0, typesize=typesize)],
                   numcodecs.Blosc("lz4", shuffle=1).encode(grid_i4))
    parameters("lzma-raw-foreign-members", "LZMA2 has its own lc, lp and pb in the stream", grid_i4, "int32",
               [LITTLE, codec("numcodecs.lzma", format=3, filters=[{"id": lzma.FILTER_LZMA2, "dict_size": 1 << 23, "lc": 99, "lp": 99, "pb": 99, "preset": "4"}])], raw)
    store = case("v2-attributes-folder", "elements are read, although the attributes cannot", grid_i4)
    v2(store, grid_i4, [3, 5])
    write(store, ".zattrs/x", "")
    store = case("v2-fill-empty-of-raw", "zarr-python takes an empty text for zeros", np.zeros(4, "|V3"))
    v2(store, np.zeros(4, "|V3"), [2], skip=[(1,)], fill_value="")


def make():
    make_small_numbers()
    make_shuffle_sizes()
    make_encoder_parameters()
    make_zstd_frames()
    make_fill_values()
    make_tensorstore_types()
    make_orders()
    make_separators_and_attributes()
    make_parameters()
