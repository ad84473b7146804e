"""zarr-python as a worker of bin/bench compare.

Options: url=NAME of the environment variable with the URL of a web server or bucket, which obstore reads; in_flight=N
crops read at once; requests=N under way at most.
"""

import asyncio
import os
import pathlib

import zarr
from zarr.core.sync import sync

from worker import Worker


class Reader:
    def __init__(self, path, options):
        self.in_flight = int(options.get("in_flight", 1))
        if "requests" in options:
            zarr.config.set({"async.concurrency": int(options["requests"])})
        self.array = zarr.open_array(self.store(path, options), mode="r")

    @staticmethod
    def store(path, options):
        if "url" not in options:
            return path
        from obstore.store import from_url
        from zarr.storage import ObjectStore

        url = f"{os.environ[options['url']]}/{pathlib.Path(path).name}"
        return ObjectStore(from_url(url, client_options={"allow_http": True}), read_only=True)

    def read_one(self, box):
        return self.array[box]

    def read(self, boxes):
        if self.in_flight == 1:
            yield from map(self.read_one, boxes)
            return
        for i in range(0, len(boxes), self.in_flight):
            yield from sync(self.read_some(boxes[i : i + self.in_flight]))

    async def read_some(self, boxes):
        array = self.array.async_array
        return await asyncio.gather(*(array.getitem(box) for box in boxes))


if __name__ == "__main__":
    Worker(Reader, f"zarr-python {zarr.__version__}").serve()
