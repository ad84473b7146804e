"""Compares the engine with zarr-python and TensorStore on random arrays. Run by bin/cross-check.

Each of the two writes arrays, which the engine must read bit for bit; the engine writes arrays,
which both must read as the engine does.

usage: cross_check.py COMMAND FOLDER COUNT SEED POINTS_COMMAND...
"""
import json, pathlib, random, subprocess, sys, warnings

import ml_dtypes
import numcodecs
import numcodecs.zarr3 as n3
import numpy as np
import tensorstore as ts
import zarr
from zarr import codecs as z3

warnings.filterwarnings("ignore")
command, folder, count, seed = sys.argv[1], pathlib.Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
points_command = sys.argv[5:]  # reads a file of points: see ReadPoints.java
rng = random.Random(seed)
values = np.random.default_rng(seed)
SIMPLE = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128".split()
refused = []
cases = []  # name, path, slices, expected array
points = []  # name, path, indexes as text, expected array


def data(dtype, shape):
    """Returns values that compress, or any bits but those of a NaN, which NumPy may change."""
    dtype = np.dtype(dtype)
    size = int(np.prod(shape))
    if dtype.fields:
        out = np.zeros(shape, dtype)
        for name in dtype.names:
            out[name] = data(dtype[name].base, shape + dtype[name].shape)
        return out
    small = values.integers(0, 100, size) // rng.choice([1, 7, 50])
    if dtype.kind == "S":
        return np.array([b"x" * int(v % (dtype.itemsize + 1)) for v in small], dtype).reshape(shape)
    if dtype.kind == "U":
        return np.array(["aß水😀"[int(v % 5):] for v in small], dtype).reshape(shape)
    if dtype.kind == "V":
        return values.integers(0, 256, size * dtype.itemsize).astype("u1").view(dtype).reshape(shape)
    if dtype.kind == "b":
        return (small % 2).astype(dtype).reshape(shape)
    return small.astype(dtype).reshape(shape)


def slices(shape):
    """Returns slices as text and for NumPy."""
    parts = []
    for length in shape:
        start = rng.randrange(0, length)
        stop, step = rng.randrange(start, length) + 1, rng.choice([1, 1, 2, 3])
        parts.append(slice(start, stop, step) if rng.random() < 0.8 else slice(stop - 1, start - 1 if start else None, -step))
    return ",".join(f"{p.start}:{'' if p.stop is None else p.stop}:{p.step}" for p in parts), tuple(parts)


def lists(shape):
    """Returns indexes as text and for oindex: a list for at least one dimension, slices or indexes for others."""
    texts, parts = [], []
    listed = rng.randrange(len(shape))
    for d, length in enumerate(shape):
        if d == listed or rng.random() < 0.4:
            parts.append([rng.randrange(length) for _ in range(rng.randrange(1, 8))])
            texts.append("[" + rng.choice([",", ", "]).join(str(p - rng.choice([0, length])) for p in parts[-1]) + "]")
        elif rng.random() < 0.3:
            parts.append(rng.randrange(length))
            texts.append(str(parts[-1]))
        else:
            start = rng.randrange(length)
            parts.append(slice(start, rng.randrange(start, length) + 1, rng.choice([1, 1, 2, 3])))
            texts.append(f"{parts[-1].start}:{parts[-1].stop}:{parts[-1].step}")
    return ",".join(texts), tuple(parts)


def add_points(name, path, expected, array):
    """Adds single elements, as vindex reads them: in any order, some of them twice, some counted from the end."""
    if expected.dtype == object:
        return
    count = rng.randrange(1, 40)
    indexes = [[rng.randrange(length) for _ in range(count)] for length in expected.shape]
    text = ";".join(",".join(str(i - rng.choice([0, length])) for i in along) for along, length in zip(indexes, expected.shape))
    picked = array.vindex[tuple(indexes)]
    picked = np.asarray(picked.read().result() if isinstance(array, ts.TensorStore) else picked, expected.dtype)
    if picked.tobytes() != expected[tuple(indexes)].tobytes():
        raise ValueError("vindex reads other values than a slice")
    points.append((name, path, text, picked))


