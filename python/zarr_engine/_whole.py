"""Whole numbers that the caller gives, of Python or NumPy."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import Any

MAX = 2**63 - 1  # Java's long


def number(value: Any, name: str, least: int = -MAX - 1, most: int = MAX) -> int:
    """Returns a whole number as an int, or raises what is wrong with it."""
    try:
        whole = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} is {value!r}, expected a whole number") from None
    if not least <= whole <= most:
        bounds = f"from {least}" if most == MAX and whole < least else f"from {least} to {most}"
        raise ValueError(f"{name} is {whole}, expected a whole number {bounds}")
    return whole


def optional(value: Any, name: str, least: int = -MAX - 1, most: int = MAX) -> int | None:
    """Returns the same, or None for None."""
    return None if value is None else number(value, name, least, most)


def numbers(values: Iterable[Any], name: str, least: int = -MAX - 1) -> list[int]:
    """Returns whole numbers as a list of int."""
    return [number(value, name, least) for value in values]
