"""What arrays and groups have in common."""

from __future__ import annotations

import json
import os
import threading
import urllib.parse
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from typing import Any, Self

from . import _creating, _java
from ._errors import ClosedError, ZarrError

_changing = threading.RLock()  # of attributes; a signal's handler may interrupt a change and begin another one


class Origin:
    """What was opened: an absolute path or a URL, and the options of its store, which may have secrets. Pickles have
    them too."""

    __slots__ = ("location", "options", "is_writable")

    def __init__(self, location: str, options: Mapping[str, Any] | None, is_writable: bool = False):
        if options is not None and not isinstance(options, Mapping):  # its value may be a secret
            raise TypeError(f"storage_options is a {type(options).__name__}, expected a dict")
        self.location = location
        self.is_writable = is_writable
        self.options = {  # The caller may change theirs.
            name: dict(value) if isinstance(value, Mapping) else value for name, value in dict(options or {}).items()
        }

    def below(self, path: str) -> Origin:
        """Returns the node of a path below."""
        return Origin(below(self.location, path), self.options, self.is_writable)

    def __repr__(self) -> str:
        return "<zarr_engine origin>"


def absolute(path: str) -> str:
    """Returns an absolute path, because Java does not see that Python changes its folder."""
    has_above = ".." in path.split("/")  # The folder above is another one if a symbolic link comes before.
    return os.path.realpath(path) if has_above else os.path.abspath(path)


def below(location: str, path: str) -> str:
    """Returns the path or the URL of what is below another one. The query of a URL remains the last."""
    if not path:
        return location
    if "://" not in location:
        return os.path.join(location, path)
    base, mark, query = location.partition("?")
    return base.rstrip("/") + "/" + urllib.parse.quote(path) + mark + query


class Attributes(MutableMapping[str, Any]):
    """The user's attributes of an array or a group. What is assigned is written at once, if it was opened with "r+";
    a change inside of a value, as of a list, is not."""

    def __init__(self, node: Node):
        self._node = node

    def __getitem__(self, name: str) -> Any:
        return self._node._attributes[name]

    def __setitem__(self, name: str, value: Any) -> None:
        self.update({name: value})

    def __delitem__(self, name: str) -> None:
        self._node._change_attributes(lambda values: values.pop(name))

    def pop(self, *name_and_default: Any) -> Any:
        """Removes one, and returns it, as a dict's method."""
        return self._node._change_attributes(lambda values: values.pop(*name_and_default))

    def setdefault(self, name: str, default: Any = None) -> Any:
        """Returns one, which is set if it is missing, as a dict's method."""
        return self._node._change_attributes(lambda values: values.setdefault(name, default))

    def clear(self) -> None:
        """Removes them all."""
        self.put({})

    def update(self, *values: Any, **more: Any) -> None:
        """Sets several at once, as a dict's method."""
        self._node.update_attributes(dict(*values, **more))

    def put(self, values: Mapping[str, Any]) -> None:
        """Replaces them all."""
        self._node._change_attributes(lambda stored: (stored.clear(), stored.update(values)))

    def __iter__(self) -> Iterator[str]:
        return iter(self._node._attributes)

    def __len__(self) -> int:
        return len(self._node._attributes)

    def asdict(self) -> dict[str, Any]:
        """Returns a copy."""
        return json.loads(json.dumps(self._node._attributes))

    def __repr__(self) -> str:
        return repr(self._node._attributes)


class Info(str):
    """A description in lines of text, which a prompt shows as it is."""

    def __repr__(self) -> str:
        return str(self)


class Node:
    """An array or a group. Keeps its files open until it is collected or closed."""

    def __init__(self, description: dict[str, Any], origin: Origin, path: str = ""):
        self._description = description
        self._attributes = json.loads(description.get("attributes", "{}"))
        self._opened: int = description["handle"]  # 0 when it is closed
        self._origin = origin
        self._path = path

    @property
    def attrs(self) -> Attributes:
        """The user's attributes. Raises ZarrError if they are not valid."""
        problem = self._description.get("attributes_problem")
        if problem is not None:
            raise ZarrError(problem)
        return Attributes(self)

    def update_attributes(self, new_attributes: Mapping[str, Any]) -> Self:
        """Sets some of the user's attributes; others stay, also those that another program has set since. If several
        programs do that at once, the last one wins; threads of one program wait for each other. Raises TypeError for
        what JSON does not have, and ZarrError for NaN."""
        self._change_attributes(lambda values: values.update(new_attributes))
        return self

    def _change_attributes(self, change: Callable[[dict[str, Any]], Any]) -> Any:
        """Changes the attributes as they are stored now, and returns what the change does."""
        self._require_writable()
        handle = self._handle
        _java.entry()  # Before the lock, which a forked child may find locked: there this raises.
        with _changing:
            document = _creating.read(self.location)
            if document:  # Otherwise Java says why.
                self._attributes = document.get("attributes") or {}
            values = dict(self._attributes)
            result = change(values)
            text = _creating.text(values, self.location)
            _java.call("setAttributes", handle, text)
            self._attributes = json.loads(text)
        return result

    @property
    def zarr_format(self) -> int:
        """2 or 3."""
        return self._description["zarr_format"]

    @property
    def read_only(self) -> bool:
        """Whether it was opened to be read only."""
        return not self._origin.is_writable

    def _require_writable(self) -> None:
        if self.read_only:
            raise ValueError(f'{self.location}: was opened to be read only: open it with mode="r+"')

    @property
    def location(self) -> str:
        """The absolute path of its folder, or of a zip file and names inside it; or its URL, without a query."""
        return self._description["path"]

    @property
    def path(self) -> str:
        """Its path below the group that was opened, as in zarr-python: "" for what was opened itself."""
        return self._path

    @property
    def name(self) -> str:
        """The same, with a slash before it."""
        return "/" + self._path

    @property
    def basename(self) -> str:
        """The last part of its name."""
        return self._path.rsplit("/", 1)[-1]

    def close(self) -> None:
        """Closes its files now. Later reads raise ClosedError; arrays that were read stay valid. A store that was
        opened with storage_options ends with the last array and group of it, and with it the reads under way."""
        handle, self._opened = self._opened, 0
        if handle:
            _java.close(handle)

    @property
    def _handle(self) -> int:
        if not self._opened:
            raise ClosedError(f"{self.location}: is closed")
        return self._opened

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __del__(self) -> None:
        if hasattr(self, "_opened"):
            self.close()

    def __reduce__(self) -> Any:
        from ._group import reopen

        return reopen, (self._origin, self._path)