def layout():
    rank = rng.randrange(1, 5)
    longest = [0, 500, 60, 20, 9][rank]
    shape = tuple(rng.randrange(1, longest + 1) for _ in range(rank))
    inner = tuple(rng.randrange(1, longest // 2 + 2) for _ in range(rank))
    return shape, inner, tuple(i * rng.randrange(1, 4) for i in inner)


def add(name, path, expected, array):
    """Adds reads of the whole array, of slices, and of lists as the array's own library reads them."""
    cases.append((name, path, "", (Ellipsis,), expected))
    for _ in range(2):
        text, parts = slices(expected.shape)
        cases.append((name, path, text, parts, expected))
    text, parts = lists(expected.shape)
    picked = array.oindex[parts]
    cases.append((name, path, text, (Ellipsis,), np.asarray(picked.read().result() if isinstance(array, ts.TensorStore) else picked, expected.dtype)))
    add_points(name, path, expected, array)


def blosc_v3(dtype):
    return z3.BloscCodec(typesize=max(1, np.dtype(dtype).itemsize), cname=rng.choice(["blosclz", "lz4", "lz4hc", "zlib", "zstd"]),
                         clevel=rng.randrange(10), shuffle=rng.choice(["noshuffle", "shuffle", "bitshuffle"]),
                         blocksize=rng.choice([0, 0, 512, 4096]))


def write_v3(i):
    shape, inner, outer = layout()
    dtype = rng.choice(SIMPLE + ["<M8[ns]", "<m8[D]", "<U4", "S6", "V5", [("a", "<i4"), ("b", "<f8")]])
    number = isinstance(dtype, str) and dtype in SIMPLE and not dtype.startswith(("bool", "complex"))
    filters = []
    if rng.random() < 0.3:
        filters.append(z3.TransposeCodec(order=tuple(rng.sample(range(len(shape)), len(shape)))))
    if number and rng.random() < 0.3:
        filters.append(n3.Delta(dtype=np.dtype(dtype).str))
    elif dtype == "float64" and rng.random() < 0.5:
        filters.append(rng.choice([n3.FixedScaleOffset(offset=0, scale=1, dtype="<f8", astype="<i4"),
                                   n3.BitRound(keepbits=20), n3.Quantize(digits=2, dtype="<f8"),
                                   n3.AsType(encode_dtype="<f4", decode_dtype="<f8")]))
    compressors = [c for c in [rng.choice([None, z3.GzipCodec(level=rng.randrange(1, 10)), z3.ZstdCodec(level=rng.randrange(0, 6), checksum=rng.random() < 0.5),
                   blosc_v3(dtype), blosc_v3(dtype), n3.LZ4(), n3.Zlib(), n3.BZ2(), n3.LZMA(), n3.Shuffle()])] if c]
    if rng.random() < 0.4:
        compressors.append(rng.choice([z3.Crc32cCodec(), n3.CRC32(), n3.Adler32(), n3.Fletcher32(), n3.JenkinsLookup3()]))
    # After big-endian bytes, zarr-python's filters read back other values than they wrote.
    endian = "little" if any(hasattr(f, "codec_config") for f in filters) else rng.choice(["little", "big"])
    # zarr-python cannot write shards of structs or of bytes, because their fill value has no hash.
    kind = {} if rng.random() < 0.4 or np.dtype(dtype).kind == "V" else {"shards": outer}
    expected = data(dtype, shape)
    path = folder / f"v3-{i}"
    array = zarr.create_array(str(path), shape=shape, dtype=np.dtype(dtype), chunks=inner, filters=filters, compressors=compressors,
                              serializer=z3.BytesCodec(endian=endian) if number else "auto",
                              chunk_key_encoding={"name": rng.choice(["default", "v2"]), "separator": rng.choice("/.")}, **kind)
    array[...] = expected
    add(f"zarr-python v3 {dtype} {filters} {compressors} {kind}", path, np.asarray(array[...]), array)


def write_filtered_shard(i):
    """Tests filters before a shard; zarr-python's keep only one dimension."""
    inner = rng.randrange(1, 40)
    outer = inner * rng.randrange(1, 6)
    dtype, filters = rng.choice([("int32", n3.Delta(dtype="<i4")), ("uint16", n3.Delta(dtype="<u2", astype="<u2")),
                                 ("float64", n3.FixedScaleOffset(offset=50, scale=1, dtype="<f8", astype="<i4")),
                                 ("float64", n3.AsType(encode_dtype="<f4", decode_dtype="<f8")), ("bool", n3.PackBits())])
    expected = np.sort(data(dtype, (rng.randrange(1, 400),)))
    path = folder / f"filtered-{i}"
    array = zarr.create_array(str(path), shape=expected.shape, dtype=dtype, chunks=(outer,), filters=[filters], compressors=None,
                              fill_value=rng.choice([0, 1]),
                              serializer=z3.ShardingCodec(chunk_shape=(1 if dtype == "bool" else inner,), codecs=[z3.BytesCodec(), z3.ZstdCodec()]))
    array[...] = expected
    add(f"zarr-python filtered shard {dtype} {filters}", path, np.asarray(array[...]), array)


def write_v2(i):
    shape, inner, _ = layout()
    order = rng.choice("<>")
    dtype = rng.choice(["?", "i1", "u1"] + [order + t for t in "i2 i4 i8 u2 u4 u8 f2 f4 f8 c8 c16 M8[s] m8[Y] U3".split()] + ["S5", "V3", [("a", order + "i4"), ("b", "<f8")]])
    itemsize = np.dtype(dtype).itemsize
    compressor = rng.choice([None, numcodecs.Zlib(), numcodecs.GZip(), numcodecs.Zstd(level=3), numcodecs.LZ4(), numcodecs.BZ2(), numcodecs.LZMA()]
                            + [numcodecs.Blosc(cname=rng.choice(["blosclz", "lz4", "lz4hc", "zlib", "zstd"]), shuffle=rng.randrange(0, 3), blocksize=rng.choice([0, 1024]))] * 4)
    filters = []
    if np.dtype(dtype).kind in "iu" and rng.random() < 0.3:
        filters.append(numcodecs.Delta(dtype=np.dtype(dtype).str))
    elif dtype == "?" and rng.random() < 0.5:
        filters.append(numcodecs.PackBits())
    elif np.dtype(dtype).kind == "U" and rng.random() < 0.6:
        labels = rng.sample(["aß水", "ß水😀", "水😀", "😀"], 3)
        filters.append(numcodecs.Categorize(labels=labels, dtype=np.dtype(dtype).str, astype=rng.choice(["u1", "<u2", ">i4"])))
    if rng.random() < 0.3 and not filters and itemsize > 1:
        filters.append(numcodecs.Shuffle(elementsize=itemsize))
    if rng.random() < 0.2:
        filters.append(rng.choice([numcodecs.CRC32(), numcodecs.Adler32(), numcodecs.Fletcher32(), numcodecs.Base64()]))
    expected = data(dtype, shape)
    path = folder / f"v2-{i}"
    array = zarr.create_array(str(path), shape=shape, dtype=np.dtype(dtype), chunks=inner, compressors=compressor, filters=filters or None,
                              zarr_format=2, order=rng.choice("CF"), chunk_key_encoding={"name": "v2", "separator": rng.choice("./")})
    array[...] = expected
    add(f"zarr-python v2 {dtype} {filters} {compressor}", path, np.asarray(array[...]), array)


def write_strings(i):
    shape, inner, _ = layout()
    expected = np.array(["aß水😀\"\\"[int(v % 7):] for v in values.integers(0, 100, int(np.prod(shape)))], dtype=object).reshape(shape)
    path = folder / f"strings-{i}"
    array = zarr.create_array(str(path), shape=shape, dtype=str, chunks=inner, zarr_format=rng.choice([2, 3]))
    array[...] = expected
    add("zarr-python strings", path, expected, array)


def write_tensorstore(i):
    shape, inner, outer = layout()
    dtype = rng.choice(SIMPLE + ["bfloat16", "int4", "float8_e4m3fn", "float8_e5m2"])
    size = np.dtype(dtype if dtype in SIMPLE else getattr(ml_dtypes, dtype)).itemsize
    inner_codecs = [{"name": "bytes", "configuration": {"endian": rng.choice(["little", "big"])}} if size > 1 else {"name": "bytes"}]
    if rng.random() < 0.4:
        inner_codecs.insert(0, {"name": "transpose", "configuration": {"order": rng.sample(range(len(shape)), len(shape))}})
    inner_codecs += rng.choice([[], [{"name": "gzip", "configuration": {"level": 5}}], [{"name": "zstd", "configuration": {"level": 3}}],
                                [{"name": "blosc", "configuration": {"cname": rng.choice(["blosclz", "lz4", "lz4hc", "snappy", "zlib", "zstd"]), "clevel": 5,
                                                                    "shuffle": rng.choice(["noshuffle", "shuffle", "bitshuffle"])}}], [{"name": "crc32c"}]])
    sharded = rng.random() < 0.5
    chunk = outer if sharded else inner
    codecs = [{"name": "sharding_indexed", "configuration": {"chunk_shape": inner, "codecs": inner_codecs, "index_location": rng.choice(["start", "end"]),
               "index_codecs": [{"name": "bytes", "configuration": {"endian": "little"}}, {"name": "crc32c"}]}}] if sharded else inner_codecs
    path = folder / f"tensorstore-{i}"
    array = ts.open({"driver": "zarr3", "kvstore": {"driver": "file", "path": str(path)},
                     "metadata": {"shape": shape, "data_type": dtype, "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": chunk}}, "codecs": codecs}},
                    create=True).result()
    raw = data(dtype if dtype in SIMPLE else "int8", shape)
    expected = raw if dtype in SIMPLE else (raw % 8).astype(array.dtype.numpy_dtype)
    array.write(expected).result()
    add(f"TensorStore {dtype} {json.dumps(codecs)}", path, expected, array)


