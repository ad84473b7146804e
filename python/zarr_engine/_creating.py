"""New arrays and groups: their documents zarr.json."""

from __future__ import annotations

import base64
import json
import math
import os
import pathlib
import shutil
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from . import _java, _types, _whole
from ._errors import NodeExistsError, StoreError, ZarrError

Json = dict[str, Any]

_DOCUMENTS = ("zarr.json", ".zarray", ".zgroup")
_DEFAULTS = {"zstd": {"level": 0, "checksum": False}, "gzip": {"level": 5}}  # as zarr-python has them
_CHUNK_BYTES_MAX = 64 << 20
_INNER_CHUNK_BYTES_MAX = 1 << 20


def group(attributes: Mapping[str, Any] | None) -> Json:
    """Returns the document of a group."""
    return {"zarr_format": 3, "node_type": "group", "attributes": dict(attributes or {})}


def array(
    shape: int | Iterable[int],
    dtype: Any,
    chunks: Any,
    shards: Any,
    filters: Any,
    compressors: Any,
    serializer: Any,
    fill_value: Any,
    attributes: Mapping[str, Any] | None,
    chunk_key_encoding: Any,
    dimension_names: Iterable[str | None] | None,
) -> Json:
    """Returns the document of an array; the parameters are those of zarr_engine.create_array."""
    shape = _lengths(shape, "shape")
    data_type, numpy_type = _types.to_json(dtype)
    index_location = "end"
    if isinstance(shards, Mapping):
        index_location, shards = shards.get("index_location") or "end", shards["shape"]
    inner = _chunks(chunks, shape, numpy_type, _CHUNK_BYTES_MAX if shards is None else _INNER_CHUNK_BYTES_MAX)
    if isinstance(shards, str):
        shards = _shards(shards, shape, inner)
    codecs = [*_chain(filters, "filters"), _serializer(serializer, numpy_type), *_chain(compressors, "compressors")]
    if shards is not None:
        configuration = {
            "chunk_shape": inner,
            "codecs": codecs,
            "index_codecs": [_bytes(), {"name": "crc32c"}],
            "index_location": index_location,
        }
        codecs = [{"name": "sharding_indexed", "configuration": configuration}]
    document = {
        "zarr_format": 3,
        "node_type": "array",
        "shape": shape,
        "data_type": data_type,
        "chunk_grid": {
            "name": "regular",
            "configuration": {"chunk_shape": inner if shards is None else _lengths(shards, "shards")},
        },
        "chunk_key_encoding": _key_encoding(chunk_key_encoding),
        "fill_value": _fill_value(fill_value, numpy_type),
        "codecs": codecs,
        "attributes": dict(attributes or {}),
    }
    if dimension_names is not None:
        document["dimension_names"] = list(dimension_names)
    return document


def create(folder: str, document: Json, overwrite: bool) -> None:
    """Writes the document of a new node, after those of the groups above it that a name of several parts implies."""
    if "://" in folder:
        raise ValueError(f"{folder.partition('?')[0]}: arrays and groups are created in folders, not at URLs")
    json_text = text(document, folder, allow_nan=False)
    # Without a document, only what would be the array's chunks is deleted: the folder may be the user's home.
    is_cleared = overwrite and document["node_type"] == "array"
    try:
        _write(folder, json_text, is_cleared)
    except NodeExistsError:  # and the document is valid: Java looks at that first
        if not overwrite:
            raise
        shutil.rmtree(folder)
        _write(folder, json_text, is_cleared)


def _write(folder: str, json_text: str, is_cleared: bool) -> None:
    try:
        _java.call("create", folder, json_text, is_cleared)
    except StoreError:
        if any(os.path.lexists(os.path.join(folder, name)) for name in _DOCUMENTS):  # perhaps made just now
            raise NodeExistsError(f"{folder}: is a Zarr node already") from None
        raise


def create_groups(top: str, names: list[str]) -> None:
    """Creates the groups of some names, one below the other, if they are not there."""
    for depth in range(len(names)):
        folder = os.path.join(top, *names[:depth])
        try:
            create(folder, group(None), overwrite=False)
        except NodeExistsError:
            if is_array(folder):
                raise ValueError(f"{folder}: is an array: only groups have arrays and groups below them") from None


def is_array(folder: str) -> bool:
    """Returns whether a folder holds an array and no group; raises NodeNotFoundError if it holds neither."""
    description = json.loads(str(_java.call("open", folder, "{}")))
    _java.close(description["handle"])
    return description["kind"] == "array"


def read(folder: str) -> Json:
    """Returns the document zarr.json of a folder as it is now; empty if there is none, and only then, because what is
    written afterwards would replace what could not be read."""
    file = pathlib.Path(folder, "zarr.json")
    try:
        document = json.loads(file.read_bytes())
    except (FileNotFoundError, NotADirectoryError):  # the latter in a zip file
        return {}
    except OSError as e:
        raise StoreError(f"{file}: cannot be read: {e.strerror}") from None
    except ValueError as e:
        raise ZarrError(f"{file}: is not JSON: {e}") from None
    if not isinstance(document, dict):
        raise ZarrError(f"{file}: is not a JSON object")
    return document


def text(value: Json, folder: str, allow_nan: bool = True) -> str:
    """Returns JSON of a document or of attributes."""
    try:
        return json.dumps(value, indent=2, allow_nan=allow_nan, default=_number)
    except (TypeError, ValueError) as e:
        kind = TypeError if isinstance(e, TypeError) else ValueError
        raise kind(f"{folder}: the attributes or codecs are not JSON: {e}") from None


