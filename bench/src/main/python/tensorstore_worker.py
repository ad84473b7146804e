"""TensorStore as a worker of bin/bench compare.

Options: in_flight=N crops read at once; batch=1 those in one Batch; cache=BYTES of its cache pool;
data_copy_concurrency=N and file_io_concurrency=N threads.
"""

import collections
import importlib.metadata

import tensorstore as ts

from worker import Worker


class Reader:
    def __init__(self, path, options):
        self.in_flight = int(options.get("in_flight", 64))
        self.batch = options.get("batch") == "1"
        context = {}
        if "cache" in options:
            context["cache_pool"] = {"total_bytes_limit": int(options["cache"])}
        for pool in ("data_copy_concurrency", "file_io_concurrency"):
            if pool in options:
                context[pool] = {"limit": int(options[pool])}
        self.array = ts.open(
            {
                "driver": "zarr3",
                "kvstore": {"driver": "file", "path": path},
                "recheck_cached_metadata": "open",
                "recheck_cached_data": "open",
            },
            context=ts.Context(context),
            read=True,
        ).result()

    def read_one(self, box):
        return self.array[box].read().result()

    def read(self, boxes):
        return self.read_batches(boxes) if self.batch else self.read_window(boxes)

    def read_window(self, boxes):
        window = collections.deque()
        for box in boxes:
            window.append(self.array[box].read())
            if len(window) == self.in_flight:
                yield window.popleft().result()
        while window:
            yield window.popleft().result()

    def submit(self, boxes):
        with ts.Batch() as batch:
            return [self.array[box].read(batch=batch) for box in boxes]

    def read_batches(self, boxes):
        """The next batch is submitted before waiting for the last one."""
        batches = [boxes[i : i + self.in_flight] for i in range(0, len(boxes), self.in_flight)]
        ahead = self.submit(batches[0])
        for batch in [*batches[1:], []]:
            futures, ahead = ahead, self.submit(batch) if batch else []
            for future in futures:
                yield future.result()


if __name__ == "__main__":
    Worker(Reader, f"TensorStore {importlib.metadata.version('tensorstore')}").serve()