def engine_reads():
    requests = folder / "requests.jsonl"
    outputs = []
    with requests.open("w") as file:
        for i, (_, path, text, _, expected) in enumerate(cases):
            outputs.append(folder / (f"{i}.json" if expected.dtype == object else f"{i}.npy"))
            file.write(json.dumps({"path": str(path), "slice": text or "...", "output": str(outputs[-1])}) + "\n")
    answer = subprocess.run([command, "read", "--requests", str(requests)], capture_output=True, text=True, timeout=300)
    lines = [json.loads(line) for line in answer.stdout.splitlines() if line.startswith("{")]
    if len(lines) != len(cases):
        sys.exit(f"cross-check: {len(lines)} answers to {len(cases)} requests: {answer.stderr[-500:]}")
    return outputs, lines


def engine_reads_points():
    """Returns the number of failures."""
    requests = folder / "points.txt"
    outputs = [folder / f"points-{i}.raw" for i in range(len(points))]
    requests.write_text("".join(f"{path}\t{output}\t{text}\n" for (_, path, text, _), output in zip(points, outputs)))
    answer = subprocess.run(points_command + [str(requests)], capture_output=True, text=True, timeout=300)
    failures = 0
    for (name, path, text, expected), output in zip(points, outputs):
        if expected.dtype.kind in "iufcMmU" and expected.dtype.byteorder == ">":
            expected = expected.astype(expected.dtype.newbyteorder("<"))
        if not output.exists() or output.read_bytes() != expected.tobytes():
            failures += 1
            if failures <= 20:
                problem = "other values" if output.exists() else answer.stderr[-500:]
                print(f"FAIL {path.name} points {text}: {problem}\n  {name[:600]}")
    return failures