def _number(value: Any) -> Any:
    """Returns Python's number for one of NumPy."""
    if isinstance(value, np.generic) and not isinstance(value.item(), np.generic):  # as that of a longdouble is
        return value.item()
    raise TypeError(f"{value!r}, a {type(value).__name__}")


def _lengths(lengths: int | Iterable[int], name: str) -> list[int]:
    return _whole.numbers([lengths] if isinstance(lengths, (int, np.integer)) else lengths, name)


def _chunks(chunks: Any, shape: list[int], dtype: np.dtype | None, bytes_max: int) -> list[int]:
    if not isinstance(chunks, str):
        return _lengths(chunks, "chunks")
    if chunks != "auto":
        raise ValueError(f'chunks is {chunks!r}, expected whole numbers or "auto"')
    return _guessed(shape, 1 if dtype is None else dtype.itemsize, bytes_max)


def _shards(shards: str, shape: list[int], chunks: list[int]) -> list[int]:
    """Returns the shards that zarr-python chooses: two chunks along a dimension that has more than eight."""
    if shards != "auto":
        raise ValueError(f'shards is {shards!r}, expected whole numbers, a dict, "auto" or None')
    return [chunk * (2 if length // max(1, chunk) > 8 else 1) for length, chunk in zip(shape, chunks)]


def _guessed(shape: list[int], itemsize: int, bytes_max: int) -> list[int]:
    """Returns the chunks that zarr-python chooses, and h5py before it: halves one dimension after the other until a
    chunk has about 256 KiB, more for a large array."""
    chunks = [float(max(length, 1)) for length in shape]
    aim = (256 << 10) * 2 ** math.log10(math.prod(chunks) * itemsize / (1 << 20))
    aim = max(128 << 10, min(bytes_max, aim))
    at = 0
    while math.prod(chunks) > 1:
        bytes_ = math.prod(chunks) * itemsize
        if (bytes_ < aim or abs(bytes_ - aim) / aim < 0.5) and bytes_ < bytes_max:
            break
        chunks[at % len(chunks)] = math.ceil(chunks[at % len(chunks)] / 2)
        at += 1
    return [int(length) for length in chunks]


def _bytes() -> Json:
    return {"name": "bytes", "configuration": {"endian": "little"}}


def _serializer(serializer: Any, dtype: np.dtype | None) -> Json:
    if not isinstance(serializer, str):
        return _codec(serializer, "serializer")
    if serializer != "auto":
        raise ValueError(f'serializer is {serializer!r}, expected a codec or "auto"')
    has_order = dtype is None or dtype.itemsize > 1 and dtype.kind != "S" and not _is_raw(dtype)
    return _bytes() if has_order else {"name": "bytes"}


def _is_raw(dtype: np.dtype) -> bool:
    return dtype.type is np.void and dtype.names is None


def _chain(codecs: Any, name: str) -> list[Json]:
    if codecs is None:
        return []
    if isinstance(codecs, str):
        if codecs != "auto":
            raise ValueError(f'{name} is {codecs!r}, expected codecs, None or "auto"')
        codecs = {"name": "zstd"} if name == "compressors" else []
    several = codecs if isinstance(codecs, (list, tuple)) else [codecs]
    return [_codec(codec, name) for codec in several]


def _codec(codec: Any, name: str) -> Json:
    """Returns a codec as JSON has it: of a dict, or of one of zarr-python's objects."""
    if isinstance(codec, Mapping):
        codec = dict(codec)
    elif hasattr(codec, "to_dict"):
        codec = codec.to_dict()
    if not isinstance(codec, dict) or not isinstance(codec.get("name"), str):
        raise TypeError(f'{name} has {codec!r}, expected a dict with "name" and "configuration", or a codec of zarr')
    configuration = _DEFAULTS.get(codec["name"], {}) | dict(codec.get("configuration") or {})
    if configuration or "configuration" in codec:
        return {"name": codec["name"], "configuration": configuration}
    return {"name": codec["name"]}


def _key_encoding(encoding: Any) -> Json:
    if encoding is None:
        return {"name": "default", "configuration": {"separator": "/"}}
    if hasattr(encoding, "to_dict"):
        encoding = encoding.to_dict()
    name = encoding.get("name", "default")
    configuration = encoding.get("configuration") or {}
    usual = "/" if name == "default" else "."
    separator = encoding.get("separator", configuration.get("separator", usual))  # zarr-python has both forms
    return {"name": name, "configuration": {"separator": separator}}


def _fill_value(value: Any, dtype: np.dtype | None) -> Any:
    """Returns an element as JSON has it; None stands for 0, or NaT, or empty text."""
    if dtype is None:
        return value if value is not None else 0
    if value is None:
        element = np.array("NaT", dtype)[()] if dtype.kind in "mM" else np.zeros((), dtype)[()]
    else:
        element = np.asarray(value, dtype)[()]
    return _element(element, dtype)


def _element(element: Any, dtype: np.dtype) -> Any:
    match dtype.kind:
        case "b":
            return bool(element)
        case "i" | "u":
            return int(element)
        case "f":
            return _float(element)
        case "c":
            return [_float(element.real), _float(element.imag)]
        case "m" | "M":
            return int(element.view("i8"))
        case "U":
            return str(element)
        case "S":
            return _base64(bytes(element))  # without zeros at the end
    if dtype.kind == "V" and dtype.type is not np.void:  # a number of ml_dtypes
        return int(element) if dtype.name.startswith(("int", "uint")) else _float(element)
    return _base64(np.asarray(element, dtype).tobytes())


def _base64(content: bytes) -> str:
    return base64.b64encode(content).decode()


def _float(element: Any) -> Any:
    number = float(element)
    if math.isnan(number):
        return "NaN"
    return number if math.isfinite(number) else "Infinity" if number > 0 else "-Infinity"
