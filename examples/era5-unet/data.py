"""Makes arrays with the shapes of ERA5: (time, channel, latitude, longitude) float32, a chunk for each step and channel,
zstd. The elements are smooth fields with noise, rounded to 1/64 K, so that zstd makes them about 2.5 times smaller."""

import json
import pathlib

import numpy as np


def make(path: pathlib.Path, steps: int, channels: int, height: int, width: int) -> None:
    """Writes the array unless it is there. Its name holds its shape, and the document is written last."""
    if (path / "zarr.json").exists():
        return
    import tensorstore as ts

    part = path.with_name(path.name + ".part")
    array = ts.open(
        {
            "driver": "zarr3",
            "kvstore": {"driver": "file", "path": str(part)},
            "metadata": {
                "shape": [steps, channels, height, width],
                "data_type": "float32",
                "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [1, 1, height, width]}},
                "codecs": [
                    {"name": "bytes", "configuration": {"endian": "little"}},
                    {"name": "zstd", "configuration": {"level": 3}},
                ],
                "fill_value": 0,
            },
        },
        create=True,
        delete_existing=True,
    ).result()
    random = np.random.default_rng(1)
    latitude = np.linspace(0, np.pi, height, dtype="f4")[:, None]
    longitude = np.linspace(0, 2 * np.pi, width, dtype="f4")
    for step in range(steps):
        fields = np.empty((channels, height, width), "f4")
        for channel in range(channels):
            wave = np.sin(latitude * (1 + channel % 3) + step / 10) * np.cos(longitude * (2 + channel % 5) - step / 5)
            noise = random.standard_normal((height, width), "f4") * 0.3
            fields[channel] = np.round((250 + 30 * wave + noise) * 64) / 64
        array[step].write(fields).result()
    part.rename(path)


def shape(path: pathlib.Path) -> tuple[int, ...]:
    """Returns the lengths of an array's dimensions."""
    return tuple(json.loads((path / "zarr.json").read_text())["shape"])


def stored_ratio(path: pathlib.Path) -> float:
    """Returns how many times smaller the array is on disk."""
    stored = sum(file.stat().st_size for file in path.rglob("*") if file.is_file())
    return float(np.prod(shape(path)) * 4 / stored)
