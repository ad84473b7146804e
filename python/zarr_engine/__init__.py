"""Reads Zarr arrays at the speed of the hardware, to NumPy arrays or to GPUs, and writes them.

>>> import zarr_engine as ze
>>> u = ze.open("era-interim.zarr/u")
>>> u[0, :, 60:120, ::2]                        # a NumPy array
>>> u.read([(0, 1, slice(0, 64)), (1, 2, slice(64, 128))])   # many selections in one call
>>> await u.aread((0, ...))                     # without blocking the event loop
>>> torch.from_dlpack(u.read(device="cuda:0"))  # on a GPU
>>> ze.create_array("new.zarr", data=elements, chunks=(64, 64))
>>> ze.Loader(u, ze.samplers.windows(2), batch=8, shuffle=42)  # batches for training
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from . import _java, samplers
from ._array import Array
from ._device import DeviceArray
from ._errors import ClosedError, ForkError, NodeExistsError, NodeNotFoundError, OutOfMemoryError, StoreError, ZarrError
from ._group import Group, create_array, create_group, open_node
from ._java import configure
from ._loader import Loader
from ._node import Origin, absolute
from ._transform import Transform

__all__ = [
    "Array",
    "ClosedError",
    "DeviceArray",
    "ForkError",
    "Group",
    "Loader",
    "NodeExistsError",
    "NodeNotFoundError",
    "OutOfMemoryError",
    "StoreError",
    "Transform",
    "ZarrError",
    "configure",
    "create_array",
    "create_group",
    "open",
    "open_array",
    "open_group",
    "samplers",
]


def open(
    path: str | os.PathLike[str], *, mode: str = "r", storage_options: Mapping[str, Any] | None = None
) -> Array | Group:
    """Opens the array or group at a path: a folder, or a zip file, followed by names inside it ("x.zip/a"); or at a
    URL: "https://host/path", "s3://bucket/path", "gs://bucket/path", "az://container/path".

    mode: "r" to read; "r+" also to assign to arrays and to create nodes below a group, in folders. Then consolidated
        metadata only name the nodes of a group, whose own documents are read.
    storage_options: options of the URL's store, for this node and all below it; what is not given comes from the
        environment. Names as s3fs, gcsfs, adlfs and aiohttp have them:

        - all: headers (a dict), proxy ("http://user:password@host:port"), max_concurrency (requests at a time, 64),
          timeout (seconds for a read with its retries, 60; math.inf for no limit), hides_missing (status 403 is a
          missing object)
        - http, https: token (a bearer's), or username and password
        - s3: endpoint_url, region, anon, key with secret (and token), profile, requester_pays (True); or client_kwargs
          with region_name and endpoint_url
        - gs: endpoint_url, anon, token (of OAuth 2, or "anon"), requester_pays (the project that pays)
        - az, abfs, abfss, and https of Azure: account_name, endpoint_url, anon, account_key, sas_token, token (of
          OAuth 2)

        A token that expires ends the reading; credentials of the environment are renewed. No message has a value; a
        pickled array or group has them all.

    The first call of a process starts Java, in a fraction of a second. Raises NodeNotFoundError (a
    FileNotFoundError) if there is neither, ZarrError if its metadata is not valid or uses something unknown,
    ValueError if an option is unknown or not valid.
    """
    if mode not in ("r", "r+"):
        raise ValueError(f'mode is {mode!r}, expected "r" or "r+"; create_array and create_group make new nodes')
    location = os.fspath(path)
    if "://" not in location:
        location = absolute(location)
    elif mode == "r+":
        raise ValueError(f"{location.partition('?')[0]}: URLs are only read: open it with mode=\"r\"")
    return open_node(Origin(location, storage_options, mode == "r+"))


def open_array(
    path: str | os.PathLike[str], *, mode: str = "r", storage_options: Mapping[str, Any] | None = None
) -> Array:
    """Opens the array at a path, as open() does; raises NodeNotFoundError if it is a group."""
    node = open(path, mode=mode, storage_options=storage_options)
    if not isinstance(node, Array):
        node.close()
        raise NodeNotFoundError(f"{node.location}: is a group, not an array")
    return node


def open_group(
    path: str | os.PathLike[str], *, mode: str = "r", storage_options: Mapping[str, Any] | None = None
) -> Group:
    """Opens the group at a path, as open() does; raises NodeNotFoundError if it is an array."""
    node = open(path, mode=mode, storage_options=storage_options)
    if not isinstance(node, Group):
        node.close()
        raise NodeNotFoundError(f"{node.location}: is an array, not a group")
    return node
