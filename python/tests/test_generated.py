"""Samples that Python code makes while a loader runs: each once, in order, at the right place after a resume."""

import itertools

import numpy as np
import pytest
import zarr
import zarr_engine as ze
from zarr_engine.samplers import generated


@pytest.fixture
def array(tmp_path):
    zarr.create_array(tmp_path / "u", shape=(50, 4), dtype="i4", chunks=(1, 4))[...] = np.arange(200).reshape(50, 4)
    return ze.open(tmp_path / "u")


def place(n):
    return (slice(n * 7 % 50, n * 7 % 50 + 1), slice(1, 3))


def places(count=None):
    for n in itertools.count() if count is None else range(count):
        yield place(n)


def rows(batches):
    """Returns the row of each sample of some batches."""
    return [int(sample.flat[0]) // 4 for batch in batches for sample in batch["u"]]


def expected(numbers):
    return [n * 7 % 50 for n in numbers]


WAYS = {"function": lambda: place, "generator": places, "iterable": lambda: [place(n) for n in range(1000)]}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("prefetch", [0, 2])
def test_each_sample_once_in_order(array, way, prefetch):
    loader = ze.Loader(array, generated(WAYS[way]()), batch=3, prefetch=prefetch)
    batches = list(itertools.islice(loader, 20))
    assert rows(batches) == expected(range(60))
    np.testing.assert_array_equal(batches[0]["u"][:, 0], [[1, 2], [29, 30], [57, 58]])


def test_makes_no_more_than_is_read_ahead(array):
    made = []
    batches = iter(ze.Loader(array, generated(lambda n: made.append(n) or place(n)), batch=3, prefetch=2))
    for taken in range(1, 5):
        next(batches)
        assert made == list(range(3 * (taken + 2)))


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("taken", [0, 1, 5])
def test_resumes_with_another_batch_size(array, way, taken):
    begun = ze.Loader(array, generated(WAYS[way]()), batch=4)
    got = rows(itertools.islice(begun, taken))
    state = begun.state_dict()
    assert state == {"epoch": 0, "sample": 4 * taken}
    rest = ze.Loader(array, generated(WAYS[way]()), batch=5)
    rest.load_state_dict(state)
    got += rows(itertools.islice(rest, 4))
    assert got == expected(range(4 * taken + 20))


@pytest.mark.parametrize("way", WAYS)
def test_goes_back_and_on(array, way):
    """Also to what is read ahead already; a generator cannot go back."""
    loader = ze.Loader(array, generated(WAYS[way]()), batch=4)
    assert rows(itertools.islice(loader, 3)) == expected(range(12))
    loader.load_state_dict(loader.state_dict())
    assert rows(itertools.islice(loader, 1)) == expected(range(12, 16))
    loader.load_state_dict({"epoch": 0, "sample": 40})
    assert rows(itertools.islice(loader, 1)) == expected(range(40, 44))
    if way == "generator":
        with pytest.raises(ValueError, match="generator"):
            loader.load_state_dict({"epoch": 0, "sample": 1})
        assert rows(itertools.islice(loader, 1)) == expected(range(44, 48))
    else:
        loader.load_state_dict({"epoch": 0, "sample": 1})
        assert rows(itertools.islice(loader, 1)) == expected(range(1, 5))
    with pytest.raises(ValueError, match="-1"):
        loader.load_state_dict({"epoch": 0, "sample": -1})


@pytest.mark.parametrize("count", [0, 1, 3, 4, 9, 12, 100])
@pytest.mark.parametrize("end", ["partial", "drop"])
@pytest.mark.parametrize("prefetch", [0, 1, 5])
def test_ends(array, count, end, prefetch):
    """With the samples left over in a batch of their own, or without them."""
    loader = ze.Loader(array, generated(places(count)), batch=4, prefetch=prefetch, end=end)
    sizes = [4] * (count // 4) + ([count % 4] if count % 4 and end == "partial" else [])
    batches = list(loader)
    assert [len(batch["u"]) for batch in batches] == sizes
    assert rows(batches) == expected(range(sum(sizes)))
    assert list(loader) == []
    with pytest.raises(ze.ZarrError, match="no more"):
        loader.skip()
    again = ze.Loader(array, generated(places(count)), batch=4, end=end)
    again.load_state_dict(loader.state_dict())
    assert list(again) == []


def test_epochs_go_on(array):
    """An incomplete last step is left out."""
    loader = ze.Loader(array, generated(places(26)), batch=4, epoch_length=10)
    assert rows(loader) == expected(range(10))
    assert rows(loader) == expected(range(10, 20))
    assert rows(loader) == expected(range(20, 24))
    assert rows(loader) == []
    loader = ze.Loader(array, generated(place), batch=4, epoch_length=10, epochs=2, end="drop")
    assert rows(loader) == expected(range(8))
    state = loader.state_dict()
    assert rows(loader) == expected(range(10, 18))
    assert rows(loader) == []
    again = ze.Loader(array, generated(places()), batch=2, epoch_length=10, end="drop")
    again.load_state_dict(state)
    assert rows(again) == expected(range(10, 20))


@pytest.mark.parametrize("count", [0, 3, 9, 23, 25, 30])
@pytest.mark.parametrize("batch, ranks", [(1, 1), (2, 1), (3, 2), (7, 1)])
@pytest.mark.parametrize("end", ["partial", "drop"])
def test_an_incomplete_epoch_does_not_depend_on_what_is_read_ahead(array, count, batch, ranks, end):
    got = []
    for prefetch in (0, 1, 4):
        loader = ze.Loader(
            array, generated(places(count)), batch=batch, prefetch=prefetch, epoch_length=10, end=end, world_size=ranks
        )
        epochs = [rows(loader) for _ in range(4)]
        again = ze.Loader(
            array, generated(places(count)), batch=batch, epoch_length=10, end=end, rank=0, world_size=ranks
        )
        again.load_state_dict(loader.state_dict())
        assert rows(again) == []
        got.append(epochs)
    assert got[0] == got[1] == got[2]
    whole = count // 10
    steps = count % 10 // (batch * ranks)
    assert [len(epoch) for epoch in got[0][whole:]] == [batch * steps] + [0] * (3 - whole)


@pytest.mark.parametrize("end", ["partial", "drop"])
def test_no_samples_are_made_after_the_last_epoch(array, end):
    """Fails if the code is asked for what a list does not have."""
    samples = [place(n) for n in range(20)]
    loader = ze.Loader(array, generated(lambda n: samples[n]), batch=4, epoch_length=10, epochs=2, end=end)
    count = 10 if end == "partial" else 8
    assert rows(loader) == expected(range(count))
    state = loader.state_dict()
    assert rows(loader) == expected(range(10, 10 + count))
    assert rows(loader) == []
    again = ze.Loader(array, generated(lambda n: samples[n]), batch=5, epoch_length=10, epochs=2, end=end)
    again.load_state_dict(state)
    assert rows(again)[-8:] == expected(range(10, 20))[-8:]
    again.load_state_dict(loader.state_dict())
    assert rows(again) == []


def test_ranks_share_the_samples(array):
    got = [
        rows(ze.Loader(array, generated(places(20)), batch=3, rank=rank, world_size=2, end=end))
        for end in ("partial", "drop") for rank in (0, 1)
    ]
    assert got[0] == expected([0, 1, 2, 6, 7, 8, 12, 13, 14, 18])
    assert got[1] == expected([3, 4, 5, 9, 10, 11, 15, 16, 17, 19])
    assert got[2:] == [got[0][:9], got[1][:9]]


def test_arrays_get_the_same_samples(array, tmp_path):
    zarr.create_array(tmp_path / "v", shape=(50, 4), dtype="i4", chunks=(5, 4))[...] = -np.arange(200).reshape(50, 4)
    both = {"u": array, "v": ze.open(tmp_path / "v")}
    for batch in itertools.islice(ze.Loader(both, generated(places()), batch=4), 5):
        np.testing.assert_array_equal(batch["u"], -batch["v"])
    own = {"u": generated(places(10)), "v": generated(lambda n: place(n + 1))}
    batches = list(ze.Loader(both, own, batch=4))
    assert rows(batches) == expected(range(10))
    assert rows({"u": -batch["v"]} for batch in batches) == expected(range(1, 11))


def test_selections_of_every_kind(array):
    keys = [(3, slice(None)), (-1, ...), ([7], slice(None, None, 1)), 9]
    (batch,) = ze.Loader(array, generated(keys[:2] + keys[3:]), batch=3)
    np.testing.assert_array_equal(batch["u"], array[...][[3, 49, 9]])
    (batch,) = ze.Loader(array, generated([(slice(None, None, 10), [0, 3])]), batch=1)
    np.testing.assert_array_equal(batch["u"][0], array[...][::10][:, [0, 3]])


@pytest.mark.parametrize("end", ["partial", "drop"])
def test_what_the_code_raises_comes_after_the_batches_before(array, end):
    def failing(n):
        if n == 10:
            raise RuntimeError("no more disk")
        return place(n)

    loader = ze.Loader(array, generated(failing), batch=4, end=end)
    got = []
    for _ in range(2):
        with pytest.raises(RuntimeError, match="no more disk") as failure:
            for batch in loader:
                got += rows([batch])
        assert "sample 10 of the loader" in failure.value.__notes__
    assert got == expected(range(10 if end == "partial" else 8))
    loader = ze.Loader(array, generated([place(0), (slice(0, 1), "x")]), batch=1)
    with pytest.raises(IndexError, match="unsupported selection"):
        rows(loader)


@pytest.mark.parametrize("end", ["partial", "drop"])
@pytest.mark.parametrize("way", ["function", "iterable", "generator"])
def test_a_loader_resumes_where_the_code_failed(array, way, end):
    """Not after the end; a generator has ended."""
    failures = [RuntimeError("no more disk")]

    def failing(n):
        if n == 9 and failures:
            raise failures.pop()
        return place(n)

    class Iterable:
        def __iter__(self):
            return (failing(n) for n in range(20))

    samples = {"function": lambda: failing, "iterable": Iterable, "generator": lambda: iter(Iterable())}[way]
    loader = ze.Loader(array, generated(samples()), batch=4, end=end)
    got = []
    with pytest.raises(RuntimeError, match="no more disk"):
        for batch in loader:
            got += rows([batch])
    count = 9 if end == "partial" else 8
    assert got == expected(range(count))
    state = loader.state_dict()
    assert state == {"epoch": 0, "sample": count}
    loader.load_state_dict(state)
    if way == "generator":
        with pytest.raises(RuntimeError, match="no more disk"):
            rows(loader)
        loader = ze.Loader(array, generated(samples()), batch=4, end=end)
        loader.load_state_dict(state)
    assert rows(itertools.islice(loader, 2)) == expected(range(count, count + 8))


class Interrupted:
    """Samples whose code is interrupted by Ctrl-C at the ninth, once."""

    def __init__(self):
        self.is_interrupted = False

    def __iter__(self):
        for n in range(20):
            if n == 8 and not self.is_interrupted:
                self.is_interrupted = True
                raise KeyboardInterrupt
            yield place(n)


def test_ctrl_c_in_the_code_does_not_end_the_samples(array):
    """Of a generator it does, which is told."""
    loader = ze.Loader(array, generated(Interrupted()), batch=2, prefetch=1)
    with pytest.raises(KeyboardInterrupt):
        rows(loader)
    assert rows(loader)[-1] == expected([19])[0]
    loader = ze.Loader(array, generated(iter(Interrupted())), batch=2, prefetch=1)
    with pytest.raises(KeyboardInterrupt):
        rows(loader)
    with pytest.raises(RuntimeError, match="interrupted"):
        rows(loader)


def test_ctrl_c_in_one_sampler_keeps_the_others_in_step(array):
    loader = ze.Loader({"u": array, "v": array}, {"u": generated(places()), "v": generated(Interrupted())}, batch=2)
    got = []
    for _ in range(2):
        try:
            for batch in loader:
                np.testing.assert_array_equal(batch["u"], batch["v"])
                got += rows([batch])
        except KeyboardInterrupt:
            pass
    assert got == expected(range(20))


@pytest.mark.parametrize("length, ranks", [(13, 3), (2, 3), (1, 3), (7, 4)])
@pytest.mark.parametrize("prefetch", [0, 1, 4])
def test_ranks_without_a_sample_in_a_step(array, length, ranks, prefetch):
    """They read further ahead. Fails if the samples of the next step are not made."""
    for rank in range(ranks):
        loader = ze.Loader(
            array, generated(place), prefetch=prefetch, rank=rank, world_size=ranks, epoch_length=length, end="partial"
        )
        for epoch in range(3):
            assert rows(loader) == expected(range(epoch * length + rank, (epoch + 1) * length, ranks))


def test_a_sample_outside_the_array_fails_its_step(array):
    loader = ze.Loader(array, generated([place(0), (50, slice(1, 3)), place(2)]), batch=1)
    with pytest.raises(IndexError, match="sample 1 of .*u"):
        rows(loader)
    loader.skip()
    assert rows(loader) == expected([2])


def test_refusals(array):
    with pytest.raises(TypeError, match="iterable"):
        generated(5)
    for options in ({"shuffle": 1}, {"end": "pad"}):
        with pytest.raises(ValueError, match="order of their own"):
            ze.Loader(array, generated(place), **options)
    for batch in (2**31, 10**30):  # Fault: makes samples until no memory is left.
        with pytest.raises(ValueError, match="batch is .*, expected a whole number from 1 to 2147483647"):
            ze.Loader(array, generated(place), batch=batch)
    with pytest.raises(ValueError, match="epochs is 0"):
        ze.Loader(array, generated(place), epochs=0)
    with pytest.raises(ValueError, match="generated samples beside others"):
        ze.Loader({"u": array, "v": array}, {"u": generated(place), "v": ze.samplers.windows(1)})
    with pytest.raises(ValueError, match="report"):
        ze.Loader(array, generated(place)).report()
    closed = ze.Loader(array, generated(place))
    closed.close()
    with pytest.raises(ValueError, match="closed"):
        next(iter(closed))
