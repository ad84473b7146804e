"""The Java runtime in this process: starts at the first use, ends with Python."""

from __future__ import annotations

import array
import atexit
import locale
import os
import pathlib
import threading
import time
from typing import Any

from . import _libraries, _whole
from ._errors import ClosedError, ForkError, translated

_PACKAGE = pathlib.Path(__file__).parent

# -Xrs: signals, above all Ctrl-C, stay Python's. The heap holds plans and metadata; elements are outside of it.
# C1 for nearly all: docs/decisions/commands-compile-simply.md. Without DisplayVMOutput the file is not announced.
# DisableExplicitGC: else JPype has Java collect when Python does, which takes milliseconds, and in a forked child for ever.
_OPTIONS = (
    "-Xrs",
    "-Xmx512m",
    "-XX:+UseSerialGC",
    "-XX:+UnlockDiagnosticVMOptions",
    f"-XX:CompilerDirectivesFile={_PACKAGE / 'compilers.json'}",
    "-XX:-DisplayVMOutput",
    "-XX:+DisableExplicitGC",
    "-XX:-UsePerfData",
    "-Xlog:disable",
    "--enable-native-access=ALL-UNNAMED",
    "--sun-misc-unsafe-memory-access=allow",
)

_LEAVING = 10  # hundredths of a second

_lock = threading.Lock()
_disk_cache = os.environ.get("ZARR_ENGINE_DISK_CACHE", "")
_settings = {"budget": 0, "workers": 0, "chunk_cache": 0, "device_budget": 0, "nice": 10}
_workers = 0  # of the engine that runs
_entry: Any = None  # the Java class EntryPoints, when it can be called
_longs: Any = None  # the Java class long[]
_exception: Any = None  # the Java class Throwable
_detach: Any = None  # ends Java's knowledge of the calling thread
_refusal: Exception | None = None  # why it cannot be called any more


def configure(
    *,
    budget: int = 0,
    workers: int = 0,
    chunk_cache: int = 0,
    device_budget: int = 0,
    nice: int = 10,
    disk_cache: str | None = None,
) -> None:
    """Sets options of the engine, before its first use.

    budget: bytes of memory to read and decode in, beside results; default 64 MiB for each worker, at least 1 GiB.
    workers: threads that read and decode; default one for each core. Under torchrun, the processes of a machine share
        three quarters of its cores.
    chunk_cache: bytes of memory for decoded chunks that are kept; default 0.
    device_budget: bytes of GPU memory; default half of what is free.
    nice: how much the workers yield to other threads and processes, from 0 (as they to them) to 19; default 10, so
        that a training loop gets the core that it needs.
    disk_cache: folder that keeps what is read from URLs, its size, and for how long no server is asked whether an
        object has changed: "/scratch/zarr:200G:7d"; default the variable ZARR_ENGINE_DISK_CACHE, else none; 10G
        without a size; without an age each object is asked for once after its array was opened.
    """
    global _disk_cache
    options = {
        "budget": budget, "workers": workers, "chunk_cache": chunk_cache, "device_budget": device_budget, "nice": nice
    }
    options = {name: _whole.number(value, name, 0) for name, value in options.items()}
    with _lock:
        if _entry is not None:
            raise RuntimeError("the engine runs already: configure it before the first use of zarr_engine")
        _settings.update(options)
        if disk_cache is not None:
            _disk_cache = os.fspath(disk_cache)


def entry() -> Any:
    """Returns the Java class with the calls; starts Java if it does not run yet."""
    if _entry is None:
        _start()
    return _entry


def _start() -> None:
    global _entry
    with _lock:
        if _refusal is not None:
            raise _refusal
        if _entry is not None:
            return
        import jpype

        if _exception is None:  # It is set if options of the engine were refused, but Java runs.
            _load(jpype)
        loaded = jpype.JClass("io.zarrengine.python.EntryPoints")
        _open_engine(loaded)
        _entry = loaded
        atexit.register(_stop)


def workers() -> int:
    """Returns the number of the engine's workers, which runs."""
    return _workers


def _open_engine(loaded: Any) -> None:
    global _workers
    try:
        _workers = loaded.start(
            _settings["budget"],
            _settings["workers"],
            int(os.environ.get("LOCAL_WORLD_SIZE", 1)),
            _settings["chunk_cache"],
            _settings["device_budget"],
            _disk_cache,
        )
    except _exception as e:
        raise translated(e) from None
    _yield_workers(_workers, _settings["nice"])


def _yield_workers(workers: int, nice: int) -> None:
    """Lets the workers yield to all other threads, because they use all cores, and a training loop that waits for a
    core leaves the GPU idle (docs/decisions/workers-yield-in-python.md). Linux knows a priority for each thread."""
    tasks: list[int] = []
    patience = time.monotonic() + 1
    while len(tasks) < workers and time.monotonic() < patience:  # a new thread gets its name a little later
        time.sleep(0.001)
        tasks = [int(task.name) for task in pathlib.Path("/proc/self/task").iterdir() if _is_worker(task)]
    for task in tasks:
        os.setpriority(os.PRIO_PROCESS, task, min(os.getpriority(os.PRIO_PROCESS, task) + nice, 19))


