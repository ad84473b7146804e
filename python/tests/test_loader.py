"""The loader: every sample once, in an order that can be repeated, resumed and divided; failures and its end."""

import gc
import pickle
import time

import numpy as np
import pytest
import zarr

import zarr_engine as ze


@pytest.fixture(scope="module")
def elements():
    return np.arange(20 * 6 * 8, dtype="f4").reshape(20, 6, 8)


@pytest.fixture
def array(tmp_path, elements):
    zarr.create_array(tmp_path / "u", shape=elements.shape, dtype="f4", chunks=(1, 3, 8))[...] = elements
    return ze.open(tmp_path / "u")


def firsts(loader):
    """Returns the first time step of each sample of an epoch."""
    return [int(sample.flat[0]) // 48 for batch in loader for sample in batch["u"]]


def test_batches_have_the_elements_in_order(array, elements):
    batches = list(ze.Loader(array, ze.samplers.windows(2), batch=8))
    pairs = np.stack([elements[n : n + 2] for n in range(19)])
    assert [b["u"].shape[0] for b in batches] == [8, 8, 3]
    np.testing.assert_array_equal(np.concatenate([b["u"] for b in batches]), pairs)


def test_numbers_of_numpy(array):
    """Are taken wherever whole numbers are; others are refused by name."""
    one, two = np.int64(1), np.uint8(2)
    moved = ze.Transform().mean(one, two, one).stride(one, one, two).flip(one).permute(one, np.int8(0), two)
    steps = {"x": {"u": moved.normalize([1.0] * 4, [1.0] * 4, axis=two)}}
    for sampler in (
        ze.samplers.windows(two, two, np.int32(0)),
        ze.samplers.sliding(np.array([2, 6, 8]), np.array([2, 6, 8])),
        ze.samplers.crops(np.array([2, 6, 8]), np.int64(3)),
    ):
        loader = ze.Loader(
            {"u": array}, sampler, batch=two, prefetch=one, epochs=one, rank=np.int64(0), world_size=one,
            transforms=steps,
            epoch_length=np.int64(10) if sampler._describe((20, 6, 8))["kind"] == "crops" else None,
        )
        loader.load_state_dict({"epoch": np.int64(0), "sample": two})
        assert [len(batch["x"]) for batch in loader] == [2] * 4
    for name, value in (("batch", 2.0), ("prefetch", "2"), ("shuffle", 1.5), ("epochs", [1]), ("rank", 0.0)):
        with pytest.raises(TypeError, match=f"{name} is .*, expected a whole number"):
            ze.Loader(array, ze.samplers.windows(1), **{name: value})
    for make, value in ((ze.samplers.windows, 1.0), (ze.samplers.crops, (1, 2.5, 3)), (ze.Transform().flip, 0.5)):
        with pytest.raises(TypeError, match="expected a whole number"):
            make(value)


def test_shuffled_epochs_differ_and_have_each_sample_once(array):
    loader = ze.Loader(array, ze.samplers.windows(1), batch=4, shuffle=1)
    first, second = firsts(loader), firsts(loader)
    assert sorted(first) == sorted(second) == list(range(20))
    assert first != second
    assert firsts(ze.Loader(array, ze.samplers.windows(1), batch=4, shuffle=1)) == first


@pytest.mark.parametrize("taken", [0, 1, 4, 5, 7])
def test_resumes_with_another_batch_size(array, taken):
    def loader(batch):
        return ze.Loader(array, ze.samplers.windows(1), batch=batch, shuffle=3, epochs=2)

    whole = loader(4)
    expected = firsts(whole) + firsts(whole)
    begun = loader(4)
    got = []
    while len(got) < 4 * taken:
        for batch in begun:
            got += [int(sample.flat[0]) // 48 for sample in batch["u"]]
            if len(got) == 4 * taken:
                break
    state = pickle.loads(pickle.dumps(begun.state_dict()))
    begun.close()
    rest = loader(5)
    rest.load_state_dict(state)
    for _ in range(2):
        got += firsts(rest)
    assert got == expected


def test_ranks_of_the_environment_share_an_epoch(array, monkeypatch):
    seen = []
    for rank in range(3):
        monkeypatch.setenv("RANK", str(rank))
        monkeypatch.setenv("WORLD_SIZE", "3")
        seen.append(firsts(ze.Loader(array, ze.samplers.windows(1), batch=2, shuffle=5)))
    assert [len(ranks) for ranks in seen] == [6, 6, 6]
    assert len(set().union(*map(set, seen))) == 18


def test_batches_stay_valid_and_their_memory_is_freed(array, elements):
    loader = ze.Loader(array, ze.samplers.windows(1))
    kept = [batch["u"] for batch in loader]
    loader.close()
    np.testing.assert_array_equal(np.concatenate(kept)[:, 0], elements)
    before = list(ze._java.call("inUse")[:])
    del kept
    gc.collect()
    after = list(ze._java.call("inUse")[:])
    assert before[1] - after[1] == 20


def test_transforms_and_stacks(array, tmp_path, elements):
    packed = zarr.create_array(tmp_path / "t", shape=elements.shape, dtype="i2", chunks=(2, 6, 8))
    packed[...] = (elements % 7).astype("i2")
    packed.attrs.update({"scale_factor": 0.5, "add_offset": 1.0, "_FillValue": 3})
    t = ze.open(tmp_path / "t")
    both = {"u": ze.Transform().normalize(10, 4), "t": ze.Transform.cf(t)}
    loader = ze.Loader({"u": array, "t": t}, ze.samplers.windows(1), batch=20, transforms={"x": both})
    (batch,) = loader
    number = (elements % 7).astype("i2")
    expected = np.where(number == 3, np.nan, number * 0.5 + 1.0).astype("f4")
    assert batch["x"].shape == (20, 2, 1, 6, 8)
    np.testing.assert_array_equal(batch["x"][:, 0, 0], ((elements.astype("f8") - 10) / 4).astype("f4"))
    np.testing.assert_array_equal(batch["x"][:, 1, 0], expected)


def test_transform_goes_through_json():
    transform = ze.Transform().missing(np.nan).clip(low=0).mean(1, 2).cast("uint8", "wrap")
    assert ze.Transform.from_json(transform.to_json()) == transform


def test_crops_repeat_for_a_seed(array):
    def crops(seed):
        loader = ze.Loader(array, ze.samplers.crops((1, 2, 2), seed), batch=16, epoch_length=32)
        return np.concatenate([batch["u"] for batch in loader])

    assert crops(1).shape == (32, 1, 2, 2)
    np.testing.assert_array_equal(crops(1), crops(1))
    assert not np.array_equal(crops(1), crops(2))


def test_shuffles_by_chunks(tmp_path):
    """Two chunks of five steps are mixed at a time: a batch of ten reads two chunks, and of all samples at random
    more."""
    zarr.create_array(tmp_path / "u", shape=(40, 2), dtype="f4", chunks=(5, 2))[...] = np.arange(80).reshape(40, 2)
    options = {"sampler": ze.samplers.windows(1), "batch": 10, "shuffle": 3}
    mixed = ze.Loader(ze.open(tmp_path / "u"), **options, chunks_together=2)
    steps = [batch["u"][:, 0, 0].astype(int) // 2 for batch in mixed]
    assert sorted(np.concatenate(steps)) == list(range(40))
    assert [len(set(step // 5)) for step in steps] == [2] * 4
    assert mixed.report()["reads_per_chunk"] == 1
    assert ze.Loader(ze.open(tmp_path / "u"), **options).report()["reads_per_chunk"] > 2
    with pytest.raises(ValueError, match="shuffle"):
        ze.Loader(ze.open(tmp_path / "u"), ze.samplers.windows(1), chunks_together=2)


def test_crops_begin_where_a_mask_is_true(array):
    mask = np.zeros((20, 1, 1), bool)
    mask[[3, 17]] = True
    crops = ze.samplers.crops((1, 6, 8), seed=1, mask=mask)
    assert set(firsts(ze.Loader(array, crops, batch=8, epoch_length=64))) == {3, 17}
    with pytest.raises(ValueError, match="mask"):
        ze.samplers.crops((1, 6, 8), weights=mask, mask=mask)


def test_a_damaged_chunk_fails_its_step_which_can_be_skipped(array, tmp_path):
    (tmp_path / "u/c/4/0/0").write_bytes(b"damaged")
    loader = ze.Loader(ze.open(tmp_path / "u"), ze.samplers.windows(1), batch=2)
    seen = []
    for _ in range(2):  # it fails again until it is skipped
        with pytest.raises(ze.ZarrError, match="c/4/0/0"):
            for batch in loader:
                seen.append(int(batch["u"].flat[0]) // 48)
    assert seen == [0, 2]
    loader.skip()
    assert firsts(loader) == list(range(6, 20))


def test_skips_the_first_batch_of_the_next_epoch(array):
    """With "drop" the loader has taken it already, to see that the epoch has ended."""
    loader = ze.Loader(array, ze.samplers.windows(1), batch=np.int64(6), end="drop")
    assert firsts(loader) == list(range(18))
    loader.skip()
    assert loader.state_dict() == {"epoch": 1, "sample": 6}
    assert firsts(loader) == list(range(6, 18))


def test_a_refused_state_changes_nothing(array):
    loader = ze.Loader(array, ze.samplers.windows(1), batch=10)
    next(iter(loader))
    with pytest.raises(ValueError, match="-1"):
        loader.load_state_dict({"epoch": -1, "sample": 0})
    assert firsts(loader) == list(range(10, 20))


@pytest.mark.parametrize(
    "options", [{"batch": 0}, {"prefetch": 10**9}, {"epochs": 0}, {"end": "foo"}, {"shuffle": 2**70}, {"rank": 3}]
)
def test_refuses_options(array, options):
    with pytest.raises(ValueError):
        ze.Loader(array, ze.samplers.windows(1), **options)


@pytest.mark.parametrize("part", [slice(0, 4, 2), slice(None), 3])
def test_refuses_boxes_that_are_none(part):
    with pytest.raises(ValueError, match="start and stop"):
        ze.samplers.boxes([(part, slice(0, 1), slice(0, 1))])


def test_refusals(array):
    with pytest.raises(TypeError, match="samplers"):
        ze.Loader(array, [slice(0, 1)])
    with pytest.raises(ValueError, match="(20, 6, 8)"):
        ze.Loader(array, ze.samplers.sliding((21, 6, 8)))
    with pytest.raises(ValueError, match="framework"):
        ze.Loader(array, ze.samplers.windows(1), framework="tf")
    closed = ze.Loader(array, ze.samplers.windows(1))
    closed.close()
    closed.close()
    with pytest.raises(ValueError, match="closed"):
        closed.skip()
    with pytest.raises(ValueError, match="closed"):
        next(iter(closed))


@pytest.mark.parametrize("delay", [0, 0.01])
def test_an_interrupted_wait_loses_no_sample(array, monkeypatch, delay):
    call, waits = ze._java.call, []

    def interrupted(name, *arguments):
        if name == "waitFor":
            waits.append(name)
            if len(waits) % 2 == 1:
                time.sleep(delay)  # with a delay, the batch is there when the wait is interrupted
                raise KeyboardInterrupt
        return call(name, *arguments)

    monkeypatch.setattr(ze._java, "call", interrupted)
    loader = ze.Loader(array, ze.samplers.windows(1), prefetch=0)
    seen, interrupts = [], 0
    while len(seen) < 20:
        try:
            for batch in loader:
                seen.append(int(batch["u"].flat[0]) // 48)
        except KeyboardInterrupt:
            interrupts += 1
    assert seen == list(range(20))
    assert interrupts >= 10
