"""Steps that compute samples on the way to a batch, as Java's Transform runs them."""

from __future__ import annotations

import json
import math
from typing import Any, Iterable

import numpy as np

from . import _java, _whole


class Transform:
    """Steps that compute a sample from the elements that were read. Immutable: each method returns a longer one.

    >>> ze.Transform.cf(t2m).normalize(278.5, 21.2).mean(1, 2, 2).cast("bfloat16")

    Numbers are computed in float64 and rounded once, to the type of the result: to the nearest, ties to even. The
    result has the type of cast(); without it float32, or the type of the elements if the steps only move them. Axes
    and factors are those of a sample, without the dimension of the batch. Shapes are checked when the loader opens.
    """

    def __init__(self, steps: Iterable[dict[str, Any]] = ()):
        self._steps = tuple(steps)

    @staticmethod
    def cf(array: Any) -> Transform:
        """What the attributes of an array ask for (CF conventions, packed data): missing_value and _FillValue
        become NaN, then scale_factor and add_offset apply."""
        return Transform.from_json(str(_java.call("cfTransform", array._handle)))

    @staticmethod
    def from_json(text: str) -> Transform:
        """Returns the transform that to_json() wrote."""
        return Transform(json.loads(text)["steps"])

    def to_json(self) -> str:
        """Returns the steps as JSON, to be kept beside a run."""
        return json.dumps(self._members())

    def _members(self) -> dict[str, Any]:
        return {"steps": list(self._steps)}

    def _then(self, step: str, **members: Any) -> Transform:
        return Transform((*self._steps, {"step": step, **members}))

    def missing(self, value: float) -> Transform:
        """The number that marks missing elements becomes NaN."""
        return self._then("missing", value=_number(value))

    def scale(self, factor: float, offset: float = 0) -> Transform:
        """x * factor + offset."""
        return self._then("scale", factor=_number(factor), offset=_number(offset))

    def normalize(self, mean: Any, std: Any, axis: int = 0) -> Transform:
        """(x - mean) / std, of numbers, or of one number for each position along an axis (the channels)."""
        means, deviations = (np.atleast_1d(np.asarray(part, float)).tolist() for part in (mean, std))
        return self._then("normalize", axis=_whole.number(axis, "axis"), means=means, deviations=deviations)

    def clip(self, low: float = -math.inf, high: float = math.inf) -> Transform:
        """Not less than low, not more than high; NaN stays."""
        return self._then("clip", low=_number(low), high=_number(high))

    def log1p(self) -> Transform:
        """The natural logarithm of 1 + x."""
        return self._then("log1p")

    def is_missing(self) -> Transform:
        """1 for NaN, 0 for other numbers: the mask of missing values."""
        return self._then("is_missing")

    def mean(self, *factors: int) -> Transform:
        """The mean of each box of factors elements, one factor for each axis; NaN if the box has a NaN."""
        return self._then("mean", factors=_whole.numbers(factors, "a factor"))

    def stride(self, *factors: int) -> Transform:
        """Every factor-th element along each axis, from the first on."""
        return self._then("stride", factors=_whole.numbers(factors, "a factor"))

    def flip(self, *axes: int) -> Transform:
        """Some axes reversed."""
        return self._then("flip", axes=_whole.numbers(axes, "an axis"))

    def permute(self, *axes: int) -> Transform:
        """The axes in another order: permute(2, 0, 1) makes (channels, height, width) of (height, width, channels)."""
        return self._then("permute", axes=_whole.numbers(axes, "an axis"))

    def cast(self, dtype: Any, overflow: str = "clamp") -> Transform:
        """Another type; the last step. A number becomes the nearest integer, ties to even; overflow "clamp" or "wrap"
        says what happens to integers beyond the range."""
        try:
            name = np.dtype(dtype).name
        except TypeError:  # NumPy has no bfloat16
            name = str(dtype)
        if overflow not in ("clamp", "wrap"):
            raise ValueError(f'overflow is {overflow!r}, expected "clamp" or "wrap"')
        return self._then("cast", type=name, overflow=overflow.upper())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Transform) and self._steps == other._steps

    def __hash__(self) -> int:
        return hash(self.to_json())

    def __repr__(self) -> str:
        return f"Transform({list(self._steps)})"


def _number(value: Any) -> Any:
    number = float(value)
    if math.isfinite(number):
        return number
    return "NaN" if math.isnan(number) else "Infinity" if number > 0 else "-Infinity"