def equal(output, expected):
    if expected.dtype == object:
        return json.loads(output.read_text()) == [str(v) for v in expected.ravel()]
    actual = np.load(output)
    wanted = np.ascontiguousarray(expected)
    if wanted.dtype.kind in "iufcMmU" and wanted.dtype.byteorder == ">":
        wanted = wanted.astype(wanted.dtype.newbyteorder("<"))
    return actual.shape == wanted.shape and actual.tobytes() == wanted.tobytes()


def attempt(write, i):
    """Some combinations are refused by their own writers, or fail there; these arrays are counted."""
    before, points_before = len(cases), len(points)
    try:
        write(i)
    except Exception as e:
        del cases[before:]
        del points[points_before:]
        refused.append(f"{write.__name__}: {type(e).__name__}: {e}")


def main():
    for i in range(count):
        attempt(write_v3, i)
        attempt(write_v2, i)
        attempt(write_tensorstore, i)
        if i % 10 == 0:
            attempt(write_strings, i)
        if i % 3 == 0:
            attempt(write_filtered_shard, i)
    if len(refused) > count // 3:
        sys.exit(f"cross-check: {len(refused)} arrays could not be written: " + "; ".join(sorted(set(refused))[:10]))
    written = len({path for _, path, *_ in cases})
    ours = sorted(folder.glob("engine-*"))
    for path in ours:
        array = zarr.open_array(str(path), mode="r")
        add("the engine's " + (path / "zarr.json").read_text(), path, np.asarray(array[...]), array)
        array = ts.open({"driver": "zarr3", "kvstore": {"driver": "file", "path": str(path)}}).result()
        add("the engine's, by TensorStore", path, np.asarray(array.read().result()), array)
    outputs, answers = engine_reads()
    failures = 0
    for (name, path, text, parts, expected), output, answer in zip(cases, outputs, answers):
        if not answer["ok"]:
            problem = answer["error"]
        elif not equal(output, expected[parts]):
            problem = "other values"
        else:
            continue
        failures += 1
        if failures <= 20:
            print(f"FAIL {path.name} [{text}]: {problem}\n  {name[:600]}")
    points_failures = engine_reads_points()
    print(f"cross-check: {len(cases) - failures} of {len(cases)} reads alike and {len(points) - points_failures} of"
          f" {len(points)} of single elements, of {written} arrays that zarr-python"
          f" {zarr.__version__} and TensorStore wrote, and {len(ours)} of ours that both read;"
          f" {len(refused)} they could not write (seed {seed})")
    for reason in sorted(set(reason[:150] for reason in refused))[:5]:
        print(f"  {reason}", file=sys.stderr)
    sys.exit(1 if failures or points_failures else 0)


main()
