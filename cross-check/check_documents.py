"""Checks the documents that the engine writes: against the specification, and with other readers. Run by
bin/cross-check.

usage: check_documents.py COMMAND FOLDER

FOLDER holds the arrays of WriteDocuments.java. Each document is checked against Zarr v3's specification, and opened
and read by zarr-python, by zarrs (without zarr-python's codecs) and by TensorStore; the elements must be those that
the engine reads. Cases that a peer does not support are listed, and must still fail.
"""
import json, pathlib, re, subprocess, sys, warnings

import ml_dtypes  # registers the NumPy types that TensorStore returns
import numpy as np
import tensorstore as ts
import zarr

warnings.filterwarnings("ignore")
command, folder = sys.argv[1], pathlib.Path(sys.argv[2])
INTEGERS = {f"{sign}int{bits}": bits for sign in ("", "u") for bits in (2, 4, 8, 16, 32, 64)}
FLOATS = {"bfloat16": 16, "float16": 16, "float32": 32, "float64": 64}
SMALL_FLOATS = ["float4_e2m1fn", "float6_e2m3fn", "float6_e3m2fn", "float8_e3m4", "float8_e4m3", "float8_e4m3b11fnuz",
                "float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz", "float8_e8m0fnu"]
FLOATS |= {name: 8 for name in SMALL_FLOATS}
PARTS = {"complex64": 32, "complex128": 64} | {f"complex_{name}": bits for name, bits in FLOATS.items()}
SINGLE_BYTES = {"bool", "int2", "int4", "int8", "uint2", "uint4", "uint8", "null_terminated_bytes", *SMALL_FLOATS}

# Cases that a peer does not support, or reads in another way. zarr-python names raw bits and structs in its own way,
# and has no 0 of a time without a unit; it reads the metadata for zarrs, and passes on any NaN as the same NaN.
# TensorStore reads one field of a struct at a time.
OF_ZARR_PYTHON = rf"complex_.*|{'|'.join(SMALL_FLOATS)}|bfloat16|u?int[24]|raw|struct|datetime-generic"
UNKNOWN = {
    "zarr-python": rf"type-({OF_ZARR_PYTHON})",
    "zarrs": rf"type-({OF_ZARR_PYTHON}|null_terminated|utf32)|(type|fill)-(datetime|timedelta)-.*|fill-float32-4"
             "|codecs-(shard-shuffle|lzma)",
    "TensorStore": r"type-(complex_.*|float6_.*|float8_e4m3|uint[24]|null_terminated|raw|utf32|struct)|(type|fill)-(datetime|timedelta)-.*"
                   "|codecs-(shuffle-0|shard-shuffle|lzma)",
}

# The codecs of numcodecs that the engine writes here, with the members that numcodecs supports.
NUMCODECS = {"numcodecs.shuffle": ["elementsize"], "numcodecs.zlib": ["level"], "numcodecs.lz4": ["acceleration"],
             "numcodecs.lzma": ["format", "check", "preset", "filters"]}


class Refused(Exception):
    """Raised for a document that breaks the specification."""


def require(condition, problem):
    if not condition:
        raise Refused(problem)


def unique(pairs):
    require(len({key for key, _ in pairs}) == len(pairs), "a member comes twice")
    return dict(pairs)


def no_constant(name):
    raise Refused(f"{name} is no JSON")


def members(value, what, required, optional=()):
    require(isinstance(value, dict), f"{what} is no object")
    missing, more = set(required) - set(value), set(value) - set(required) - set(optional)
    require(not missing and not more, f"{what} lacks {sorted(missing)}, has {sorted(more)}")
    return value


def is_length(value, least):
    return type(value) is int and least <= value < 1 << 63


def named(value, what):
    """Returns name and configuration of an extension point, from its object."""
    members(value, what, ["name"], ["configuration"])
    require(isinstance(value["name"], str), f"{what}.name")
    configuration = value.get("configuration", {})
    require(isinstance(configuration, dict), f"{what}.configuration")
    return value["name"], configuration


def check_number(value, bits):
    if isinstance(value, str):
        hexadecimal = re.fullmatch(f"0x[0-9a-f]{{{max(bits // 4, 2)}}}", value)
        require(value in ("NaN", "Infinity", "-Infinity") or hexadecimal, f"fill value {value}")
    else:
        require(type(value) in (int, float), f"fill value {value}")


