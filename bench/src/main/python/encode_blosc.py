"""Copies a sharded array, uncompressed, to one of the same layout with blosc: LZ4 and a byte shuffle.

Arguments: SOURCE TARGET. TensorStore and its c-blosc have fixed versions, so the bytes are always the same.
"""

import itertools
import sys

import tensorstore as ts


def blosc(type_size: int) -> dict:
    return {
        "name": "blosc",
        "configuration": {
            "cname": "lz4",
            "clevel": 5,
            "shuffle": "shuffle",
            "typesize": type_size,
            "blocksize": 0,
        },
    }


def with_blosc(metadata: dict, type_size: int) -> dict:
    sharding = metadata["codecs"][0]
    configuration = dict(sharding["configuration"])
    configuration["codecs"] = [*configuration["codecs"], blosc(type_size)]
    return {**metadata, "codecs": [{**sharding, "configuration": configuration}]}


def main(source_path: str, target_path: str) -> None:
    source = ts.open({"driver": "zarr3", "kvstore": {"driver": "file", "path": source_path}}).result()
    metadata = with_blosc(source.spec().to_json()["metadata"], source.dtype.numpy_dtype.itemsize)
    target = ts.open(
        {"driver": "zarr3", "kvstore": {"driver": "file", "path": target_path}, "metadata": metadata}, create=True
    ).result()
    shard = source.chunk_layout.write_chunk.shape
    grid = [range(0, size, step) for size, step in zip(source.shape, shard)]
    for origin in itertools.product(*grid):
        box = tuple(slice(start, start + step) for start, step in zip(origin, shard))
        target[box].write(source[box]).result()


if __name__ == "__main__":
    main(*sys.argv[1:])
