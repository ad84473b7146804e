"""Samples that the user's code makes, for Java's loader: made in Python a few batches before they are read."""

from __future__ import annotations

import collections
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from . import _java, _selection
from .samplers import Generated

_MANY = 4  # as in CodedSelection.java
_ENDLESS = 2**63 - 1


class _Source:
    """The samples of one sampler, by number."""

    def __init__(self, samples: Callable[[int], Any] | Iterable[Any]):
        self._samples = samples
        self._iterator: Iterator[Any] | None = None
        self._next = 0  # the number of the iterator's next sample
        self._last: Any = None  # the sample before, which is asked for again if another source has failed meanwhile
        self._was_interrupted = False

    def can_give(self, number: int) -> bool:
        return callable(self._samples) or number >= self._next or self._iterator is not self._samples

    @property
    def can_repeat(self) -> bool:
        """Whether a sample that failed may be asked for again."""
        return callable(self._samples) or self._iterator is not self._samples

    def get(self, number: int) -> Any:
        """Returns a sample. Raises StopIteration if there are fewer, and what the user's code raises."""
        if callable(self._samples):
            return self._samples(number)
        if number == self._next - 1:
            return self._last
        if self._iterator is None or number < self._next:
            self._iterator, self._next = iter(self._samples), 0
        while self._next <= number:
            self._last = self._advance(self._iterator)
            self._next += 1
        return self._last

    def _advance(self, iterator: Iterator[Any]) -> Any:
        """Returns the next sample. A generator that has raised has ended, also if it was only interrupted."""
        try:
            sample = next(iterator)
        except StopIteration:
            if self._was_interrupted:
                raise RuntimeError(
                    "the generator of the samples was interrupted, which has ended it: give a new loader a new one"
                ) from None
            raise
        except BaseException as e:
            if iterator is self._samples:
                self._was_interrupted = not isinstance(e, Exception)
            else:
                self._iterator = None
            raise
        self._was_interrupted = False
        return sample


class Supply:
    """The samples of a loader from the next one that it delivers. Threads: those of the loader."""

    def __init__(self, samplers: Sequence[Generated], shapes: Sequence[tuple[int, ...]], options: dict[str, Any]):
        """options: of the loader, as Java gets them."""
        self._sources = {id(sampler): _Source(sampler.samples) for sampler in samplers}
        self._of_arrays = [id(sampler) for sampler in samplers]
        self._shapes = shapes
        self._epoch_length: int | None = options["epoch_length"]
        self._epochs: int = _ENDLESS if options["epochs"] is None else options["epochs"]
        if self._epochs < 1:
            raise ValueError(f"epochs is {self._epochs}, expected a whole number from 1")
        self._together: int = options["batch"] * options["ranks"]  # samples in a full step
        self._rank: int = options["rank"]
        self._drops: bool = options["end"] == "DROP"
        self._codes: collections.deque[list[np.ndarray]] = collections.deque()  # for each array
        self._first = 0  # the number of the first of them
        self._given = 0  # Java has those before this number
        self.count: int | None = None  # how many there are, when it is known
        self.failure: Exception | None = None  # what the user's code raised for the sample after the last one

    @property
    def _end(self) -> int:
        return self._first + len(self._codes)

    def _number(self, epoch: int, sample: int) -> int:
        return sample + (0 if self._epoch_length is None else epoch * self._epoch_length)

    def epochs(self) -> int:
        """Returns the number of epochs, as far as it is known."""
        if self._epoch_length is None:
            return 1
        return self._epochs if self.count is None else min(self._epochs, -(-self.count // self._epoch_length))

    def has_more(self, state: dict[str, int]) -> bool:
        """Returns whether there is another step at a state, as far as it is known. With epoch_length, all its samples
        must be there."""
        if self.count is None:
            return True
        if state["epoch"] >= self.epochs():
            return False
        if self._epoch_length is not None:
            return self._needed(state, 1) <= self.count
        least = self._together if self._drops else 1
        return self.count - state["sample"] >= least

    def _needed(self, state: dict[str, int], steps: int) -> int:
        """Returns the number after the last sample of the next steps that have samples for this rank, as StepPlan.java
        divides epochs."""
        epoch, sample, length = state["epoch"], state["sample"], self._epoch_length
        if length is None:
            return sample + steps * self._together
        while steps > 0 and length > self._rank:
            rest = length - sample
            if rest < self._together and (rest == 0 or self._drops):
                epoch, sample, rest = epoch + 1, 0, length
            size = min(rest, self._together)
            sample += size
            steps -= size > self._rank
        return min(self._number(epoch, sample), self._epochs * length)

    def after(self, epoch: int, sample: int) -> dict[str, int]:
        """Returns the state after a step, of which Java says where the next one begins: samples that failed end no
        epoch."""
        if self.failure is not None and self.count is not None and self._epoch_length is None and epoch > 0:
            return {"epoch": 0, "sample": self.count}
        return {"epoch": epoch, "sample": sample}

    def forget_failure(self) -> None:
        """Lets the sample that failed be asked for again, if its source can do so."""
        if self.failure is not None and all(source.can_repeat for source in self._sources.values()):
            self.count = self.failure = None

    def start(self, state: dict[str, int]) -> None:
        """Goes to a state; Java has no samples. Raises ValueError if there is no such state, or if it was passed and
        the source cannot go back."""
        number = self._number(state["epoch"], state["sample"])
        if number < 0:
            raise ValueError(f"the state has the sample {number}")
        if not self._first <= number <= self._end:
            if not all(source.can_give(number) for source in self._sources.values()):
                raise ValueError(
                    f"the samples come from a generator, which cannot go back to sample {number}: give a new loader a"
                    " new generator, or samplers.generated() a function"
                )
            self._codes.clear()
            self._first = number
            self.count = self.failure = None
        self._given = self._first

    def fetch(self, state: dict[str, int], steps: int) -> None:
        """Makes the samples of the next steps; fewer if they end before, or if the user's code fails. Forgets those
        before."""
        while self._codes and self._first < self._number(state["epoch"], state["sample"]):
            self._codes.popleft()
            self._first += 1
        end = self._needed(state, steps)
        while self.count is None and self._end < end:
            number = self._end
            try:
                samples = {key: source.get(number) for key, source in self._sources.items()}
                self._codes.append([
                    np.asarray(_selection.dimensions(_selection.parts(samples[key], len(shape)), shape), np.int64)
                    for key, shape in zip(self._of_arrays, self._shapes)
                ])
            except StopIteration:
                self.count = number
            except Exception as e:
                e.add_note(f"sample {number} of the loader")
                self.count, self.failure = number, e

    def _code(self, array: int, start: int) -> np.ndarray:
        codes = [codes[array] for i, codes in enumerate(self._codes) if self._first + i >= start]
        return np.concatenate([np.array([_MANY], np.int64), *(part for code in codes for part in ([code.size], code))])

    def describe(self, array: int) -> dict[str, Any]:
        """Returns Java's description of a sampler with the samples so far."""
        self._given = self._end
        return {
            "kind": "given",
            "first": self._first,
            "count": self.count if self._epoch_length is None else None,
            "code": self._code(array, self._first).tolist(),
        }

    def give(self, loader: int) -> None:
        """Gives Java the samples that it does not have yet."""
        if self._given < self._end:
            for array in range(len(self._shapes)):
                _java.call("giveSamples", loader, array, self._first, _java.longs(self._code(array, self._given)))
            self._given = self._end
