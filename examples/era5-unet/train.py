"""Trains a U-Net on pairs of ERA5-like steps, and measures what it waits for.

    python train.py FOLDER                                     zarr-engine, one GPU
    python train.py FOLDER --contender tensorstore             another reader
    torchrun --nproc-per-node 2 train.py FOLDER                data-parallel on two GPUs
    python train.py FOLDER --chart bars.png                    also draws all results so far
    python train.py FOLDER --size small --steps 20             without a GPU, in seconds
    python train.py FOLDER --data era-interim.zarr/u           an array of one's own: (time, channel, row, column)

Prints three rates of samples in GB/s, over all GPUs, or over all processes where torch finds none: "real" reads and
trains; "no_training" reads only; "synthetic" trains on a tensor that is there. A pair has 20 channels of 640 x 1280
float32: 131 MB. FOLDER gets the array (2 GB on disk) and a line for each result in results.jsonl. The array is in the
page cache after the first run.
"""

import argparse
import itertools
import json
import os
import pathlib
import statistics
import time
from collections.abc import Callable, Iterator

import torch
from torch import nn

import contenders
import data
from unet import HALVED, UNet

SHAPE = {"full": (48, 20, 640, 1280), "small": (8, 4, 64, 128)}


class Trainer:
    """The model, and one step of its training in bfloat16."""

    def __init__(self, channels: int, device: torch.device, ranks: int):
        model = UNet(channels).to(device, memory_format=torch.channels_last)
        ids = None if device.type == "cpu" else [device.index]
        self.model = nn.parallel.DistributedDataParallel(model, ids) if ranks > 1 else model
        self.optimizer = torch.optim.AdamW(self.model.parameters())
        self.device = device

    def step(self, pair: torch.Tensor) -> None:
        values = ((whole(pair) - 250) / 20).to(memory_format=torch.channels_last)
        with torch.autocast(self.device.type, dtype=torch.bfloat16):
            loss = nn.functional.mse_loss(self.model(values[:1]).float(), values[1:])
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        self.optimizer.step()


def whole(pair: torch.Tensor) -> torch.Tensor:
    """Leaves out rows and columns that the network cannot halve."""
    height, width = (length // HALVED * HALVED for length in pair.shape[2:])
    return pair[:, :, :height, :width]


def synchronize() -> None:
    if torch.cuda.is_available():
        torch.cuda.synchronize()


def rate(pairs: Iterator[torch.Tensor], use: Callable[[torch.Tensor], object], steps: int, warm: int) -> float:
    """Returns the bytes of pairs that are used in a second, in GB/s, after some steps that are not counted."""
    begin, used = 0.0, 0
    for number, pair in enumerate(itertools.islice(pairs, warm + steps)):
        if number == warm:
            synchronize()
            begin = time.perf_counter()
        use(pair)
        used += pair.nbytes if number >= warm else 0
    synchronize()
    return used / (time.perf_counter() - begin) / 1e9


def measure(path: pathlib.Path, arguments: argparse.Namespace, rank: int, ranks: int) -> dict[str, float]:
    has_gpu = torch.cuda.is_available()
    device = torch.device("cuda", int(os.environ.get("LOCAL_RANK", 0))) if has_gpu else torch.device("cpu")
    if has_gpu:
        torch.cuda.set_device(device)
    if ranks > 1:
        torch.distributed.init_process_group("nccl" if has_gpu else "gloo")
    shape = data.shape(path)
    trainer = Trainer(shape[1], device, ranks)
    read = contenders.ALL[arguments.contender]
    fixed = torch.randn(2, *shape[1:], device=device) * 20 + 250
    bars = {
        "synthetic": (lambda: itertools.repeat(fixed), trainer.step),
        "no_training": (lambda: read(path, device, rank, ranks), torch.Tensor.sum),
        "real": (lambda: read(path, device, rank, ranks), trainer.step),
    }
    rates = {}
    for name, (pairs, use) in bars.items():
        if ranks > 1:
            torch.distributed.barrier()
        rates[name] = rate(pairs(), use, arguments.steps, arguments.warm) * ranks
    if ranks > 1:
        torch.distributed.destroy_process_group()
    return rates


def draw(results: list[dict], file: str) -> None:
    """Draws the three bars of each contender and number of GPUs: medians of its results."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    runs: dict[tuple[str, int], list[dict]] = {}
    for result in results:
        runs.setdefault((result["contender"], result["gpus"]), []).append(result)
    figure, axes = pyplot.subplots(figsize=(8, 4))
    for bar, name in enumerate(("real", "no_training", "synthetic")):
        places = [number + (bar - 1) * 0.27 for number in range(len(runs))]
        medians = [statistics.median(result[name] for result in same) for same in runs.values()]
        axes.bar(places, medians, 0.25, label=name.replace("_", " "))
    axes.set_xticks(range(len(runs)), [f"{contender}, {gpus} GPU" for contender, gpus in runs])
    axes.set_ylabel("GB/s of samples")
    axes.legend(ncols=3, loc="lower center", bbox_to_anchor=(0.5, 1))
    figure.savefig(file, dpi=120, bbox_inches="tight")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--contender", choices=contenders.ALL, default="zarr-engine")
    parser.add_argument("--size", choices=SHAPE, default="full")
    parser.add_argument("--steps", type=int, default=120, help="pairs that are measured, for each GPU")
    parser.add_argument("--warm", type=int, default=20, help="pairs before them")
    parser.add_argument("--chart", help="a file for a chart of all results in the folder; needs matplotlib")
    parser.add_argument("--data", type=pathlib.Path, help="an array of float32 instead of a generated one")
    arguments = parser.parse_args()
    rank, ranks = int(os.environ.get("RANK", 0)), int(os.environ.get("WORLD_SIZE", 1))
    path = arguments.data or arguments.folder / f"era5-{arguments.size}.zarr"
    if rank == 0:
        arguments.folder.mkdir(parents=True, exist_ok=True)
        if arguments.data is None:
            data.make(path, *SHAPE[arguments.size])
    else:
        while not path.exists():
            time.sleep(0.5)
    rates = measure(path, arguments, rank, ranks)
    if rank > 0:
        return
    result = {
        "contender": arguments.contender, "size": path.name if arguments.data else arguments.size, "gpus": ranks,
        "gpu": torch.cuda.get_device_name() if torch.cuda.is_available() else "none",
        "zstd_ratio": round(data.stored_ratio(path), 2),
        **{name: float(f"{value:.3g}") for name, value in rates.items()},
    }
    print(json.dumps(result))
    log = arguments.folder / "results.jsonl"
    with log.open("a") as lines:
        lines.write(json.dumps(result) + "\n")
    if arguments.chart:
        draw([json.loads(line) for line in log.read_text().splitlines()], arguments.chart)


if __name__ == "__main__":
    main()
