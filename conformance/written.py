"""The cases v2-* and v3-*: arrays as zarr-python and TensorStore write them."""

import importlib.metadata
import warnings
import zlib

import ml_dtypes
import numcodecs
import numcodecs.blosc
import numpy as np
import tensorstore as ts
import zarr

import case
from case import LITTLE, codec

warnings.filterwarnings("ignore")  # Data types and codecs that version 3 does not specify.
numcodecs.blosc.use_threads = False  # Threads write blocks in any order.

SINGLE = {"name": "bytes"}
CRC = {"name": "crc32c"}
ZSTD = codec("zstd", level=0, checksum=False)
INDEX = [LITTLE, CRC]
CUBE = (37, 41, 13)
WORDS = ["", "a", "zarr", "naïve", "雪", "ocean-7"]


def elements(name, shape, dtype):
    """Returns a random walk, like measurements, with difficult values at the front."""
    random = np.random.default_rng(zlib.crc32(name.encode()))
    dtype, count = np.dtype(dtype), int(np.prod(shape))
    if dtype.kind in "SU":
        return random.choice(np.array([w.encode()[:6] if dtype.kind == "S" else w for w in WORDS], dtype), shape)
    walk = np.cumsum(random.standard_normal(count))
    if dtype.kind == "b":
        flat = walk % 4 < 2
    elif dtype.kind in "iu":
        flat = (40 + 7 * walk).astype("i8").astype(dtype)
        flat[:2] = [np.iinfo(dtype).min, np.iinfo(dtype).max][:count]
    elif dtype.kind in "mM":
        flat = (walk * 1e6).astype("i8").astype(dtype)
    elif dtype.kind == "c":
        flat = (walk + 1j * np.cumsum(random.standard_normal(count))).astype(dtype)
    else:
        flat = walk.astype(dtype)
        tiny = ml_dtypes.finfo(dtype).tiny
        flat[1:6] = np.array([np.nan, np.inf, -np.inf, -0.0, tiny]).astype(dtype)
    return flat.reshape(shape)