def _is_worker(task: pathlib.Path) -> bool:
    try:
        return (task / "comm").read_text() == "zarr-engine-worker"[:15] + "\n"  # Linux cuts names
    except OSError:
        return False  # The thread has ended.


def _load(jpype: Any) -> None:
    global _longs, _exception, _detach
    if jpype.isJVMStarted():
        raise RuntimeError(
            "other code of this process has started a Java runtime; zarr_engine needs its own one: use zarr_engine"
            " first, or in another process"
        )
    # At the end of Python, JPype ends Java, which waits for the thread that has started it. So that is none of the
    # user's.
    starter = _Starter(jpype)
    starter.start()
    starter.join()
    if starter.failure is not None:
        raise starter.failure
    _longs = jpype.JArray(jpype.JLong)
    _detach = jpype.JClass("java.lang.Thread").detach
    _exception = jpype.JException


class _Starter(threading.Thread):
    """Starts Java and leaves it."""

    def __init__(self, jpype: Any):
        super().__init__(name="zarr-engine-start")
        self._jpype = jpype
        self.failure: Exception | None = None

    def run(self) -> None:
        try:
            _start_jvm(self._jpype)
            self._jpype.JClass("java.lang.Thread").detach()
        except Exception as e:
            self.failure = e


def _start_jvm(jpype: Any) -> None:
    jars = sorted(str(jar) for jar in (_PACKAGE / "jars").glob("*.jar"))
    if more := os.environ.get("ZARR_ENGINE_JARS"):  # Libraries with credentials, for example.
        jars += sorted(str(jar) for jar in pathlib.Path(more).resolve(strict=True).glob("*.jar"))
    options = [*_OPTIONS, *_libraries.options(), *os.environ.get("ZARR_ENGINE_JAVA_OPTIONS", "").split()]
    former = os.environ.get("LC_ALL")
    utf8 = locale.getencoding().lower() in ("utf-8", "utf8")
    try:
        if not utf8:  # Java takes the encoding of file names from the locale.
            os.environ["LC_ALL"] = "C.UTF-8"
        jpype.startJVM(
            *options, jvmpath=str(_PACKAGE / "java/lib/server/libjvm.so"), classpath=jars, interrupt=True
        )
    finally:
        if not utf8:
            if former is None:
                del os.environ["LC_ALL"]
            else:
                os.environ["LC_ALL"] = former


def _stop() -> None:
    """Ends the engine: its threads, its files, and reads under way."""
    global _entry, _refusal
    with _lock:
        ended, _entry = _entry, None
        _refusal = _refusal or ClosedError("Python is about to end")
    if ended is not None:
        ended.stop()
        # Threads that have waited in Java leave it now: Python kills them soon, which JPype's frames do not survive.
        for _ in range(_LEAVING):
            if threading.active_count() == 1:
                break
            time.sleep(0.01)


def _after_fork() -> None:
    """Refuses Java in a forked child: its threads and locks exist only in the parent. Nothing of it is freed there,
    because that would wait for threads that do not exist."""
    global _lock, _entry, _refusal, _kept
    _lock = threading.Lock()
    if _entry is None and _refusal is None:
        return
    import jpype.config

    jpype.config.onexit = False
    _kept = (_entry, _longs, _exception, _detach)
    _entry = None
    _refusal = ForkError(
        "this process was forked from one that had used zarr_engine, whose Java runtime does not survive a fork:"
        ' start processes with multiprocessing.get_context("spawn"), or use threads'
    )


_kept: Any = None
os.register_at_fork(after_in_child=_after_fork)


class _Attached:
    """Java's knowledge of a thread, which ends with the thread: Python drops this in the thread that ends."""

    def __del__(self) -> None:
        if _entry is not None:
            _detach()


_thread = threading.local()


def call(name: str, *arguments: Any) -> Any:
    """Calls Java, without the GIL; Java's exceptions become Python's."""
    if not hasattr(_thread, "attached"):
        _thread.attached = _Attached()
    try:
        return getattr(_entry or entry(), name)(*arguments)
    except (_exception or ()) as e:
        raise translated(e) from None


def numbers(name: str, *arguments: Any) -> list[int]:
    """Calls Java for a long[]. Its buffer is copied at once: each element of a Java array costs a microsecond."""
    return array.array("q", bytes(memoryview(call(name, *arguments)))).tolist()


def cancel(ticket: int) -> None:
    """Asks a read to end early; it still has to be finished."""
    call_if_running("cancel", ticket)


def longs(code: Any) -> Any:
    """Returns whole numbers as Java's long[]: of a list, or fast of a NumPy array of int64."""
    return code if type(code) is list else _longs(code)


def close(node: int) -> None:
    """Closes an array or a group, from a finalizer."""
    call_if_running("close", node)


def free(result: int) -> None:
    """Frees a result, from a finalizer."""
    call_if_running("free", result)


def call_if_running(name: str, *arguments: Any) -> None:
    """Calls Java only if it runs, as finalizers must: at the end of Python and in a forked child it does not."""
    if _entry is not None:
        call(name, *arguments)
