"""Reads Zarr arrays at the speed of the hardware: local files to NumPy arrays, or to GPUs.

>>> import zarr_engine as ze
>>> u = ze.open("era-interim.zarr/u")
>>> u[0, :, 60:120, ::2]                        # a NumPy array
>>> u.read([(0, 1, slice(0, 64)), (1, 2, slice(64, 128))])   # many selections in one call
>>> await u.aread((0, ...))                     # without blocking the event loop
>>> torch.from_dlpack(u.read(device="cuda:0"))  # on a GPU
>>> ze.Loader(u, ze.samplers.windows(2), batch=8, shuffle=42)  # batches for training
"""

from __future__ import annotations

import json
import os

from . import _java, samplers
from ._array import Array
from ._device import DeviceArray
from ._errors import ClosedError, ForkError, NodeNotFoundError, OutOfMemoryError, StoreError, ZarrError
from ._group import Group, of
from ._java import configure
from ._loader import Loader
from ._transform import Transform

__all__ = [
    "Array",
    "ClosedError",
    "DeviceArray",
    "ForkError",
    "Group",
    "Loader",
    "NodeNotFoundError",
    "OutOfMemoryError",
    "StoreError",
    "Transform",
    "ZarrError",
    "configure",
    "open",
    "open_array",
    "open_group",
    "samplers",
]


def open(path: str | os.PathLike[str]) -> Array | Group:
    """Opens the array or group at a path: a folder, or a zip file, followed by names inside it ("x.zip/a"); or at a
    URL: "https://host/path", "gs://bucket/path", "az://container/path".

    The first call of a process starts Java, in a fraction of a second. Raises NodeNotFoundError (a
    FileNotFoundError) if there is neither, ZarrError if its metadata is not valid or uses something unknown.
    """
    location = os.fspath(path)
    if "://" not in location:  # Java does not see that Python changes its folder.
        location = os.path.abspath(location)
    return _reopen(location, "")


def open_array(path: str | os.PathLike[str]) -> Array:
    """Opens the array at a path; raises NodeNotFoundError if it is a group."""
    node = open(path)
    if not isinstance(node, Array):
        raise NodeNotFoundError(f"{node.location}: is a group, not an array")
    return node


def open_group(path: str | os.PathLike[str]) -> Group:
    """Opens the group at a path; raises NodeNotFoundError if it is an array."""
    node = open(path)
    if not isinstance(node, Group):
        raise NodeNotFoundError(f"{node.location}: is an array, not a group")
    return node


def _reopen(location: str, path: str) -> Array | Group:
    return of(json.loads(str(_java.call("open", location))), path)
