"""A group of arrays and groups."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from . import _java
from ._array import Array
from ._errors import NodeNotFoundError
from ._node import Info, Node, Origin


class Group(Node):
    """A group, with the names and the behaviour of a zarr-python group. Threads: any."""

    def __getitem__(self, name: str) -> Array | Group:
        """Opens the array or group of a name, or of a path with slashes, below this group."""
        try:
            description = json.loads(str(_java.call("openBelow", self._handle, name)))
        except NodeNotFoundError as e:
            raise KeyError(str(e)) from None
        return _of(description, self._origin, f"{self._path}/{name}".strip("/"))

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

    def keys(self) -> Iterator[str]:
        """Returns the names of the arrays and groups directly below, sorted."""
        return iter(self)

    def members(self) -> tuple[tuple[str, Array | Group], ...]:
        """Returns the names of the arrays and groups directly below, and these."""
        return tuple((name, self[name]) for name in self)

    def arrays(self) -> Iterator[tuple[str, Array]]:
        """Returns the names of the arrays directly below, and these."""
        return ((name, node) for name, node in self.members() if isinstance(node, Array))

    def groups(self) -> Iterator[tuple[str, Group]]:
        """Returns the names of the groups directly below, and these."""
        return ((name, node) for name, node in self.members() if isinstance(node, Group))

    def array_keys(self) -> Iterator[str]:
        """Returns the names of the arrays directly below."""
        return (name for name, _ in self.arrays())

    def group_keys(self) -> Iterator[str]:
        """Returns the names of the groups directly below."""
        return (name for name, _ in self.groups())

    @property
    def zarr_format(self) -> int:
        """2 or 3."""
        return self._description["zarr_format"]

    @property
    def info(self) -> Info:
        """The arrays and groups directly below, in lines of text."""
        lines = [self.location, f"  zarr format  {self.zarr_format}"]
        for name, node in self.members():
            lines.append(f"  {name:12} " + (f"{node.dtype}{node.shape}" if isinstance(node, Array) else "group"))
        return Info("\n".join(lines))

    def __repr__(self) -> str:
        return f"<zarr_engine.Group {self.location}>"


def open_node(origin: Origin, path: str = "") -> Array | Group:
    """Opens what is at an origin; path is its name for the user."""
    return _of(json.loads(str(_java.call("open", origin.location, _encoded(origin.options)))), origin, path)


def reopen(origin: Origin, path: str) -> Array | Group:
    """Opens what is at a path below an origin, as another process had it."""
    node = open_node(origin.below(path), path)
    node._origin = origin
    return node


def _encoded(options: dict[str, Any]) -> str:
    try:
        return json.dumps(options, allow_nan=False)
    except (TypeError, ValueError) as e:
        raise ValueError(f"storage_options has a value of another type than str, int, float, bool and dict: {e}") from None


def _of(description: dict[str, Any], origin: Origin, path: str) -> Array | Group:
    return (Array if description["kind"] == "array" else Group)(description, origin, path)