def check_fill(name, configuration, value):
    if name == "bool":
        require(type(value) is bool, "fill value of bool")
    elif name in INTEGERS:
        bits, signed = INTEGERS[name], not name.startswith("u")
        low = -(1 << bits - 1) if signed else 0
        require(type(value) is int and low <= value < low + (1 << bits), f"fill value {value} of {name}")
    elif name in FLOATS:
        check_number(value, FLOATS[name])
    elif name in PARTS:
        require(isinstance(value, list) and len(value) == 2, f"fill value of {name}")
        for part in value:
            check_number(part, PARTS[name])
    elif re.fullmatch(r"r\d+", name):
        size = int(name[1:]) // 8
        require(isinstance(value, list) and len(value) == size and all(is_length(v, 0) and v < 256 for v in value), name)
    elif name.startswith("numpy."):
        require(type(value) is int or value == "NaT", f"fill value {value} of {name}")
        members(configuration, name, ["unit", "scale_factor"])
    elif name in ("fixed_length_utf32", "null_terminated_bytes"):
        require(isinstance(value, str), f"fill value of {name}")
        members(configuration, name, ["length_bytes"])
    elif name == "struct":
        for field in members(configuration, name, ["fields"])["fields"]:
            members(field, "a field", ["name", "data_type"])
        require(set(value) == {field["name"] for field in configuration["fields"]}, "fill value of a struct")
    else:
        raise Refused(f"the type {name} is not registered")


def check_chain(codecs, what, rank, is_single):
    require(isinstance(codecs, list) and codecs, f"{what} is empty")
    stage = 0  # 0: of arrays, 1: of bytes
    for codec in codecs:
        name, configuration = named(codec, what)
        if name == "transpose":
            require(stage == 0, f"{what}: transpose behind bytes")
            order = members(configuration, name, ["order"])["order"]
            require(sorted(order) == list(range(rank)) and all(type(d) is int for d in order), f"{what}: order {order}")
        elif name == "bytes":
            require(stage == 0, f"{what}: two serializers")
            stage = 1
            members(configuration, name, [] if is_single else ["endian"], ["endian"])
            require(configuration.get("endian", "little") in ("little", "big"), f"{what}: endian")
        elif name == "sharding_indexed":
            require(stage == 0, f"{what}: two serializers")
            stage = 1
            members(configuration, name, ["chunk_shape", "codecs", "index_codecs"], ["index_location"])
            inner = configuration["chunk_shape"]
            require(len(inner) == rank and all(is_length(n, 1) for n in inner), f"{what}: chunk_shape")
            check_chain(configuration["codecs"], f"{what}.codecs", rank, is_single)
            check_chain(configuration["index_codecs"], f"{what}.index_codecs", rank + 1, False)
            require(configuration.get("index_location", "end") in ("start", "end"), f"{what}: index_location")
        else:
            require(stage == 1, f"{what}: {name} before the serializer")
            if name == "gzip":
                require(members(configuration, name, ["level"])["level"] in range(10), f"{what}: level")
            elif name == "zstd":
                members(configuration, name, ["level", "checksum"])
                require(type(configuration["checksum"]) is bool, f"{what}: checksum")
                require(configuration["level"] in range(-131072, 23), f"{what}: level")
            elif name == "crc32c":
                require("configuration" not in codec, f"{what}: crc32c has a configuration")
            elif name in NUMCODECS:
                members(configuration, name, [], NUMCODECS[name])
                require("numcodecs.shuffle" != name or is_length(configuration["elementsize"], 1), f"{what}: elementsize")
            else:
                raise Refused(f"{what}: {name} is not registered")
    require(stage == 1, f"{what}: no serializer")


def check(text):
    """Checks a document against the specification."""
    document = json.loads(text.decode("utf-8", "strict"), object_pairs_hook=unique, parse_constant=no_constant)
    if document.get("node_type") == "group":
        members(document, "the document", ["zarr_format", "node_type"], ["attributes"])
        require(document["zarr_format"] == 3 and isinstance(document.get("attributes", {}), dict), "the group")
        return document
    members(document, "the document", ["zarr_format", "node_type", "shape", "data_type", "chunk_grid", "chunk_key_encoding",
                                       "fill_value", "codecs"], ["attributes", "dimension_names", "storage_transformers"])
    require(type(document["zarr_format"]) is int and document["zarr_format"] == 3, "zarr_format")
    require(document["node_type"] == "array", "node_type")
    shape = document["shape"]
    require(isinstance(shape, list) and all(is_length(n, 0) for n in shape), "shape")
    kind = document["data_type"]
    name, configuration = (kind, {}) if isinstance(kind, str) else named(kind, "data_type")
    check_fill(name, configuration, document["fill_value"])
    grid, grid_configuration = named(document["chunk_grid"], "chunk_grid")
    chunks = members(grid_configuration, grid, ["chunk_shape"])["chunk_shape"]
    require(grid == "regular" and len(chunks) == len(shape) and all(is_length(n, 1) for n in chunks), "chunk_grid")
    keys, keys_configuration = named(document["chunk_key_encoding"], "chunk_key_encoding")
    require(keys in ("default", "v2"), "chunk_key_encoding")
    require(members(keys_configuration, keys, [], ["separator"]).get("separator", "/") in ("/", "."), "separator")
    check_chain(document["codecs"], "codecs", len(shape), name in SINGLE_BYTES or re.fullmatch(r"r\d+", name))
    require(isinstance(document.get("attributes", {}), dict), "attributes")
    names = document.get("dimension_names", [None] * len(shape))
    require(len(names) == len(shape) and all(n is None or isinstance(n, str) for n in names), "dimension_names")
    return document


