"""xarray.open_dataset(path, engine="zarr-engine"): a group's arrays as variables that are read when they are used.

xarray decodes (CF conventions: scales, times, missing values). Reads of dask's threads run side by side, without
Python's lock.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from xarray import Dataset, Variable, conventions
from xarray.backends import BackendArray, BackendEntrypoint
from xarray.backends.zarr import FillValueCoder
from xarray.core import indexing

from . import open_group
from ._array import Array
from ._node import below

_DIMENSIONS = "_ARRAY_DIMENSIONS"  # the attribute that names dimensions in version 2


class Backend(BackendEntrypoint):
    """Opens a group; see xarray.open_dataset."""

    description = "Reads Zarr arrays of local disks and URLs with zarr-engine"
    url = "https://zarr.dev"
    open_dataset_parameters = (
        "filename_or_obj", "group", "drop_variables", "mask_and_scale", "decode_times", "concat_characters",
        "decode_coords", "use_cftime", "decode_timedelta", "storage_options",
    )

    def open_dataset(
        self,
        filename_or_obj: Any,
        *,
        group: str | None = None,
        drop_variables: str | Iterable[str] | None = None,
        mask_and_scale: bool = True,
        decode_times: bool = True,
        concat_characters: bool = True,
        decode_coords: bool = True,
        use_cftime: bool | None = None,
        decode_timedelta: bool | None = None,
        storage_options: Mapping[str, Any] | None = None,
    ) -> Dataset:
        """storage_options: as zarr_engine.open takes them."""
        path = below(os.fspath(filename_or_obj), (group or "").strip("/"))
        opened = open_group(path, storage_options=storage_options)
        variables, attributes, names = conventions.decode_cf_variables(
            {name: _variable(array) for name, array in opened.arrays()},
            dict(opened.attrs),
            mask_and_scale=mask_and_scale,
            decode_times=decode_times,
            concat_characters=concat_characters,
            decode_coords=decode_coords,
            drop_variables=drop_variables,
            use_cftime=use_cftime,
            decode_timedelta=decode_timedelta,
        )
        dataset = Dataset(variables, attrs=attributes)
        dataset = dataset.set_coords(names.intersection(dataset.variables))
        dataset.encoding["source"] = opened.location
        return dataset

    def guess_can_open(self, filename_or_obj: Any) -> bool:
        """Returns False: zarr-python's engine keeps the suffix .zarr; this one is named."""
        return False


def _variable(array: Array) -> Variable:
    attributes = dict(array.attrs)
    names = attributes.pop(_DIMENSIONS, None) or array.dimension_names
    if names is None or len(names) != array.ndim or None in names:
        raise ValueError(f"{array.location}: xarray needs a name for each of its {array.ndim} dimensions, found {names}")
    encoding = {
        "chunks": array.chunks,
        "preferred_chunks": dict(zip(names, array.chunks)),
        "shards": array.shards,
        "dtype": array.dtype,
    }
    # In version 2 the fill value is CF's _FillValue; in version 3 that is an attribute, which xarray has encoded.
    if "_FillValue" in attributes:
        if array.zarr_format == 3:
            attributes["_FillValue"] = FillValueCoder.decode(attributes["_FillValue"], array.dtype)
    elif array.zarr_format == 2 and array._description["has_fill"]:
        attributes["_FillValue"] = array.fill_value
    return Variable(names, indexing.LazilyIndexedArray(LazyArray(array)), attributes, encoding)


class LazyArray(BackendArray):
    """An array that xarray reads when its elements are used."""

    def __init__(self, array: Array):
        self._array = array
        self.shape = array.shape
        self.dtype = array.dtype

    def __getitem__(self, key: indexing.ExplicitIndexer) -> np.ndarray:
        is_points = isinstance(key, indexing.VectorizedIndexer) and not any(isinstance(k, slice) for k in key.tuple)
        support = indexing.IndexingSupport.VECTORIZED if is_points else indexing.IndexingSupport.OUTER
        read = self._array.vindex if is_points else self._array.oindex
        return indexing.explicit_indexing_adapter(key, self.shape, support, read.__getitem__)