def reads(shape):
    """Returns the reads: everything, a part in the middle, the last element, every third."""
    if 0 in shape or not shape:
        return [[[0, n, 1] for n in shape]]
    return [[[0, n, 1] for n in shape], [[n // 3, n * 4 // 5, 1] for n in shape], [[n - 1, n, 1] for n in shape],
            [[n // 5, n, 3 if n > 6 else 1] for n in shape]]


def parts(values, of):
    """Returns the elements of each read; texts as lists."""
    cut = [values[tuple(slice(*part) for part in read)] for read in of]
    if values.dtype.kind in "OT":
        return [[str(text) for text in part] for part in cut]
    return [part.astype(part.dtype.newbyteorder("<")) if part.dtype.names is None else part for part in cut]


def by_zarr_python(name, values, chunks, regions=None, expected=None, note="", path="", **options):
    """Writes `regions`, or everything; `expected` are the elements then read, if they are not `values`."""
    if expected is None:
        expected = values
    if regions is not None:
        expected = np.full(values.shape, options["fill_value"], values.dtype)
        for region in regions:
            expected[region] = values[region]
    of = reads(values.shape)
    store = case.good(name, note, f"zarr-python {zarr.__version__}", parts(expected, of), of, path)
    if path:
        group = zarr.create_group(str(store), zarr_format=3)
        for parent in path.split("/")[:-1]:
            group = group.create_group(parent)
    options = {"dtype": values.dtype, "fill_value": np.zeros((), values.dtype)[()]} | options
    array = zarr.create(store=str(store), path=path, shape=values.shape, chunks=chunks, **options)
    for region in [...] if regions is None else regions:
        array[region] = values[region]


def v3(name, shape, dtype, chunks, codecs, **options):
    by_zarr_python(f"v3-{name}", elements(name, shape, dtype), chunks, zarr_format=3, codecs=codecs, **options)


def v2(name, shape, dtype, chunks, compressor=numcodecs.Zstd(0), **options):
    by_zarr_python(f"v2-{name}", elements(name, shape, dtype), chunks, zarr_format=2, compressor=compressor, **options)


def by_tensorstore(name, values, metadata, region=..., fill=0, note="", driver="zarr3"):
    """Writes a region, or everything. Types that NumPy lacks are expected as bit patterns."""
    expected = values
    if region is not ...:
        expected = np.full(values.shape, fill, values.dtype)
        expected[region] = values[region]
    if values.dtype.isbuiltin == 2:  # not a type of NumPy
        expected = expected.astype("i1") if values.dtype == ml_dtypes.int4 else expected.view(f"u{values.dtype.itemsize}")
        note = f"expected values are raw {values.dtype} bit patterns"
    of = reads(values.shape)
    store = case.good(name, note, f"tensorstore {importlib.metadata.version('tensorstore')}", parts(expected, of), of)
    array = ts.open({"driver": driver, "kvstore": {"driver": "file", "path": str(store)},
                     "metadata": {"shape": list(values.shape)} | metadata}, create=True).result()
    array[region].write(values[region]).result()


def ts_v3(name, values, chunks, codecs, fill_value=0, **options):
    by_tensorstore(f"v3-{name}", values, {
        "data_type": str(values.dtype), "codecs": codecs, "fill_value": fill_value,
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": chunks}}}, **options)


def shard(chunk_shape, codecs, index_codecs=INDEX, index_location="end"):
    return codec("sharding_indexed", chunk_shape=chunk_shape, codecs=codecs, index_codecs=index_codecs, index_location=index_location)


def blosc(cname, shuffle, typesize, clevel=5, blocksize=0):
    return codec("blosc", cname=cname, shuffle=shuffle, typesize=typesize, clevel=clevel, blocksize=blocksize)


def make_data_types():
    for dtype in ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64",
                  "complex64", "complex128"):
        serializer = LITTLE if np.dtype(dtype).itemsize > 1 else SINGLE
        v3(f"dtype-{dtype}", (23, 31), dtype, (10, 16), [shard([5, 8], [serializer, codec("zstd", level=3, checksum=False)])])
    for name, dtype in (("datetime64", "M8[ns]"), ("timedelta64", "m8[us]"), ("fixed-utf32", "U7")):
        fill = {} if dtype[0] == "U" else {"fill_value": np.array("NaT", dtype)[()]}
        v3(f"dtype-{name}", (23, 31), dtype, (5, 8), [LITTLE, ZSTD], **fill)
    v3("dtype-null-terminated-bytes", (23, 31), "S6", (5, 8), [SINGLE, ZSTD])
    texts = np.array([f"row-{i} é雪" * (i % 4) for i in range(40)], object)
    by_zarr_python("v3-dtype-string", texts, (7,), zarr_format=3, dtype="string", fill_value="", codecs=[codec("vlen-utf8"), ZSTD])
    for name in ("bfloat16", "float8_e4m3fn", "float8_e5m2"):
        dtype = np.dtype(getattr(ml_dtypes, name))
        serializer = LITTLE if dtype.itemsize > 1 else SINGLE
        ts_v3(f"dtype-{name}", elements(name, (23, 31), dtype), [10, 16], [shard([5, 8], [serializer])])
    values = (elements("dtype-int4", (23, 31), "i8") % 16 - 8).astype(ml_dtypes.int4)
    ts_v3("dtype-int4", values, [10, 16], [shard([5, 8], [SINGLE])])
    for dtype in ("|b1", "|i1", "<i2", ">i2", "<i4", ">i4", "<i8", "|u1", "<u2", ">u8", "<f2", "<f4", ">f4", "<f8", ">f8", "<c8", "<c16",
                  "<M8[s]", "<m8[ns]", "|S6", "<U5", ">U3"):
        name = dtype[1:].replace("[", "-").replace("]", "") + {"<": "-le", ">": "-be", "|": "-na"}[dtype[0]]
        fill = {"fill_value": np.array("NaT", dtype)[()]} if dtype[1] in "mM" else {}
        v2(f"dtype-{name}", (23, 31), dtype, (6, 7), numcodecs.Zlib(4), **fill)
    records = np.array([(i / 2, i % 3, -i) for i in range(19)], [("lat", "<f4"), ("flag", "u1"), ("n", ">i2")])
    by_zarr_python("v2-dtype-structured", records, (4,), zarr_format=2, compressor=numcodecs.Zstd(1))
    texts = np.array([f"w{i} é" for i in range(25)], object)
    by_zarr_python("v2-dtype-vlen-utf8", texts, (6,), zarr_format=2, dtype="string", fill_value="",
                   filters=[numcodecs.VLenUTF8()], compressor=numcodecs.Zstd(0))


def make_codecs():
    for level, checksum in ((-5, False), (1, True), (19, False)):
        name = f"zstd-l{level}-{'sum' if checksum else 'nosum'}"
        v3(name, CUBE, "float32", (16, 16, 8), [LITTLE, codec("zstd", level=level, checksum=checksum)])
    for level in (1, 9):
        v3(f"gzip-l{level}", CUBE, "int16", (16, 16, 8), [LITTLE, codec("gzip", level=level)])
    for cname in ("blosclz", "lz4", "lz4hc", "zlib", "zstd"):
        for shuffle, dtype in (("noshuffle", "float32"), ("shuffle", "float32"), ("bitshuffle", "uint16")):
            v3(f"blosc-{cname}-{shuffle}", CUBE, dtype, (19, 23, 13), [LITTLE, blosc(cname, shuffle, np.dtype(dtype).itemsize)])
    v3("blosc-lz4-shuffle-f8-sharded", (40, 40, 32), "float64", (32, 32, 32), [shard([16, 16, 16], [LITTLE, blosc("lz4", "shuffle", 8)])])
    v3("blosc-multiblock", (200000,), "int32", (100000,), [LITTLE, blosc("zstd", "shuffle", 4, 3, 32768)])
    noise = np.random.default_rng(7).integers(0, 256, 3000, "u1")
    by_zarr_python("v3-blosc-incompressible", noise, (1024,), zarr_format=3, codecs=[SINGLE, blosc("lz4", "noshuffle", 1, 9)])
    v3("crc32c", CUBE, "int32", (16, 16, 8), [LITTLE, codec("zstd", level=1, checksum=False), CRC])
    v3("uncompressed", CUBE, "uint16", (16, 16, 8), [LITTLE])
    v3("big-endian", CUBE, "float64", (16, 16, 8), [codec("bytes", endian="big"), ZSTD])
    v3("transpose-210", CUBE, "int32", (16, 16, 8), [codec("transpose", order=[2, 1, 0]), LITTLE, ZSTD])
    v3("transpose-120-sharded", (48, 48, 24), "int16", (48, 24, 24),
       [shard([16, 8, 8], [codec("transpose", order=[1, 2, 0]), LITTLE, blosc("lz4", "shuffle", 2)])])
    for name, configuration in (("adler32", {}), ("crc32", {}), ("bz2", {"level": 5}), ("lz4", {"acceleration": 1}), ("lzma", {"preset": 1}),
                                ("zlib", {"level": 5})):
        v3(f"numcodecs-{name}", CUBE, "int32", (16, 16, 8), [LITTLE, codec(f"numcodecs.{name}", **configuration)])
    v3("numcodecs-shuffle", CUBE, "int32", (16, 16, 8), [LITTLE, codec("numcodecs.shuffle", elementsize=4), ZSTD])
    v3("numcodecs-delta", CUBE, "int32", (16, 16, 8), [codec("numcodecs.delta", dtype="<i4"), LITTLE, ZSTD])
    v3("numcodecs-packbits", CUBE, "bool", (16, 16, 8), [codec("numcodecs.packbits"), SINGLE, ZSTD])
    tenths = tenths_of("numcodecs-fixedscaleoffset", CUBE, "float32")
    by_zarr_python("v3-numcodecs-fixedscaleoffset", tenths, (16, 16, 8), zarr_format=3, codecs=[
        codec("numcodecs.fixedscaleoffset", offset=0, scale=10, dtype="<f4", astype="<i4"), LITTLE, ZSTD])


def tenths_of(name, shape, dtype):
    """The result of a filter that keeps one digit."""
    values = np.round(np.nan_to_num(elements(name, shape, "float64"), nan=1, posinf=2, neginf=3), 1) + 0.0
    return values.astype(dtype)


def make_filters():
    compressors = {
        "none": None, "zlib": numcodecs.Zlib(6), "gzip": numcodecs.GZip(5), "bz2": numcodecs.BZ2(4), "lzma": numcodecs.LZMA(preset=1),
        "lz4": numcodecs.LZ4(1), "zstd": numcodecs.Zstd(3), "blosc-blosclz": numcodecs.Blosc("blosclz", 5, 1),
        "blosc-lz4-shuffle": numcodecs.Blosc("lz4", 5, 1), "blosc-zlib": numcodecs.Blosc("zlib", 5, 0),
        "blosc-zstd-bitshuffle": numcodecs.Blosc("zstd", 5, 2)}
    for name, compressor in compressors.items():
        v2(f"compressor-{name}", CUBE, "<i4", (16, 16, 8), compressor)

    def filtered(name, values, *filters, decoded=lambda values: values):
        by_zarr_python(f"v2-filter-{name}", values, (16, 11), zarr_format=2, filters=list(filters), compressor=numcodecs.Zstd(1),
                       expected=decoded(values))

    def walk(name, dtype):
        return elements(f"filter-{name}", (40, 30), dtype)

    def finite(name, dtype):
        return np.nan_to_num(walk(name, dtype), nan=1, posinf=2, neginf=3)

    filtered("delta", walk("delta", "<i4"), numcodecs.Delta("<i4"))
    filtered("shuffle", walk("shuffle", "<i4"), numcodecs.Shuffle(4))
    filtered("delta-shuffle", walk("delta-shuffle", "<i4"), numcodecs.Delta("<i4"), numcodecs.Shuffle(4))
    filtered("packbits", walk("packbits", "bool"), numcodecs.PackBits())
    filtered("astype", finite("astype", "<f4").astype("<f8"), numcodecs.AsType("<f4", "<f8"))
    filtered("fixedscaleoffset", tenths_of("filter-fixedscaleoffset", (40, 30), "<f8"), numcodecs.FixedScaleOffset(100, 10, "<f8", "<i2"),
             decoded=lambda values: np.round((values - 100) * 10) / 10 + 100)
    quantize, bitround = numcodecs.Quantize(3, "<f4"), numcodecs.BitRound(10)
    filtered("quantize", finite("quantize", "<f4"), quantize, decoded=lambda values: quantize.encode(values))
    filtered("bitround", finite("bitround", "<f4"), bitround, decoded=lambda values: bitround.encode(values).view("<f4"))


def make_shapes():
    v3("1d", (1001,), "float32", (512,), [shard([64], [LITTLE, ZSTD])])
    v3("5d", (5, 4, 9, 7, 6), "uint8", (4, 4, 6, 4, 6), [shard([2, 2, 3, 4, 3], [SINGLE, ZSTD])])
    v3("empty-dim", (0, 5), "int32", (3, 3), [LITTLE, ZSTD])
    v3("chunk-larger-than-array", (5, 7), "int16", (64, 64), [LITTLE, ZSTD])
    by_zarr_python("v3-scalar", np.array(2.5), (), zarr_format=3, codecs=[LITTLE, ZSTD])
    by_zarr_python("v2-scalar", np.array(-7), (), zarr_format=2, compressor=numcodecs.Zstd(0))
    v3("attrs-dims", (6, 8), "float32", (3, 4), [LITTLE, ZSTD], dimension_names=["time", "lat"],
       attributes={"units": "K", "scale": 0.5, "nested": {"x": [1, 2]}})
    v3("in-group", (12, 12), "int32", (5, 5), [LITTLE, ZSTD], path="a/b/temperature")
    for name, encoding in (("dot", ("default", ".")), ("v2", ("v2", ".")), ("v2-slash", ("v2", "/"))):
        v3(f"keys-{name}", (9, 9), "int32", (4, 4), [LITTLE, ZSTD], chunk_key_encoding=encoding)
    v2("slash", (20, 20), "<u2", (6, 7), dimension_separator="/")
    v2("order-f", (23, 31), "<i4", (6, 7), numcodecs.Zlib(3), order="F")
    v2("order-f-3d-be", (11, 13, 9), ">f4", (4, 5, 4), numcodecs.Blosc("lz4", 5, 1), order="F")
    ts_v2 = {"chunks": [16, 9], "filters": None}
    by_tensorstore("v2-tensorstore-blosc", elements("tensorstore-blosc", (33, 35), "<f4"), ts_v2 | {
        "dtype": "<f4", "fill_value": None, "order": "C", "dimension_separator": "/",
        "compressor": {"id": "blosc", "cname": "lz4", "clevel": 5, "shuffle": -1, "blocksize": 0}}, driver="zarr")
    by_tensorstore("v2-tensorstore-bz2-be", elements("tensorstore-bz2-be", (33, 35), ">i2"), ts_v2 | {
        "dtype": ">i2", "fill_value": 5, "order": "F", "compressor": {"id": "bz2", "level": 3}}, driver="zarr",
        region=np.s_[4:30, 2:17], fill=5)


def make_fill_values():
    first = [np.s_[:5, :5]]  # All other chunks are missing.
    for name, dtype, fill in (("nan", "float32", np.nan), ("inf", "float64", np.inf), ("neginf", "float16", -np.inf),
                              ("negzero", "float32", -0.0), ("minint", "int64", -2**63), ("maxuint", "uint64", 2**64 - 1),
                              ("true", "bool", True), ("complex", "complex64", 1.5 - 2j)):
        serializer = SINGLE if dtype == "bool" else LITTLE
        v3(f"fill-{name}", (20, 20), dtype, (6, 6), [serializer, ZSTD], regions=first, fill_value=fill)
    v2("fill-missing", (30, 30), "<f4", (8, 8), regions=[np.s_[2:6, 9:20]], fill_value=np.nan)
    payload = np.array(0x7fc00abc, "<u4").view("<f4")
    ts_v3("fill-nan-payload", elements("fill-nan-payload", (8, 8), "float32"), [4, 4], [LITTLE], "0x7fc00abc",
          region=np.s_[:3, :3], fill=payload)


def make_shards():
    v3("shard-edge", (50, 51, 7), "uint8", (32, 16, 8), [shard([8, 8, 4], [SINGLE, ZSTD])])
    v3("shard-index-start", (40, 40), "int32", (20, 20), [shard([5, 5], [LITTLE, ZSTD], index_location="start")])
    v3("shard-many", (256, 256), "uint16", (128, 128), [shard([4, 4], [LITTLE, codec("zstd", level=1, checksum=False)])],
       note="1024 inner chunks a shard")
    v3("shard-missing", (64, 64), "float32", (16, 16), [shard([4, 4], [LITTLE, ZSTD])],
       note="most inner chunks and several shards are absent", regions=[np.s_[3:6, 3:6], np.s_[20:28, 2:9], np.s_[60:, 40:]], fill_value=-9.5)
    ts_v3("shard-missing-ts", elements("shard-missing-ts", (40, 40), "uint32"), [20, 20],
          [shard([5, 5], [LITTLE, codec("zstd", level=1)])], 77, region=np.s_[6:14, 3:11], fill=77)
    big = codec("bytes", endian="big")
    ts_v3("shard-big-endian-index", elements("shard-big-endian-index", (24, 24), "int16"), [12, 12],
          [shard([3, 4], [big, CRC], [big, CRC])])
    ts_v3("shard-index-start-nocrc", elements("shard-index-start-nocrc", (31, 33), "float64"), [16, 16], [
        shard([4, 8], [LITTLE, blosc("zstd", "shuffle", 8, 3)], [LITTLE], "start")])
    ts_v3("shard-nested", elements("shard-nested", (64, 64, 32), "uint16"), [32, 32, 32], [
        shard([16, 16, 16], [shard([8, 4, 8], [LITTLE, codec("zstd", level=3)])])], note="a shard inside a shard")
    ts_v3("shard-transposed", elements("shard-transposed", (30, 20, 10), "int32"), [15, 10, 10], [
        codec("transpose", order=[2, 0, 1]), shard([5, 5, 5], [codec("transpose", order=[1, 2, 0]), LITTLE, codec("gzip", level=5)])])


def make():
    make_data_types()
    make_codecs()
    make_filters()
    make_shapes()
    make_fill_values()
    make_shards()