def with_zarr_python(path, corner):
    array = zarr.open_array(str(path), mode="r")
    return np.asarray(array[corner]), dict(array.attrs)


def with_zarrs(path, corner):
    with zarr.config.set({"codec_pipeline.path": "zarrs.ZarrsCodecPipeline", "codec_pipeline.strict": True}):
        return with_zarr_python(path, corner)


def with_tensorstore(path, corner):
    array = ts.open({"driver": "zarr3", "kvstore": {"driver": "file", "path": str(path)}}).result()
    return np.asarray(array[corner].read().result()), array.spec().to_json()["metadata"].get("attributes", {})


PEERS = {"zarr-python": with_zarr_python, "zarrs": with_zarrs, "TensorStore": with_tensorstore}


def corner_of(document):
    """Returns a selection of everything; for a large array, of the part around the end of the first chunk."""
    shape = document["shape"]
    if np.prod([float(n) for n in shape]) < 1e6:
        return (Ellipsis,), "..."
    return (slice((1 << 20) - 5, (1 << 20) + 5),), f"{(1 << 20) - 5}:{(1 << 20) + 5}"


def engine_elements(paths, slices):
    outputs = [folder / f"elements-{path.name}.raw" for path in paths]
    requests = folder / "documents.jsonl"
    requests.write_text("".join(json.dumps({"path": str(p), "slice": s, "output": str(o)}) + "\n" for p, s, o in zip(paths, slices, outputs)))
    answer = subprocess.run([command, "read", "--requests", str(requests)], capture_output=True, text=True, timeout=300)
    for path, line in zip(paths, answer.stdout.splitlines()):
        if not json.loads(line)["ok"]:
            sys.exit(f"cross-check: {path.name}: {line}")
    return [output.read_bytes() for output in outputs]


def problem_of(peer, path, name, document, corner, elements):
    """Returns the error in a peer's reading of an array, or None."""
    is_known = not re.fullmatch(UNKNOWN[peer], name)
    try:
        array, attributes = PEERS[peer](path, corner)
    except Exception as e:
        return f"{type(e).__name__}: {str(e)[:300]}" if is_known else None
    if array.dtype.byteorder == ">":
        array = array.astype(array.dtype.newbyteorder("<"))
    is_same = array.tobytes() == elements
    if not is_known:
        return "reads what it is said not to know" if is_same else None
    if not is_same:
        return f"reads {array.tobytes()[:40]}, the engine {elements[:40]}"
    return None if attributes == document.get("attributes", {}) else f"reads the attributes {attributes}"


def main():
    failures, reads, arrays = [], 0, []
    for path in sorted(folder.glob("document-*")):
        name = path.name.removeprefix("document-")
        try:
            document = check((path / "zarr.json").read_bytes())
        except (Refused, ValueError) as e:
            failures.append(f"{name}: the specification: {e}")
            continue
        if document["node_type"] == "group":
            if dict(zarr.open_group(str(path), mode="r").attrs) != document.get("attributes", {}):
                failures.append(f"{name}: zarr-python reads other attributes")
        else:
            arrays.append((path, name, document, *corner_of(document)))
    elements = engine_elements([path for path, *_ in arrays], [text for *_, text in arrays])
    for (path, name, document, corner, _), expected in zip(arrays, elements):
        for peer in PEERS:
            problem = problem_of(peer, path, name, document, corner, expected)
            reads += 1
            if problem:
                failures.append(f"{name}: {peer}: {problem}")
    for failure in failures[:40]:
        print(f"FAIL {failure}")
    print(f"cross-check: {len(arrays)} documents of ours are as the specification says; {reads - len(failures)} of {reads}"
          f" answers of {', '.join(PEERS)} are as expected")
    sys.exit(1 if failures else 0)


main()
