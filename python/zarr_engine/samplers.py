"""The samples of a loader: which parts of its arrays a step may read. Sample n depends on n alone.

Each function returns a sampler for arrays of any shape that fits; the arrays of a loader are read at the same places
unless each has a sampler of its own.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from typing import Any, Sequence

import numpy as np

from . import _whole


class Sampler:
    """Samples of an array, by number."""

    def __init__(self, describe: Any):
        self._describe = describe  # a function from the shape of an array to Java's description


class Generated(Sampler):
    """Samples that the caller's code makes, in order."""

    def __init__(self, samples: Callable[[int], Any] | Iterable[Any]):
        super().__init__(None)
        self.samples = samples


def generated(samples: Callable[[int], Any] | Iterable[Any]) -> Sampler:
    """Samples that your code makes while the loader runs: a function from a sample's number, from 0, to the sample, or
    any iterable, such as a generator, with or without an end.

    A sample is a selection as for Array.oindex: a tuple of slices, positions and lists, the same for each array; those
    of a batch have one shape, or are delivered one after another in one dimension. An epoch without epoch_length has
    all samples; with it the samples go on from epoch to epoch, and those of an incomplete last step are left out.

    All ranks run through the same samples, and read their share. Your code runs in the thread that takes batches, so
    many batches before a sample is delivered as are read ahead; what it raises is raised after the batches before.
    A function may raise StopIteration to end.

    To resume, load_state_dict() asks a function for the next sample, and an iterable for a new iterator, whose first
    samples it passes over; a generator cannot begin anew, so give a new loader a new one, from its beginning. The
    loader has no shuffle, no end="pad" and no report().
    """
    if not callable(samples) and not isinstance(samples, Iterable):
        raise TypeError(f"samples are a {type(samples).__name__}, expected a function or an iterable")
    return Generated(samples)


def boxes(samples: Any) -> Sampler:
    """Samples of a list: tuples of slices with start and stop, or an array of integers of the shape (n, ndim, 2)
    with the first position and the one after the last."""
    if not isinstance(samples, np.ndarray):
        samples = [[_bounds(part) for part in sample] for sample in samples]
    rows = np.asarray(samples)
    if rows.ndim != 3 or rows.shape[2] != 2 or rows.size == 0:
        raise ValueError(f"boxes of the shape {rows.shape}, expected (n, ndim, 2)")
    if rows.dtype.kind not in "iu":
        raise TypeError(f"boxes of the type {rows.dtype}, expected integers")
    flat = rows.reshape(len(rows), -1).tolist()
    return Sampler(lambda shape: {"kind": "list", "boxes": flat})


def _bounds(part: Any) -> tuple[int, int]:
    if not isinstance(part, slice) or part.start is None or part.stop is None or part.step not in (None, 1):
        raise ValueError(f"a box with {part!r}, expected slices with start and stop, and no step")
    return operator.index(part.start), operator.index(part.stop)


def windows(length: int, stride: int = 1, axis: int = 0) -> Sampler:
    """Windows along one axis, whole along the others: windows(2) are pairs of neighbouring steps. Windows that would
    reach beyond the array are left out."""

    length, stride = _whole.number(length, "length", 1), _whole.number(stride, "stride", 1)
    axis = _whole.number(axis, "axis")

    def describe(shape: Sequence[int]) -> dict[str, Any]:
        if not -len(shape) <= axis < len(shape):
            raise IndexError(f"axis {axis} of an array of {len(shape)} dimensions")
        window, strides = list(shape), list(shape)
        window[axis], strides[axis] = length, stride
        return {"kind": "sliding", "window": window, "stride": strides}

    return Sampler(describe)


def sliding(window: Sequence[int], stride: Sequence[int] | None = None) -> Sampler:
    """All windows at regular distances, in C order; without stride side by side. Windows that would reach beyond the
    array are left out."""
    windows = _whole.numbers(window, "window", 1)
    strides = windows if stride is None else _whole.numbers(stride, "stride", 1)
    return Sampler(lambda shape: {"kind": "sliding", "window": windows, "stride": strides})


def crops(shape: Sequence[int], seed: int = 0, weights: Any = None, mask: Any = None) -> Sampler:
    """Crops at random places, without end: the loader needs epoch_length for epochs.

    shape: the length of a crop along each dimension.
    weights: an array of numbers, one for each cell of a grid over the places where a crop can begin; how likely a
        crop begins in that cell. Without weights all places are equally likely.
    mask: an array of booleans, one for each cell of such a grid; crops begin where it is true, each place as likely
        as any other.
    """
    if weights is not None and mask is not None:
        raise ValueError("both weights and a mask: weights of 0 are a mask")
    lengths, seed = _whole.numbers(shape, "shape", 1), _whole.number(seed, "seed")
    grid = None if weights is None else np.asarray(weights, float)
    allowed = None if mask is None else np.asarray(mask, bool)

    def describe(_: Sequence[int]) -> dict[str, Any]:
        description: dict[str, Any] = {"kind": "crops", "shape": lengths, "seed": seed}
        if grid is not None:
            description |= {"cells": list(grid.shape), "weights": grid.ravel().tolist()}
        if allowed is not None:
            description |= {"cells": list(allowed.shape), "mask": allowed.ravel().tolist()}
        return description

    return Sampler(describe)
