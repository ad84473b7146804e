"""Selections mean what they mean in NumPy and zarr-python: random ones, from fixed seeds."""

import shutil

import numpy as np
import pytest
import zarr
import zarr_engine as ze
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from conftest import same

random = settings(
    max_examples=150, derandomize=True, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
SHAPE = (7, 12, 10)
ELEMENTS = np.arange(840, dtype="i4").reshape(SHAPE)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("arrays") / "a.zarr"
    array = zarr.create_array(folder, shape=SHAPE, dtype="i4", shards=(4, 6, 10), chunks=(2, 3, 5))
    array[...] = ELEMENTS
    return folder


@pytest.fixture(scope="module")
def array(folder):
    return ze.open(folder)


@pytest.fixture(scope="module")
def peer(folder):
    return zarr.open_array(folder, mode="r")


def test_warm_up(array, folder, tmp_path):
    """Reads what is given, until the time is over; what cannot be read is told."""
    assert array.warm_up([slice(0, 2), (0, ..., slice(1, 3))], 0.05) is None
    array.warm_up(np.array([[(0, 2), (0, 6), (3, 10)]]), seconds=np.float32(0.05))
    for selections, seconds, kind, text in (
        ([], 1, ValueError, "selections and time"),
        ([slice(0, 2)], 0, ValueError, "seconds is 0"),
        ([slice(0, 2)], float("nan"), ValueError, "seconds is nan"),
        ([(0, 99)], 1, IndexError, "99"),
        (slice(0, 2), 1, TypeError, "expected a list of selections"),
    ):
        with pytest.raises(kind, match=text):
            array.warm_up(selections, seconds)
    shutil.copytree(folder, tmp_path / "damaged")
    (tmp_path / "damaged/c/0/0/0").write_bytes(b"damaged")
    with pytest.raises(ze.ZarrError, match="c/0/0/0"):
        ze.open(tmp_path / "damaged").warm_up([slice(0, 1)], 5)


def bound(length):
    return st.none() | st.integers(-2 * length, 2 * length) | st.sampled_from([-(2**70), 2**70])


def slices(length, steps):
    return st.builds(slice, bound(length), bound(length), steps)


def positions(length):
    return st.integers(-length, length - 1)


POSITIVE = st.none() | st.integers(1, 5)
ANY = POSITIVE | st.integers(-5, -1)


@st.composite
def basic(draw, steps=ANY, axes=True):
    """A key of NumPy's basic indexing."""
    parts = [draw(slices(n, steps) | positions(n)) for n in SHAPE[: draw(st.integers(0, 3))]]
    if draw(st.booleans()):
        kept = draw(st.integers(0, len(parts)))
        tail = [draw(slices(n, steps) | positions(n)) for n in SHAPE[::-1][: draw(st.integers(0, 3 - kept))]]
        parts = [*parts[:kept], Ellipsis, *tail[::-1]]
    for _ in range(draw(st.integers(0, 2)) if axes else 0):
        parts.insert(draw(st.integers(0, len(parts))), None)
    return parts[0] if len(parts) == 1 and draw(st.booleans()) else tuple(parts)


@random
@given(key=basic())
def test_basic_is_numpys(array, key):
    same(array[key], ELEMENTS[key])


@random
@given(key=basic(POSITIVE, axes=False))
def test_basic_is_zarr_pythons(array, peer, key):
    same(array[key], peer[key])


@st.composite
def orthogonal(draw):
    parts = []
    for length in SHAPE:
        lists = st.lists(positions(length), max_size=4)
        masks = st.integers(0, 2**length - 1).map(lambda bits: (bits >> np.arange(length) & 1).astype(bool))
        parts.append(draw(slices(length, POSITIVE) | positions(length) | lists | lists.map(lambda x: np.array(x, int)) | masks))
    return tuple(parts)


@random
@given(key=orthogonal())
def test_oindex(array, key):
    expected = ELEMENTS
    for axis in (2, 1, 0):
        part = key[axis]
        if isinstance(part, list):
            part = np.array(part, int)
        elif isinstance(part, np.ndarray) and part.dtype == object:
            part = part.astype(int)
        expected = expected[(slice(None),) * axis + (part,)]
    same(array.oindex[key], expected)


@random
@given(data=st.data())
def test_vindex_is_numpys(array, peer, data):
    shape = tuple(data.draw(st.lists(st.integers(1, 3), min_size=1, max_size=2)))
    count = int(np.prod(shape))
    key = tuple(
        np.array(data.draw(st.lists(positions(n), min_size=count, max_size=count))).reshape(shape) for n in SHAPE
    )
    same(array.vindex[key], ELEMENTS[key])
    same(array[key], ELEMENTS[key])
    same(array.vindex[key], peer.vindex[key])


@random
@given(seed=st.integers(0, 2**32 - 1))
def test_mask(array, seed):
    mask = np.random.default_rng(seed).random(SHAPE) < 0.1
    same(array[mask], ELEMENTS[mask])
    same(array.vindex[mask], ELEMENTS[mask])
    same(array.get_mask_selection(mask), ELEMENTS[mask])


@random
@given(data=st.data())
def test_blocks(array, peer, data):
    key = tuple(data.draw(positions(n) | st.builds(slice, st.integers(0, n - 1), st.none())) for n in (2, 2, 1))
    same(array.blocks[key], peer.blocks[key])


@random
@given(keys=st.lists(basic(axes=False), min_size=1, max_size=5))
def test_many_in_one_call(array, keys):
    keys = [key if isinstance(key, tuple) else (key,) for key in keys]
    found = array.read(keys)
    assert len(found) == len(keys)
    for one, key in zip(found, keys):
        same(one, ELEMENTS[key])


@random
@given(seed=st.integers(0, 2**32 - 1))
def test_many_boxes(array, seed):
    rng = np.random.default_rng(seed)
    low = rng.integers(0, (5, 9, 7), (6, 3))
    boxes = np.stack([low, low + (2, 3, 3)], axis=-1)
    expected = np.stack([ELEMENTS[tuple(slice(a, b) for a, b in box)] for box in boxes])
    same(array.read(boxes), expected)
    keys = [tuple(slice(int(a), int(b)) for a, b in box) for box in boxes]
    same(array.read(keys), expected)
    out = np.zeros(expected.shape, "i4")
    assert array.read(keys, out=out) is out
    same(out, expected)


@pytest.mark.parametrize("key", [(0, 0, 0, 0), (..., 0, ...), 7, (0, -13), 2**70, [7], (0, 1, [0, 99]), 1.5, "x", True,
                                 ([0], [0, 1], slice(None)), np.zeros((7, 12), bool), (0, np.zeros(11, bool), 0)])
def test_refuses_what_is_outside(array, key):
    with pytest.raises(IndexError):
        array[key]


def test_refuses_a_step_of_0(array):
    with pytest.raises(ValueError):
        array[::0]


@pytest.mark.parametrize("out, kind, message", [
    (np.zeros((7, 12, 9), "i4"), ValueError, "shape"),
    (np.zeros((12, 7, 10), "i4"), ValueError, "shape"),
    (np.zeros(SHAPE, "f4"), TypeError, "float32"),
    (np.zeros((7, 12, 20), "i4")[:, :, ::2], ValueError, "contiguous"),
    (np.zeros(SHAPE[::-1], "i4").T, ValueError, "contiguous"),
    (np.broadcast_to(np.zeros((), "i4"), SHAPE), ValueError, "contiguous"),
    ([0] * 840, TypeError, "share"),
])
def test_refuses_memory_that_does_not_fit(array, out, kind, message):
    before = np.array(out)
    with pytest.raises(kind, match=message):
        array.read(out=out)
    same(np.array(out), before)


def test_refuses_read_only_memory(array):
    out = np.zeros(SHAPE, "i4")
    out.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        array.read(out=out)


def test_reads_to_the_callers_memory(array):
    out = np.zeros((3, *SHAPE), "i4")
    assert array.read(out=out[1]).base is out
    same(out, np.stack([np.zeros(SHAPE, "i4"), ELEMENTS, np.zeros(SHAPE, "i4")]))
    scalar = np.zeros((), "i4")
    array.read((1, 2, 3), out=scalar)
    assert scalar == ELEMENTS[1, 2, 3]
