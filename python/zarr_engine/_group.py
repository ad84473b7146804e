"""A group of arrays and groups."""

from __future__ import annotations

import json
import math
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from . import _creating, _java, _whole
from ._array import Array
from ._errors import NodeNotFoundError
from ._node import Info, Node, Origin, absolute


class Group(Node):
    """A group, with the names and the behaviour of a zarr-python group. Threads: any."""

    def __getitem__(self, name: str) -> Array | Group:
        """Opens the array or group of a name, or of a path with slashes, below this group."""
        if not isinstance(name, str):
            raise TypeError(f"the name of a node is {name!r}, expected a str")
        parts = [part for part in name.split("/") if part]
        if "." in parts or ".." in parts or "\0" in name:
            raise KeyError(f"{self.location}: {name} is not in this group")
        name = "/".join(parts)
        handle, path = self._handle, f"{self._path}/{name}".strip("/")
        try:
            if not self.read_only:  # Consolidated metadata do not know what was written since.
                return reopen(self._origin, path)
            description = json.loads(str(_java.call("openBelow", handle, name)))
        except NodeNotFoundError as e:
            raise KeyError(str(e)) from None
        return _of(description, self._origin, path)

    def __iter__(self) -> Iterator[str]:
        return iter([str(name) for name in _java.call("names", self._handle)])

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __contains__(self, name: str) -> bool:
        try:
            self[name].close()
        except KeyError:
            return False
        return True

    def create_array(self, name: str, **options: Any) -> Array:
        """Creates an array of a name, or of a path with slashes, below this group, and groups on the way that are
        missing. Options as of zarr_engine.create_array."""
        return create_array(self._origin.location, name=self._new(name), **options)

    def create_group(
        self, name: str, *, attributes: Mapping[str, Any] | None = None, overwrite: bool = False
    ) -> Group:
        """Creates a group of a name, or of a path with slashes, below this group, and groups on the way that are
        missing; as zarr_engine.create_group."""
        return _created(self._origin.location, self._new(name), _creating.group(attributes), overwrite)

    def _new(self, name: str) -> str:
        """Returns the path of a new node below what was opened first."""
        self._require_writable()
        if not isinstance(name, str):
            raise TypeError(f"the name of a node is {name!r}, expected a str")
        if self.zarr_format == 2:
            raise ValueError(f"{self.location}: is of version 2: its arrays and groups are only read")
        return f"{self._path}/{name}".strip("/")

    def keys(self) -> Iterator[str]:
        """Returns the names of the arrays and groups directly below, sorted."""
        return iter(self)

    def get(self, path: str, default: Any = None) -> Any:
        """Returns the array or group of a name or a path with slashes, or default if there is none."""
        try:
            return self[path]
        except KeyError:
            return default

    def members(self, max_depth: int | None = 0) -> tuple[tuple[str, Array | Group], ...]:
        """Returns the arrays and groups below, with their paths from here, each group before what is in it. max_depth:
        how many groups deep; 0 for those directly below, None for all."""
        max_depth = _whole.optional(max_depth, "max_depth", 0)
        found: list[tuple[str, Array | Group]] = []
        for name in self:
            node = self[name]
            found.append((name, node))
            if isinstance(node, Group) and max_depth != 0:
                deeper = node.members(None if max_depth is None else max_depth - 1)
                found += ((f"{name}/{path}", below) for path, below in deeper)
        return tuple(found)

    def nmembers(self, max_depth: int | None = 0) -> int:
        """Returns the number of arrays and groups below; max_depth as in members()."""
        return len(self) if max_depth == 0 else len(self.members(max_depth))

    def tree(self, *, level: int | None = None) -> Info:
        """Returns the arrays and groups below, in lines of text. level: how many groups deep; None for all."""
        lines = [self.name]
        members = self.members(level)
        last = {_parent(path): path for path, _ in members}
        for path, node in members:
            names = path.split("/")
            above = ["/".join(names[:depth]) for depth in range(1, len(names))]
            lead = "".join("    " if last[_parent(at)] == at else "│   " for at in above)
            lead += "└── " if last[_parent(path)] == path else "├── "
            lines.append(lead + names[-1] + (f" {node.shape} {node.dtype}" if isinstance(node, Array) else ""))
        return Info("\n".join(lines) + "\n")

    def arrays(self) -> Iterator[tuple[str, Array]]:
        """Returns the names of the arrays directly below, and these."""
        return ((name, node) for name, node in self.members() if isinstance(node, Array))

    def groups(self) -> Iterator[tuple[str, Group]]:
        """Returns the names of the groups directly below, and these."""
        return ((name, node) for name, node in self.members() if isinstance(node, Group))

    def array_values(self) -> Iterator[Array]:
        """Returns the arrays directly below."""
        return (array for _, array in self.arrays())

    def group_values(self) -> Iterator[Group]:
        """Returns the groups directly below."""
        return (group for _, group in self.groups())

    def array_keys(self) -> Iterator[str]:
        """Returns the names of the arrays directly below."""
        return (name for name, _ in self.arrays())

    def group_keys(self) -> Iterator[str]:
        """Returns the names of the groups directly below."""
        return (name for name, _ in self.groups())

    @property
    def metadata(self) -> dict[str, Any]:
        """A copy of the document zarr.json, as JSON has it; of a group of version 2, translated to version 3. Raises
        ZarrError if its attributes are not valid."""
        return {"zarr_format": 3, "node_type": "group", "attributes": self.attrs.asdict()}

    def info_complete(self) -> Info:
        """The arrays and groups at all depths, in lines of text."""
        return Info(f"{self.location}\n  zarr format  {self.zarr_format}\n{self.tree()}")

    @property
    def info(self) -> Info:
        """The arrays and groups directly below, in lines of text."""
        lines = [self.location, f"  zarr format  {self.zarr_format}"]
        for name, node in self.members():
            lines.append(f"  {name:12} " + (f"{node.dtype}{node.shape}" if isinstance(node, Array) else "group"))
        return Info("\n".join(lines))

    def __repr__(self) -> str:
        return f"<zarr_engine.Group {self.location}>"


