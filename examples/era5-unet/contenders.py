"""Ways to feed pairs of neighbouring steps to a GPU or to the CPU. Each yields tensors (2, channels, height, width) on
the device, in an order at random, without end."""

import pathlib
from collections.abc import Iterator

import numpy as np
import torch


def zarr_engine(path: pathlib.Path, device: torch.device, rank: int, ranks: int) -> Iterator[torch.Tensor]:
    """Read to the GPU, if there is one; 8 pairs are read ahead."""
    import zarr_engine as ze

    loader = ze.Loader(
        {"pair": ze.open(path)}, ze.samplers.windows(2), prefetch=8, shuffle=2, rank=rank, world_size=ranks,
        device=None if device.type == "cpu" else str(device), framework="torch",
    )
    while True:
        for batch in loader:
            yield batch["pair"][0]


def tensorstore(path: pathlib.Path, device: torch.device, rank: int, ranks: int) -> Iterator[torch.Tensor]:
    """Decoded by threads of TensorStore; 6 pairs are read ahead."""
    import tensorstore as ts

    array = ts.open(
        {"driver": "zarr3", "kvstore": {"driver": "file", "path": str(path)}, "recheck_cached_data": False},
        context=ts.Context({"data_copy_concurrency": {"limit": 16}, "file_io_concurrency": {"limit": 32}}),
    ).result()
    steps = _steps(array.shape[0], rank)
    ahead = [array[n : n + 2].read() for n, _ in zip(steps, range(6))]
    for n in steps:
        pair = ahead.pop(0).result()
        ahead.append(array[n : n + 2].read())
        yield torch.from_numpy(pair).to(device, non_blocking=True)


def zarr_python(path: pathlib.Path, device: torch.device, rank: int, ranks: int) -> Iterator[torch.Tensor]:
    """Decoded by 15 processes of a DataLoader, in pinned memory for a GPU."""
    from torch.utils.data import DataLoader

    batches = DataLoader(
        _Pairs(str(path), rank), batch_size=None, num_workers=15, prefetch_factor=2, pin_memory=device.type != "cpu",
        multiprocessing_context="spawn",
    )
    for pair in batches:
        yield pair.to(device, non_blocking=True)


def nvcomp(path: pathlib.Path, device: torch.device, rank: int, ranks: int) -> Iterator[torch.Tensor]:
    """Read by 16 threads to pinned memory, decoded on the GPU by nvCOMP's Python; 6 pairs are read ahead."""
    import json
    from concurrent.futures import ThreadPoolExecutor

    from nvidia import nvcomp as nv

    metadata = json.loads((path / "zarr.json").read_text())
    length, *rest = metadata["shape"]
    stream = torch.cuda.current_stream(device).cuda_stream
    codec = nv.Codec(algorithm="Zstd", bitstream_kind=nv.BitstreamKind.RAW, device_id=device.index, cuda_stream=stream)

    def read(step: int, channel: int) -> torch.Tensor:
        encoded = np.fromfile(path / "c" / str(step) / str(channel) / "0" / "0", np.uint8)
        return torch.from_numpy(encoded).pin_memory()

    with ThreadPoolExecutor(16) as threads:

        def begin(n: int) -> list:
            return [threads.submit(read, step, channel) for step in (n, n + 1) for channel in range(rest[0])]

        steps = _steps(length, rank)
        ahead = [begin(n) for n, _ in zip(steps, range(6))]
        for n in steps:
            encoded = [chunk.result().to(device, non_blocking=True) for chunk in ahead.pop(0)]
            ahead.append(begin(n))
            decoded = codec.decode(nv.as_arrays(encoded, cuda_stream=stream))
            chunks = [torch.as_tensor(chunk, device=device).view(torch.uint8).view(torch.float32) for chunk in decoded]
            yield torch.cat(chunks).view(2, *rest)


class _Pairs(torch.utils.data.Dataset):
    """Pairs for the processes of a DataLoader. Each opens the array for itself."""

    def __init__(self, path: str, rank: int, length: int = 100_000):
        self.path, self.rank, self.length, self.array = path, rank, length, None

    def __len__(self) -> int:
        return self.length

    def __getitem__(self, index: int) -> torch.Tensor:
        if self.array is None:
            import zarr

            self.array = zarr.open_array(self.path, mode="r")
        n = int(np.random.default_rng((self.rank, index)).integers(self.array.shape[0] - 1))
        return torch.from_numpy(self.array[n : n + 2])


def _steps(count: int, seed: int) -> Iterator[int]:
    random = np.random.default_rng(seed)
    while True:
        yield int(random.integers(count - 1))


ALL = {"zarr-engine": zarr_engine, "tensorstore": tensorstore, "zarr-python": zarr_python, "nvcomp": nvcomp}