def create_group(
    path: str | os.PathLike[str], *, attributes: Mapping[str, Any] | None = None, overwrite: bool = False
) -> Group:
    """Creates a group of Zarr version 3 in a folder. attributes: JSON values. overwrite: deletes an array or a group
    that is there, with all below it; otherwise that raises NodeExistsError (a FileExistsError)."""
    return _created(os.fspath(path), "", _creating.group(attributes), overwrite)


def create_array(
    path: str | os.PathLike[str],
    *,
    name: str | None = None,
    shape: int | Iterable[int] | None = None,
    dtype: Any = None,
    data: Any = None,
    chunks: int | Iterable[int] | str = "auto",
    shards: Iterable[int] | Mapping[str, Any] | str | None = None,
    filters: Any = "auto",
    compressors: Any = "auto",
    serializer: Any = "auto",
    fill_value: Any = None,
    attributes: Mapping[str, Any] | None = None,
    chunk_key_encoding: Any = None,
    dimension_names: Iterable[str | None] | None = None,
    overwrite: bool = False,
) -> Array:
    """Creates an array of Zarr version 3 in a folder, with the names and defaults of zarr-python.

    name: a path with slashes below the folder; groups on the way that are missing are created.
    shape, dtype: of the array, in elements; or data: an array with its shape, its type and its elements.
    chunks: the shape of a chunk, in elements; of an inner chunk, if there are shards. "auto" is zarr-python's choice.
    shards: the shape of a shard; or {"shape": ..., "index_location": "start"}; "auto" is zarr-python's choice.
    filters, compressors: codecs as zarr.json has them, {"name": "gzip", "configuration": {"level": 5}}, or as objects
        of zarr-python; one or several; None for none. "auto" is no filter, and zstd.
    serializer: a codec; "auto" is bytes, little-endian.
    fill_value: the element that missing chunks have; None for 0.
    chunk_key_encoding: {"name": "v2", "separator": "."}; None for c/0/0.
    overwrite: deletes an array or a group that is there, with all below it; otherwise that raises NodeExistsError (a
        FileExistsError). Of other folders, deletes the files that would be chunks.

    Raises ZarrError if the codecs or the type can only be read, or do not fit together; ValueError for URLs, and for
    a name below an array.
    """
    if (data is None) == (shape is None and dtype is None):
        raise ValueError("give either data, or shape and dtype")
    elements = None if data is None else np.asarray(data)
    if elements is not None:
        shape, dtype = elements.shape, elements.dtype
    if shape is None or dtype is None:
        raise ValueError("give both shape and dtype")
    document = _creating.array(
        shape, dtype, chunks, shards, filters, compressors, serializer, fill_value, attributes, chunk_key_encoding,
        dimension_names,
    )
    array = _created(os.fspath(path), name or "", document, overwrite)
    if elements is not None:
        array[...] = elements
    return array


def _created(top: str, path: str, document: dict[str, Any], overwrite: bool) -> Any:
    """Creates and opens what a document describes, at a path below a folder."""
    names = [name for name in path.split("/") if name]
    if "." in names or ".." in names:
        raise ValueError(f"{path}: is not a path below {top}")
    top = top if "://" in top else absolute(top)
    _creating.create_groups(top, names)
    _creating.create(os.path.join(top, *names), document, overwrite)
    return reopen(Origin(top, None, is_writable=True), "/".join(names))


def _parent(path: str) -> str:
    return path.rpartition("/")[0]


def open_node(origin: Origin, path: str = "") -> Array | Group:
    """Opens what is at an origin; path is its name for the user."""
    return _of(json.loads(str(_java.call("open", origin.location, _encoded(origin.options)))), origin, path)


def reopen(origin: Origin, path: str) -> Array | Group:
    """Opens what is at a path below an origin, as another process had it."""
    node = open_node(origin.below(path), path)
    node._origin = origin
    return node


def _encoded(options: dict[str, Any]) -> str:
    if options.get("timeout") == math.inf:  # JSON has none: the largest time that Java knows
        options = {**options, "timeout": sys.float_info.max}
    try:
        return json.dumps(options, allow_nan=False, default=_plain)
    except (TypeError, ValueError) as e:
        raise ValueError(f"storage_options is not made of str, int, float, bool and dict: {e}") from None


def _plain(value: Any) -> Any:
    """Returns a number of NumPy as one of Python."""
    if isinstance(value, np.generic) and isinstance(value.item(), (bool, int, float)):
        return value.item()
    raise TypeError(f"a value is a {type(value).__name__}")


def _of(description: dict[str, Any], origin: Origin, path: str) -> Array | Group:
    return (Array if description["kind"] == "array" else Group)(description, origin, path)
